import { percentOf } from '#contract/rules/percent.ts';
import { plainFilter, type ReportFilter } from '#contract/reports/filter.ts';
import { type Read, useReadOf } from '#src/screens/use-read.ts';
import { call } from '#src/api/call.ts';
import type { ComplianceReport } from '#contract/entities/compliance-report.ts';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import { filterIn, matrixFilterOf } from '#src/lib/report-filter.ts';

/** The earliest month that can be chosen, in months before this one. */
export const monthChoices = [3, 6, 12, 24] as const;
/** The parts of a compliance report's view that are in the address. */
export type ReportView = {
  /** The values of the filter panel, and the query of this report. */
  panel: ReportFilter;
  filter: MatrixFilter;
  previousMonths: number;
  /** The month of the heat map; absent for the latest. */
  month: string | undefined;
  /** What the lines and rows represent. */
  of: 'entities' | 'courses';
};
export const viewIn = (query: URLSearchParams): ReportView => {
  const panel = filterIn(query);
  const month = query.get('month') ?? '';
  return {
    ...{ panel, filter: matrixFilterOf(panel) },
    previousMonths: monthChoices.find((n) => n === panel.previousMonths) ?? plainFilter.previousMonths,
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    of: query.get('of') === 'courses' ? 'courses' : 'entities',
  };
};

/** The query of its files and e-mails. */
export const askedOf = ({ filter, previousMonths }: ReportView) => ({ ...filter, previousMonths });

/** The error code of a report that would take too long. */
export const tooLarge = 'report_too_large';
/** The compliance report of a view; polled while the server computes it. */
export const useComplianceReport = ({ filter, previousMonths: n, month }: ReportView): Read<ComplianceReport> =>
  useReadOf(
    ['POST /reports/compliance', filter, n, month],
    async (signal) => {
      const answer = await call('POST /reports/compliance', { body: { ...filter, previousMonths: n, ...(month ? { month } : {}) } }, { signal });
      if (answer.kind !== 'refused' || answer.error.code === tooLarge) return answer;
      return { ...answer, error: { ...answer.error, message: `The compliance report failed to load. ${answer.error.message}` } };
    },
    { keepShown: 'same' },
  );

/** The filter in words, for a printed page. */
export const chosenWords = ({ chosen }: ComplianceReport, { filter }: ReportView, kinds: { primary: string; secondary: string }): string => {
  const type = filter.compliance_type === 'all' ? `${kinds.primary} and ${kinds.secondary}` : kinds[filter.compliance_type];
  const starters = { include_new_starters: [], exclude_new_starters: ['without new starters'], new_starters_only: ['new starters only'] };
  const named = [chosen.entities, chosen.roles, chosen.tags, chosen.users, chosen.courses].map((all) => all.map((one) => one.name).join(', '));
  return [type, ...named, ...starters[filter.new_starters_filter]].filter(Boolean).join('; ');
};

/** In whole per cent; null if nothing was due. */
export const scoreOf = (inDate = 0, required = 0): number | null => percentOf(inDate, required);
