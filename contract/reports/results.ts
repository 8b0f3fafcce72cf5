import * as z from 'zod/mini';
import { Count, Id, Instant, Percent, Ref } from '#contract/entities/fields.ts';
import { resultTypes, resultTypeWords } from '#contract/entities/result.ts';
import { courseFields, peopleFields, ReportFilter, type ReportField, reportStatuses } from '#contract/reports/filter.ts';
import { describeFilter } from '#contract/reports/filter-words.ts';
import { report, statusTones } from '#contract/reports/report.ts';

/** The states of a result in the report: approved and in date, expired or superseded, or not approved. */
export const resultStates = ['in_date', 'expired', 'replaced', 'pending', 'rejected'] as const;

export const ReportedResult = z.object({
  ...{ id: Id, user: Ref, place: z.string(), role: z.nullable(z.string()), course: Ref },
  ...{ type: z.enum(resultTypes), state: z.enum(resultStates) },
  ...{ completed_at: Instant, expires_at: z.nullable(Instant), recorded_at: Instant },
  ...{ score: z.nullable(Percent), cpd_hours: z.nullable(z.number()), minutes: z.nullable(Count), recorded_by: z.nullable(Ref) },
});
export type ReportedResult = z.infer<typeof ReportedResult>;

const fields = [
  ...[...peopleFields, ...courseFields],
  ...(['period', 'from_date', 'to_date', 'date_by', 'includeStatusTypes', 'course_type', 'grade', 'assessment_filter', 'admin_only_filter'] as const),
] as const satisfies readonly ReportField[];

export const resultsReport = report({
  ...{ id: 'results', path: '/reports/results', access: ['report.results'], fileName: 'results', fields, statuses: resultStates },
  title: () => 'Results report',
  summary:
    'Every result of the people that the filter means that was completed, expires or was recorded in the period, latest first. `type` xlsx answers it as a workbook (202 while a long one is made, 204 where there is nothing).',
  filter: z.extend(ReportFilter, { type: z._default(z.enum(['json', 'xlsx']), 'json') }),
  describe: (filter, names = null) => describeFilter(filter, fields, names),
  row: ReportedResult,
  sort: '-completed',
  columns: [
    { head: 'Name', type: 'text', width: 28, sort: 'name', value: (r) => r.user.name },
    { head: 'Organisation', type: 'text', width: 26, sort: 'place', value: (r) => r.place },
    { head: 'Job role', type: 'text', width: 22, value: (r) => r.role },
    { head: 'Course', type: 'text', width: 32, sort: 'course', value: (r) => r.course.name },
    { head: 'Kind', type: 'text', width: 16, value: (r) => resultTypeWords[r.type] },
    { head: 'Status', type: 'text', width: 18, tones: statusTones, value: (r) => reportStatuses[r.state] },
    { head: 'Completed', type: 'day', width: 14, sort: 'completed', value: (r) => r.completed_at },
    { head: 'Expires', type: 'day', width: 14, sort: 'expires', value: (r) => r.expires_at },
    { head: 'Score', type: 'number', width: 8, value: (r) => r.score },
    { head: 'CPD hours', type: 'number', width: 11, optional: true, value: (r) => r.cpd_hours },
    { head: 'Minutes', type: 'number', width: 10, optional: true, value: (r) => r.minutes },
    { head: 'Recorded by', type: 'text', width: 22, optional: true, value: (r) => r.recorded_by?.name ?? null },
    { head: 'Recorded', type: 'day', width: 14, optional: true, sort: 'recorded', value: (r) => r.recorded_at },
  ],
});
