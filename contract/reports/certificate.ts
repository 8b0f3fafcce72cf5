import * as z from 'zod/mini';
import { Id, Instant, Ref } from '#contract/entities/fields.ts';
import { certificateStates, courseFields, peopleFields, ReportFilter, type ReportField } from '#contract/reports/filter.ts';
import { describeFilter } from '#contract/reports/filter-words.ts';
import { type ReportTone, report } from '#contract/reports/report.ts';

/**
 * The certificate of a person in a course: approved, with a number; pending approval; in progress, in a course that was begun;
 * or outstanding, if the course is required and nothing counts yet.
 */
export const ReportedCertificate = z.object({
  ...{ id: z.string(), user: Ref, place: z.string(), role: z.nullable(z.string()), course: Ref },
  state: z.enum(Object.keys(certificateStates) as [keyof typeof certificateStates, ...(keyof typeof certificateStates)[]]),
  /** The result by which it is downloaded; null if there is none. */
  result_id: z.nullable(Id),
  certificate_number: z.nullable(z.string()),
  ...{ completed_at: z.nullable(Instant), expires_at: z.nullable(Instant) },
});
export type ReportedCertificate = z.infer<typeof ReportedCertificate>;

const tones: Record<string, ReportTone> = { Approved: 'ok', 'Awaiting approval': 'warning', 'Working towards': 'warning', Outstanding: 'danger' };
const fields = [
  ...peopleFields,
  ...courseFields,
  ...(['certificates', 'includeApproved', 'includeAwaitingApproval', 'includeWorkingTowards', 'includeOutstanding'] as const),
] as const satisfies readonly ReportField[];

export const certificateReport = report({
  ...{ id: 'certificate', path: '/reports/certificate', ours: true, access: ['certificate.user'], fileName: 'certificates', fields },
  title: () => 'Certificate report',
  summary:
    'The certificates of the people that the filter means: the newest of each course, those awaiting approval, those worked towards, and those outstanding, where somebody is to do a course and nothing counts yet.',
  filter: ReportFilter,
  describe: (filter, names = null) => describeFilter(filter, fields, names),
  row: ReportedCertificate,
  sort: 'name',
  columns: [
    { head: 'Name', type: 'text', width: 28, sort: 'name', value: (r) => r.user.name },
    { head: 'Organisation', type: 'text', width: 26, sort: 'place', value: (r) => r.place },
    { head: 'Job role', type: 'text', width: 22, optional: true, value: (r) => r.role },
    { head: 'Course', type: 'text', width: 32, sort: 'course', value: (r) => r.course.name },
    { head: 'State', type: 'text', width: 18, sort: 'state', tones, value: (r) => certificateStates[r.state] },
    { head: 'Completed', type: 'day', width: 14, sort: 'completed', value: (r) => r.completed_at },
    { head: 'Expires', type: 'day', width: 14, sort: 'expires', value: (r) => r.expires_at },
    { head: 'Number', type: 'text', width: 18, optional: true, value: (r) => r.certificate_number },
  ],
});
