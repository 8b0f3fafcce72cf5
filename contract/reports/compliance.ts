import * as z from 'zod/mini';
import { ComplianceFilter, ComplianceQuestion } from '#contract/entities/compliance-report.ts';
import { Count, Id } from '#contract/entities/fields.ts';
import { requirementWords, starterWords } from '#contract/matrix/words.ts';
import { report } from '#contract/reports/report.ts';

const Score = z.nullable(z.int().check(z.gte(0), z.lte(100)));
/** An organisation as a row of the compliance report: how much is due now and in date, and its score in each month of `meta.months`. */
export const ComplianceLine = z.object({ id: Id, name: z.string(), required: Count, in_date: Count, score: Score, months: z.array(Score) });
export type ComplianceLine = z.infer<typeof ComplianceLine>;

/** The compliance report as rows, for pages and files (`server/features/compliance-report/compliance.report.ts` adds a column for each month). */
export const complianceRowsReport = report({
  id: 'compliance',
  path: '/reports/compliance/rows',
  page: '/reports/compliance',
  ours: true,
  access: ['report.compliance'],
  files: { pdf: ['report.compliance_pdf'], xlsx: ['report.compliance_excel'], csv: ['report.compliance_excel'] },
  title: () => 'Compliance report',
  fileName: 'compliance report',
  summary: 'The compliance report as rows: an organisation each, with how much of what was due was in date in each month.',
  filter: z.object({ ...ComplianceFilter.shape, entities: ComplianceQuestion.shape.entities }),
  describe: (filter) => [requirementWords[filter.compliance_type], starterWords[filter.new_starters_filter]].join('; '),
  row: ComplianceLine,
  columns: [
    { head: 'Organisation', type: 'text', width: 28, value: (r) => r.name },
    { head: 'Due now', type: 'number', width: 10, value: (r) => r.required },
    { head: 'In date now', type: 'number', width: 10, value: (r) => r.in_date },
    { head: 'Now', type: 'percent', width: 8, value: (r) => r.score },
  ],
});
