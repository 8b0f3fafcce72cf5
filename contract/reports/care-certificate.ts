import * as z from 'zod/mini';
import { CertificateRow } from '#contract/entities/care-certificate.ts';
import { report } from '#contract/reports/report.ts';

/** Which certificates a report includes, with labels. Source: the four booleans of the specification's certificates filter. */
export const careReportStates = {
  includeApproved: 'Approved',
  includeAwaitingApproval: 'Awaiting approval',
  includeWorkingTowards: 'Working towards',
  includeOutstanding: 'Nothing recorded yet',
} as const;
export type CareReportState = keyof typeof careReportStates;
export const careReportStateNames = Object.keys(careReportStates) as CareReportState[];

export const CareReportFilter = z.strictObject({
  includeApproved: z._default(z.boolean(), true),
  includeAwaitingApproval: z._default(z.boolean(), true),
  includeOutstanding: z._default(z.boolean(), true),
  includeWorkingTowards: z._default(z.boolean(), true),
});
export type CareReportFilter = z.infer<typeof CareReportFilter>;

export const careCertificateReport = report({
  id: 'care-certificate',
  path: '/reports/care-certificate',
  ours: true,
  access: ['care_certificate.report'],
  title: (brand) => `${brand.certificateGroupMenuName}: report`,
  fileName: 'care certificates',
  summary:
    'The care certificates of the people one may see: approved, awaiting approval, outstanding (nothing recorded yet) and worked towards, as chosen.',
  filter: CareReportFilter,
  describe: (filter) =>
    careReportStateNames
      .filter((name) => filter[name])
      .map((name) => careReportStates[name])
      .join(', '),
  row: CertificateRow,
  columns: [
    { head: 'Name', type: 'text', width: 28, value: (r) => r.user.name },
    { head: 'Job role', type: 'text', width: 22, value: (r) => r.role },
    { head: 'Service', type: 'text', width: 26, value: (r) => r.place },
    { head: 'Assigned', type: 'day', width: 14, value: (r) => r.assigned_at },
    { head: 'Standards met', type: 'number', width: 16, value: (r) => r.standards_met },
    { head: 'Standards in all', type: 'number', width: 16, optional: true, value: (r) => r.standards_of },
    { head: 'Criteria met', type: 'number', width: 14, value: (r) => r.met },
    { head: 'Criteria in all', type: 'number', width: 14, optional: true, value: (r) => r.of },
    { head: 'Last observed', type: 'day', width: 16, value: (r) => r.last_observed_at },
    {
      ...{ head: 'State', type: 'text', width: 22 },
      value: (r) =>
        r.approved_at
          ? 'Approved'
          : r.waiting
            ? 'Awaiting approval'
            : r.approval_ended
              ? 'Approval ended'
              : r.last_observed_at
                ? 'In progress'
                : 'Nothing recorded yet',
    },
    { head: 'Approved', type: 'day', width: 14, optional: true, value: (r) => r.approved_at },
  ],
});
