import { useMemo } from 'react';
import {
  type Arrangement,
  arrange,
  uncounted,
  indexOf,
  isPlain,
  type MatrixData,
  type MatrixIndex,
  type MatrixView,
} from '#src/features/matrix/grid/matrix-view.ts';

const indexes = new WeakMap<MatrixData, MatrixIndex>();
/** The index of a matrix, computed once. */
export const indexFor = (data: MatrixData): MatrixIndex => {
  const cached = indexes.get(data);
  if (cached) return cached;
  const index = indexOf(data.people, data.courses);
  indexes.set(data, index);
  return index;
};

/** What a view shows. Each new `revision` counts all cells again, so it must be raised a few times a second at most. */
export const useArrangement = (data: MatrixData, revision: number, view: MatrixView): Arrangement =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: cells are filled in place, which only `revision` shows
  useMemo(() => arrange(data, indexFor(data), view), [data, view, revision]);

/** So many cells are counted within a fraction of a frame. */
const quicklyCounted = 50_000;
/** What the first picture of a view shows. Large matrices in the plain view are neither sorted nor counted for it. */
export const firstArrangement = (data: MatrixData, view: MatrixView): Arrangement =>
  isPlain(view) && data.people.length * data.courses.length > quicklyCounted ? uncounted(data) : arrange(data, indexFor(data), view);
