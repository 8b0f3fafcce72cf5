import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import { matrixKeeper } from '#src/device/kept-matrix.ts';
import type { MatrixHandle } from '#src/features/matrix/grid/matrix-grid.tsx';
import type { MatrixData } from '#src/features/matrix/grid/matrix-view.ts';
import { pictureFirst } from '#src/features/matrix/grid/picture-first.ts';
import { type MatrixState, type Watch, type WatchedMatrix, watchMatrix } from '#src/features/matrix/watch-matrix.ts';

/** The data of the grid. Returns `before` unless people, courses or the sheet have changed. */
const dataOf = ({ sheet, loaded, users, courses, roles, rows }: WatchedMatrix, before: MatrixData | null): MatrixData => {
  const firstMissing = users.indexOf(undefined);
  // Names are shown only once the first cells have loaded.
  const peopleCount = rows === 0 ? 0 : firstMissing === -1 ? users.length : firstMissing;
  // People are only ever appended, so an equal count means equal people.
  if (before && before.sheet === sheet && before.loaded === loaded && before.courses === courses && before.people.length === peopleCount)
    return before;
  const roleNames = new Map(roles.map((r) => [r.id, r.name]));
  return {
    ...{ sheet, loaded, courses },
    people: users
      .slice(0, peopleCount)
      .flatMap((u) =>
        u ? [{ id: u.id, name: u.name, place: u.primary_entity_name, role: roleNames.get(u.role_id ?? '') ?? '', tags: u.tags }] : [],
      ),
  };
};

type MatrixRead = { state: MatrixState; data: MatrixData | null };
const notRead: MatrixRead = { state: { kind: 'loading', takesLong: false }, data: null };

/**
 * The matrix of a filter, as far as it has loaded. The first rows are drawn on the mounted canvas before React renders them. `retry` starts
 * again; `reload` requests the rows of some people again.
 */
export const useMatrix = (
  filter: MatrixFilter,
  picture: RefObject<MatrixHandle | null>,
): MatrixRead & { key: string; retry: () => void; reload: (people: readonly string[]) => void } => {
  const key = JSON.stringify(filter);
  const [tries, setTries] = useState(0);
  const [latest, setLatest] = useState<{ key: string; read: MatrixRead } | null>(null);
  const watch = useRef<Watch | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` starts it again
  useEffect(() => {
    const filterOfKey = JSON.parse(key) as MatrixFilter;
    const first = pictureFirst<MatrixRead>(
      ({ state, data }) => state.kind === 'loaded' && state.view.rows > 0 && data !== null && picture.current?.show(data) === true,
      (read) => setLatest({ key, read }),
    );
    let data: MatrixData | null = null;
    watch.current = watchMatrix(
      filterOfKey,
      (state) => {
        data = state.kind === 'loaded' ? dataOf(state.view, data) : null;
        first.take({ state, data });
      },
      matrixKeeper(key),
    );
    return () => {
      watch.current?.stop();
      first.stop();
    };
  }, [key, tries, picture]);
  const current = latest?.key === key ? latest.read : notRead;
  return { ...current, key, retry: () => setTries((n) => n + 1), reload: (people) => watch.current?.reload(people) };
};
