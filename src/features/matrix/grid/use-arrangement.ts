import { useMemo } from 'react';
import {
  type Arrangement,
  arrange,
  asGiven,
  indexOf,
  isPlain,
  type MatrixData,
  type MatrixIndex,
  type MatrixView,
} from '#src/features/matrix/grid/matrix-view.ts';

const indexes = new WeakMap<MatrixData, MatrixIndex>();
/** Worked out once for the people and courses, when it is first needed. */
export const indexFor = (data: MatrixData): MatrixIndex => {
  const known = indexes.get(data);
  if (known) return known;
  const made = indexOf(data.people, data.courses);
  indexes.set(data, made);
  return made;
};

/** What a view shows. `revision` says that cells have arrived or changed; each time all are counted again, so it is raised a few times a second at most. */
export const useArrangement = (data: MatrixData, revision: number, view: MatrixView): Arrangement =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: cells arrive in place, and the revision says so
  useMemo(() => arrange(data, indexFor(data), view), [data, view, revision]);

/** Cells that are counted within a fraction of a frame. */
const countedAtOnce = 50_000;
/** What the first picture of a view shows. Where it is plain it waits for neither the order nor the sums of very many. */
export const firstArrangement = (data: MatrixData, view: MatrixView): Arrangement =>
  isPlain(view) && data.people.length * data.courses.length > countedAtOnce ? asGiven(data) : arrange(data, indexFor(data), view);
