import * as z from 'zod/mini';
import { ReportFilter } from '#contract/reports/filter.ts';

/** The fields of a report's filter that a matrix uses. */
export const matrixFields = ['entities', 'roles', 'tags', 'users', 'courses', 'compliance_type', 'new_starters_filter'] as const;

/**
 * The people and courses of a matrix. Empty lists: everybody whom the caller may see, and every course that one of them is required to do.
 * People belong to the organisations or to those below them, and have one of the job roles and one of the tags.
 */
export const MatrixFilter = z.pick(ReportFilter, {
  ...{ entities: true, roles: true, tags: true, users: true, courses: true, compliance_type: true, new_starters_filter: true },
});
export type MatrixFilter = z.output<typeof MatrixFilter>;
