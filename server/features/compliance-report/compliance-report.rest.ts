import type { complianceReportEndpoints } from '#contract/api/compliance-report.ts';
import { complianceRowsReport } from '#contract/reports/compliance.ts';
import { protocol } from '#contract/protocol.ts';
import { complianceReportsOf } from '#server/features/compliance-report/compliance-report.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

const elsewhere = (path: string) => ({
  ...{ file: Buffer.alloc(0), type: 'text/plain', status: 307 },
  headers: { Location: `${protocol.apiPrefix}${complianceRowsReport.path}${path}` },
});
const counting = { data: [], status: 202 };

export const complianceReportHandlers = (services: Services): HandlersOf<typeof complianceReportEndpoints> => {
  const reports = complianceReportsOf(services);
  return {
    complianceReport: async ({ body: { month, directFormat, emailFormat, ...filter }, actor }) => {
      // The files have the rows' filter: the same request is sent there.
      if (emailFormat) return elsewhere('');
      if (directFormat) return elsewhere(`/file?format=${directFormat}`);
      const { data, ready } = await reports.of(actor, filter, month);
      return { data, status: ready ? 200 : 202 };
    },
    complianceCourses: async ({ actor }) => ({ data: await reports.courses(actor) }),
    drillDownTags: async ({ query, actor }) => ({ data: await reports.tags(actor, query) }),
    drillDownEntities: async ({ query, actor }) => {
      const data = await reports.entities(actor, query);
      return data ? { data } : counting;
    },
    drillDownRoles: async ({ params, query, actor }) => {
      const data = await reports.roles(actor, params.x, query);
      return data ? { data } : counting;
    },
    drillDownUsers: ({ params, query, actor }) => reports.users(actor, params, query),
  };
};
