import * as z from 'zod/mini';
import { Count, Ref } from '#contract/entities/fields.ts';
import { courseFields, peopleFields, ReportFilter, type ReportField, standingStates } from '#contract/reports/filter.ts';
import { describeFilter } from '#contract/reports/filter-words.ts';
import { bandColumns, Figures, figureColumns, report, standingFiles } from '#contract/reports/report.ts';

/**
 * The compliance of the people with a job role in a course that is required of them; somebody with several counts in each. People without a
 * job role form one row. `whole`: all these job roles, each person once.
 */
export const RoleStanding = z.object({ id: z.string(), role: z.nullable(Ref), whole: z.boolean(), course: Ref, people: Count, ...Figures });
export type RoleStanding = z.infer<typeof RoleStanding>;

/** A footnote: the total can differ from the sum of the rows, because people can have several job roles. */
export const wholeWords = 'All job roles, each person once';

const fields = [...peopleFields, ...courseFields, 'compliance_type', 'includeStatusTypes'] as const satisfies readonly ReportField[];

export const roleReport = report({
  ...{ id: 'role', path: '/reports/role', access: ['report.matrix', 'report.compliance'], files: standingFiles },
  ...{ fileName: 'job roles', fields, statuses: standingStates },
  title: () => 'Job role report',
  summary:
    'By job role and course: how many people are to do it, and how many of them are in date, expiring, expired or have nothing yet, as the matrix counts them. Who holds several job roles counts in each; last, of several job roles, stand rows (`whole`) that count each person once. With statuses, only where somebody has one of them.',
  filter: ReportFilter,
  describe: (filter, names = null) => describeFilter(filter, fields, names),
  row: RoleStanding,
  sort: 'role',
  columns: [
    { head: 'Job role', type: 'text', width: 28, sort: 'role', value: (r) => (r.whole ? wholeWords : (r.role?.name ?? 'No job role')) },
    { head: 'Course', type: 'text', width: 34, sort: 'course', value: (r) => r.course.name },
    { head: 'People', type: 'number', width: 10, sort: 'people', value: (r) => r.people },
    ...figureColumns,
    ...bandColumns,
  ],
});
