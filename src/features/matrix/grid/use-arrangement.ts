import { useEffect, useMemo, useState } from 'react';
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

/**
 * What a view shows. `revision` says that cells have arrived or changed; each time all are counted again, so it is raised a few times a
 * second at most. Where the view is plain, the first picture is of the people as they were given, so that the first cells wait neither for
 * an order nor for the sums of all.
 */
export const useArrangement = (data: MatrixData, revision: number, view: MatrixView): Arrangement => {
  const [pictured, setPictured] = useState<MatrixData | null>(null);
  const waits = pictured !== data && isPlain(view);
  useEffect(() => {
    let timer = 0;
    // After the first picture is on the screen.
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => setPictured(data), 50);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: cells arrive in place, and the revision says so
  return useMemo(() => (waits ? asGiven(data) : arrange(data, indexFor(data), view)), [data, view, revision, waits]);
};
