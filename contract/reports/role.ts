import * as z from 'zod/mini';
import { Count, Ref } from '#contract/entities/fields.ts';
import { courseFields, peopleFields, ReportFilter, type ReportField, standingStates } from '#contract/reports/filter.ts';
import { describeFilter } from '#contract/reports/filter-words.ts';
import { bandColumns, Figures, figureColumns, report, standingFiles } from '#contract/reports/report.ts';

/** How the people of a job role stand with a course that they are to do. Those without a job role are together. */
export const RoleStanding = z.object({ id: z.string(), role: z.nullable(Ref), course: Ref, people: Count, ...Figures });
export type RoleStanding = z.infer<typeof RoleStanding>;

const fields = [...peopleFields, ...courseFields, 'compliance_type', 'includeStatusTypes'] as const satisfies readonly ReportField[];

export const roleReport = report({
  ...{ id: 'role', path: '/reports/role', access: ['report.matrix', 'report.compliance'], files: standingFiles },
  ...{ fileName: 'job roles', fields, statuses: standingStates },
  title: () => 'Job role report',
  summary:
    'By job role and course: how many people are to do it, and how many of them are in date, expiring, expired or have nothing yet, as the matrix counts them. With statuses, only where somebody has one of them.',
  filter: ReportFilter,
  describe: (filter, names = null) => describeFilter(filter, fields, names),
  row: RoleStanding,
  sort: 'role',
  columns: [
    { head: 'Job role', type: 'text', width: 28, sort: 'role', value: (r) => r.role?.name ?? 'No job role' },
    { head: 'Course', type: 'text', width: 34, sort: 'course', value: (r) => r.course.name },
    { head: 'People', type: 'number', width: 10, sort: 'people', value: (r) => r.people },
    ...figureColumns,
    ...bandColumns,
  ],
});
