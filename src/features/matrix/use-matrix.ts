import { useEffect, useRef, useState } from 'react';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import { matrixKeeper } from '#src/device/kept-matrix.ts';
import { type MatrixState, type Watch, watchMatrix } from '#src/features/matrix/watch-matrix.ts';

/** The matrix of a filter, as far as it has loaded. Another filter is another matrix. `look` reloads the rows of some people. */
export const useMatrix = (filter: MatrixFilter): { state: MatrixState; retry: () => void; look: (people: readonly string[]) => void } => {
  const key = JSON.stringify(filter);
  const [tries, setTries] = useState(0);
  const [told, setTold] = useState<{ key: string; state: MatrixState } | null>(null);
  const watch = useRef<Watch | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once more when that is pressed
  useEffect(() => {
    const of = JSON.parse(key) as MatrixFilter;
    watch.current = watchMatrix(of, (state) => setTold({ key, state }), matrixKeeper(key));
    return watch.current.stop;
  }, [key, tries]);
  const state: MatrixState = told?.key === key ? told.state : { kind: 'loading', takesLong: false };
  return { state, retry: () => setTries((n) => n + 1), look: (people) => watch.current?.look(people) };
};
