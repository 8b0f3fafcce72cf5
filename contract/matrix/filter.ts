import * as z from 'zod/mini';
import { ReportFilter } from '#contract/reports/filter.ts';

/** The fields of a report's filter that a matrix has. */
export const matrixFields = ['entities', 'roles', 'tags', 'users', 'courses', 'compliance_type', 'new_starters_filter'] as const;

/**
 * Whose training a matrix shows, and which courses. Empty lists: everybody one may see, and every course that one of them has to do.
 * People are those of the organisations and of all below them, with one of the job roles and one of the tags.
 */
export const MatrixFilter = z.pick(ReportFilter, {
  ...{ entities: true, roles: true, tags: true, users: true, courses: true, compliance_type: true, new_starters_filter: true },
});
export type MatrixFilter = z.output<typeof MatrixFilter>;
