import { complianceNumbers, type ComplianceReport } from '#contract/entities/compliance-report.ts';
import { requirementWords, starterWords } from '#contract/matrix/words.ts';
import { scoreOf } from '#contract/matrix/scores.ts';
import type { ComplianceLine, complianceRowsReport } from '#contract/reports/compliance.ts';
import { complianceReportsOf } from '#server/features/compliance-report/compliance-report.service.ts';
import { readable } from '#server/reports/cells.ts';
import type { OpenedSource } from '#server/reports/report-source.ts';
import type { TableCell, TableColumn } from '#server/reports/report-table.ts';

const rowsInPiece = 200;
const named = 5;
const monthNames = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
/** Nov 2026; with * where the month was counted afterwards. */
const headOf = ({ month, source }: ComplianceReport['months'][number]): string =>
  `${monthNames.format(new Date(`${month}-01T00:00:00Z`))}${source === 'computed' ? '*' : ''}`;
const percent = (head: string): TableColumn => ({ head, type: 'percent', width: 10 });

/** The compliance report as rows, for its pages and files, with the same figures as the screen. */
export const complianceSource: OpenedSource<typeof complianceRowsReport> = {
  open: async (services, actor, filter, search, patient) => {
    const { months, courses, entities, chosen } = await complianceReportsOf(services).whole(actor, filter, patient);
    const words = search?.trim().toLowerCase() ?? '';
    const rows = entities.filter((e) => e.name.toLowerCase().includes(words));
    const scores = ({ required, in_date }: { required: readonly number[]; in_date: readonly number[] }) =>
      months.map((_, i) => scoreOf({ required: required[i] ?? 0, in_date: in_date[i] ?? 0 }));
    const now = months.length - 1;
    const before = months.slice(0, -1).map((m) => percent(headOf(m)));
    const lineOf = (e: (typeof rows)[number]): ComplianceLine => {
      const own = scores(e);
      return { id: e.id, name: e.name, required: e.required[now] ?? 0, in_date: e.in_date[now] ?? 0, score: own[now] ?? null, months: own };
    };
    const lists = [chosen.entities, chosen.roles, chosen.tags, chosen.users, chosen.courses];
    const isComputed = months.some((m) => m.source === 'computed');
    const descriptions = [
      requirementWords[filter.compliance_type],
      ...lists.filter((l) => l.length > 0).map((l) => [...l.slice(0, named).map((one) => one.name), ...(l.length > named ? ['…'] : [])].join(', ')),
      starterWords[filter.new_starters_filter],
      ...(isComputed ? ['* counted afterwards from the training records'] : []),
    ];
    const today = months.at(-1);
    const due = today ? today.asked - today.starter : 0;
    const all: TableCell[] = [
      'All',
      due,
      today ? today.in_date + today.expiring : 0,
      today?.score ?? null,
      ...months.slice(0, -1).map((m) => m.score),
    ];
    return {
      ...{ total: rows.length, cells: rows.length * (before.length + 4), sheet: 'Organisations', chosen: descriptions.join('; '), columns: before },
      meta: { months: months.map(({ month, source, score }) => ({ month, source, score })) },
      page: async ({ page, per_page }) => rows.slice((page - 1) * per_page, page * per_page).map(lineOf),
      pieces: async function* () {
        for (let from = 0; from < rows.length; from += rowsInPiece)
          yield rows.slice(from, from + rowsInPiece).map((e): TableCell[] => {
            const line = lineOf(e);
            return [readable(line.name), line.required, line.in_date, line.score, ...line.months.slice(0, -1)];
          });
      },
      sums: () => ({
        foot: words ? [] : all,
        sheets: [
          {
            name: 'Courses',
            columns: [{ head: 'Course', type: 'text', width: 40 }, ...months.map((m, i) => percent(i === now ? 'Now' : headOf(m)))],
            rows: courses.map((c) => [readable(c.title), ...scores(c)]),
          },
          {
            name: 'Courses now',
            columns: [{ head: 'Organisation', type: 'text', width: 28 }, ...courses.map((c) => percent(readable(c.title)))],
            rows: rows.map((e) => [
              readable(e.name),
              ...courses.map((_, i) => scoreOf({ required: e.course_required[i] ?? 0, in_date: e.course_in_date[i] ?? 0 })),
            ]),
          },
          {
            name: 'Months',
            columns: [
              { head: 'Month', type: 'text', width: 14 },
              { head: 'Known', type: 'text', width: 14 },
              ...complianceNumbers.map((name): TableColumn => ({ head: numberWords[name], type: 'number', width: 14 })),
              percent('In date %'),
            ],
            rows: months.map((m) => [headOf(m), m.source, ...complianceNumbers.map((name) => m[name]), m.score]),
          },
        ],
      }),
    };
  },
};
const numberWords: Record<(typeof complianceNumbers)[number], string> = {
  ...{ asked: 'Required', in_date: 'In date', expiring: 'Expires soon', expired: 'Expired', missing: 'Missing', starter: 'New starter' },
  exempt: 'Of these exempt',
};
