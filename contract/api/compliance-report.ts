import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Ids, pageQuery } from '#contract/api/paging.ts';
import { ComplianceQuestion, ComplianceReport, DrillDownLine, Month } from '#contract/entities/compliance-report.ts';
import { Id } from '#contract/entities/fields.ts';
import { reportedTypes, starterFilters } from '#contract/reports/filter.ts';

const common = { access: ['report.compliance'], offline: 'online-only', costly: true } as const;
const errors = ['invalid_input', 'not_found', 'unauthenticated', 'forbidden', 'report_too_large'] as const;
const poll = 'Answers 202 while it is being counted: repeat the request after 5 s.';

export const complianceReport = endpoint({
  ...{ ...common, id: 'complianceReport', method: 'POST', path: '/reports/compliance', body: ComplianceQuestion, response: ComplianceReport },
  errors: [...errors, 'csrf_mismatch'],
  orFile: 'application/octet-stream',
  summary: `Returns how much of the required training was in date, by month, course and organisation: months that are over as they were then, this one as it is now; of chosen people or tags, the months that are stored with their people, with the tags of that time. With \`directFormat\` it sends the caller (307) to the file of \`POST /reports/compliance/rows/file\`, with \`emailFormat\` to \`POST /reports/compliance/rows\`, which has it e-mailed, however large it is. ${poll} 300 where it is too large, with the seconds that it would take.`,
});
export const complianceCourses = endpoint({
  ...{ ...common, id: 'complianceCourses', method: 'GET', path: '/reports/compliance/courses', errors: ['unauthenticated', 'forbidden'] },
  response: z.array(z.object({ id: Id, title: z.string(), short_title: z.string() })),
  summary: 'Lists the courses that a job role at one of the organisations that the caller sees, or above them, requires, by title.',
});

const drillDownQuery = {
  compliance_type: z._default(z.enum(reportedTypes), 'primary'),
  new_starters_filter: z._default(z.enum(starterFilters), 'include_new_starters'),
  courses: z.optional(Ids),
  /** Ours: as it was at the end of a past month, instead of now. */
  month: z.optional(Month),
};
const then = 'With `month` (ours), as it stood at the end of that month, which has to be over:';
const counted = `${then} the numbers that were counted of it, of which there are none before the organisation was counted first.`;
const workedOut = `${then} those who were counted, as they were counted. Where the month was counted before that was kept, worked out (\`worked_out\`) from the training records as they were known then, by what is required today and with the tags of today.`;
/** Only the organisation’s own people, without those of organisations below it. */
const ownOnly = { own: z.optional(z.literal('1')) };
export const drillDownTags = endpoint({
  ...{
    ...common,
    id: 'drillDownTags',
    method: 'GET',
    path: '/reports/drill-down/tags',
    query: z.object(drillDownQuery),
    response: z.array(DrillDownLine),
    errors,
  },
  summary: `Lists the tags with how the people who have them stand now, by name. 300 where they are too many people. ${workedOut}`,
});
export const drillDownEntities = endpoint({
  ...{ ...common, id: 'drillDownEntities', method: 'GET', path: '/reports/drill-down/entities', response: z.array(DrillDownLine), errors },
  query: z.object({ ...drillDownQuery, entity: z.optional(Id) }),
  summary: `Lists the organisations directly below one (\`entity\`; the caller’s own where it is not said, and for a super administrator those above which there is none) and that one without them, with how the people stand now there and below. ${counted} ${poll}`,
});
export const drillDownRoles = endpoint({
  ...{
    ...common,
    id: 'drillDownRoles',
    method: 'GET',
    path: '/reports/drill-down/{x}/roles',
    params: z.object({ x: Id }),
    query: z.object({ ...drillDownQuery, ...ownOnly }),
    errors,
  },
  response: z.array(DrillDownLine),
  summary: `Lists the first job roles of the people of an organisation and below it, or of those with a tag, with how they stand now. ${counted} Of a tag, worked out as for people. ${poll}`,
});
export const drillDownUsers = endpoint({
  ...{ ...common, id: 'drillDownUsers', method: 'GET', path: '/reports/drill-down/{x}/{y}/users', params: z.object({ x: Id, y: Id }), errors },
  ...{ query: z.object({ ...drillDownQuery, ...ownOnly, ...pageQuery }), response: z.array(DrillDownLine) },
  summary: `Lists the people of an organisation and below it, or with a tag, whose first job role it is, whom the caller may see: those with least in date first. A page at a time. ${workedOut} Who had not begun by then, or had left, is not listed.`,
});

export const complianceReportEndpoints = [
  complianceReport,
  complianceCourses,
  drillDownTags,
  drillDownEntities,
  drillDownRoles,
  drillDownUsers,
] as const;
