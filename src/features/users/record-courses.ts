import type { NavigateFunction } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';

/** Opens the form that records training, or an exemption, for one person and the selected courses. */
export const recordCourses = <R extends { course_id: string }>(navigate: NavigateFunction, userId: string): readonly BulkAction<R>[] => {
  const queryOf = (chosen: readonly R[]) => new URLSearchParams({ people: userId, courses: [...new Set(chosen.map((r) => r.course_id))].join(',') });
  return [
    { label: 'Record training', open: (chosen) => void navigate(`${pathTo('results-historical-create')}?${queryOf(chosen)}`) },
    { label: 'Add an exemption', open: (chosen) => void navigate(`${pathTo('results-exempt-create')}?${queryOf(chosen)}`) },
  ];
};
