import { useEffect, useState } from 'react';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import { type MatrixState, watchMatrix } from '#src/features/matrix/watch-matrix.ts';

/** The matrix of a filter, as far as it has come. Another filter is another matrix. */
export const useMatrix = (filter: MatrixFilter): { state: MatrixState; retry: () => void } => {
  const key = JSON.stringify(filter);
  const [tries, setTries] = useState(0);
  const [told, setTold] = useState<{ key: string; state: MatrixState } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once more when that is pressed
  useEffect(() => watchMatrix(JSON.parse(key) as MatrixFilter, (state) => setTold({ key, state })), [key, tries]);
  const state: MatrixState = told?.key === key ? told.state : { kind: 'loading', takesLong: false };
  return { state, retry: () => setTries((n) => n + 1) };
};
