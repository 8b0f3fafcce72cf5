import * as z from 'zod/mini';
import { Day, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { courseFields, peopleFields, ReportFilter, type ReportField, standingStates } from '#contract/reports/filter.ts';
import { describeFilter } from '#contract/reports/filter-words.ts';
import { bandColumns, Figures, figureColumns, report, standingFiles } from '#contract/reports/report.ts';

/** A person, and their compliance in all required courses. */
export const StaffStanding = z.object({
  ...{ id: Id, user: Ref, place: z.string(), role: z.nullable(z.string()), started_on: Day },
  /** Until when they are a new starter; null if they are not. */
  starter_until: z.nullable(Day),
  /** Null if they have never signed in. */
  last_signed_in_at: z.nullable(Instant),
  care_certificate: z.nullable(z.enum(['in_progress', 'complete'])),
  ...Figures,
});
export type StaffStanding = z.infer<typeof StaffStanding>;

const careWords = { in_progress: 'In progress', complete: 'Complete' } as const;
const fields = [...peopleFields, ...courseFields, 'compliance_type', 'includeStatusTypes'] as const satisfies readonly ReportField[];

export const staffReport = report({
  ...{ id: 'staff', path: '/reports/staff', access: ['report.matrix', 'report.compliance'], files: standingFiles },
  ...{ fileName: 'staff', fields, statuses: standingStates },
  title: () => 'Staff report',
  summary:
    'The people that the filter means, by name: when they started and last signed in, and how they stand with all that they are to do, as the matrix counts it. Answers a workbook (202 while a long one is made, 204 where there is nothing), with `type` json, our addition, a page.',
  filter: z.extend(ReportFilter, { type: z._default(z.enum(['json', 'xlsx']), 'xlsx') }),
  describe: (filter, names = null) => describeFilter(filter, fields, names),
  row: StaffStanding,
  sort: 'name',
  columns: [
    { head: 'Name', type: 'text', width: 28, sort: 'name', value: (r) => r.user.name },
    { head: 'Organisation', type: 'text', width: 26, sort: 'place', value: (r) => r.place },
    { head: 'Job role', type: 'text', width: 22, sort: 'job_role', value: (r) => r.role },
    { head: 'Started', type: 'day', width: 14, optional: true, sort: 'started', value: (r) => r.started_on },
    { head: 'New starter until', type: 'day', width: 16, optional: true, value: (r) => r.starter_until },
    { head: 'Last signed in', type: 'day', width: 15, sort: 'signed_in', value: (r) => r.last_signed_in_at ?? 'Never' },
    { head: 'Care certificate', type: 'text', width: 16, optional: true, value: (r) => r.care_certificate && careWords[r.care_certificate] },
    ...figureColumns,
    ...bandColumns,
  ],
});
