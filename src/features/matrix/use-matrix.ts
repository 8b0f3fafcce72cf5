import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import { matrixKeeper } from '#src/device/kept-matrix.ts';
import type { MatrixHandle } from '#src/features/matrix/grid/matrix-grid.tsx';
import type { MatrixData } from '#src/features/matrix/grid/matrix-view.ts';
import { pictureFirst } from '#src/features/matrix/grid/picture-first.ts';
import { type MatrixState, type Watch, type WatchedMatrix, watchMatrix } from '#src/features/matrix/watch-matrix.ts';

/** The data of the grid; the same object until other people or courses have loaded. */
const dataOf = ({ sheet, loaded, users, courses, roles, rows }: WatchedMatrix, before: MatrixData | null): MatrixData => {
  const came = users.indexOf(undefined);
  // No names before the first cells.
  const people = rows === 0 ? 0 : came === -1 ? users.length : came;
  // People are only appended.
  if (before && before.sheet === sheet && before.loaded === loaded && before.courses === courses && before.people.length === people) return before;
  const roleNames = new Map(roles.map((r) => [r.id, r.name]));
  return {
    ...{ sheet, loaded, courses },
    people: users
      .slice(0, people)
      .flatMap((u) =>
        u ? [{ id: u.id, name: u.name, place: u.primary_entity_name, role: roleNames.get(u.role_id ?? '') ?? '', tags: u.tags }] : [],
      ),
  };
};

type Told = { state: MatrixState; data: MatrixData | null };
const nothing: Told = { state: { kind: 'loading', takesLong: false }, data: null };

/**
 * The matrix of a filter, as far as it has loaded. Another filter is another matrix. The first rows are drawn on the mounted canvas before React
 * renders them. `look` reloads the rows of some people.
 */
export const useMatrix = (
  filter: MatrixFilter,
  picture: RefObject<MatrixHandle | null>,
): Told & { key: string; retry: () => void; look: (people: readonly string[]) => void } => {
  const key = JSON.stringify(filter);
  const [tries, setTries] = useState(0);
  const [told, setTold] = useState<{ key: string; told: Told } | null>(null);
  const watch = useRef<Watch | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once more when that is pressed
  useEffect(() => {
    const of = JSON.parse(key) as MatrixFilter;
    const first = pictureFirst<Told>(
      ({ state, data }) => state.kind === 'here' && state.view.rows > 0 && data !== null && picture.current?.show(data) === true,
      (told) => setTold({ key, told }),
    );
    let data: MatrixData | null = null;
    watch.current = watchMatrix(
      of,
      (state) => {
        data = state.kind === 'here' ? dataOf(state.view, data) : null;
        first.take({ state, data });
      },
      matrixKeeper(key),
    );
    return () => {
      watch.current?.stop();
      first.stop();
    };
  }, [key, tries, picture]);
  const now = told?.key === key ? told.told : nothing;
  return { ...now, key, retry: () => setTries((n) => n + 1), look: (people) => watch.current?.look(people) };
};
