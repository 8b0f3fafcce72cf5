import { type ReactNode, useMemo } from 'react';
import type { FilterOf, Report, ReportColumn, RowOf } from '#contract/reports/report.ts';
import type { reports } from '#contract/reports/reports.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { type CallInput, call, type EndpointKey } from '#src/api/call.ts';
import { formatDay } from '#src/lib/format.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import { ReportFileButtons, ReportFileState, ReportMailButton } from '#src/screens/report-files.tsx';
import { PresetBar, presetParam } from '#src/screens/report-presets.tsx';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import type { Answer } from '#src/screens/use-read.ts';
import { useList } from '#src/screens/use-list.ts';
import { useReportFile } from '#src/screens/use-report-file.ts';
import { Badge } from '#src/ui/badge.tsx';
import layout from '#src/ui/page.module.css';

type Chosen = Partial<Record<string, string>>;

const columnsOf = <Row,>(columns: readonly ReportColumn<Row>[], cells: Partial<Record<string, (row: Row) => ReactNode>>): Column<Row>[] =>
  columns.map(({ head, type, width, optional, sort, tones, value }) => {
    const cell =
      cells[head] ??
      (tones &&
        ((row: Row) => {
          const word = value(row);
          return word === null ? '–' : <Badge tone={tones[word] ?? 'plain'}>{word}</Badge>;
        }));
    return {
      ...{
        id: head,
        header: head,
        width: cells[head] ? 220 : tones ? Math.max(124, width * 9) : Math.max(type === 'number' ? 100 : 124, width * 7),
        grow: type === 'text' ? 1 : 0.3,
      },
      value: (row) => {
        const cell = value(row);
        if (typeof cell === 'number' && type === 'percent') return `${cell} %`;
        if (typeof cell === 'number' && type === 'money') return moneyWords(cell);
        return type === 'day' && /^\d{4}-/.test(String(cell)) ? formatDay(String(cell)) : cell;
      },
      ...(['number', 'percent', 'money'].includes(type) ? { align: 'end' as const } : {}),
      ...(optional ? { optional } : {}),
      ...(sort ? { sort } : {}),
      ...(cell ? { cell, keep: true as const } : {}),
    };
  });

type Props<R extends Report> = {
  report: R;
  words: { one: string; many: string; looksAt: string; none: string; first: string };
  icon: ReactNode;
  /** The filter values in the address, and the filter that they result in. */
  choices: readonly string[];
  filterOf: (chosen: Chosen) => FilterOf<R>;
  /** The values that result in a filter. */
  chosenOf: (filter: FilterOf<R>) => Chosen;
  /** The filter panel, and where the saved views are in it. */
  filters: (filter: FilterOf<R>, choose: (chosen: Chosen) => void, saved: ReactNode) => ReactNode;
  /** The address to which a row leads. */
  to: (row: RowOf<R>) => string;
  /** How to show a status column, by its heading: it stays visible when there is little room. */
  cells?: Partial<Record<string, (row: RowOf<R>) => ReactNode>>;
  /** The bulk actions on selected rows. */
  bulk?: readonly BulkAction<RowOf<R> & { id: string }>[] | undefined;
};

/** A report of the contract: its filter, its rows in pages, and the whole report as a file. Needs a connection. */
export const ReportPage = <R extends Report>({ report, words, icon, choices, filterOf, chosenOf, filters, to, cells = {}, bulk }: Props<R>) => {
  const brand = useBrand();
  const list = useList<RowOf<R> & { id: string }, string>(
    ['report', report.id],
    // The next page is requested by sending the same filter to its link.
    async (query, signal, chosen) => {
      const key = `POST ${report.path}` as EndpointKey & `POST ${(typeof reports)[number]['path']}`;
      const body = filterOf(chosen) as unknown as CallInput<typeof key>['body'];
      return (await call(
        key,
        { query: { page: query.page, search: query.search, ...(query.sort ? { sort: query.sort } : {}) }, body },
        { signal },
      )) as Answer<(RowOf<R> & { id: string })[]>;
    },
    { narrowedBy: [...choices, presetParam], sortedBy: report.columns.flatMap((c) => c.sort ?? []) },
  );
  const columns = useMemo(() => columnsOf<RowOf<R>>(report.columns as readonly ReportColumn<RowOf<R>>[], cells), [report, cells]);
  const filter = filterOf(list.more);
  const file = useReportFile(report.path, filter as object, list.search, list.sort);
  return (
    <ListPage
      words={{ ...words, title: report.title(brand), failed: list.problem ?? texts.failedToFetchReport }}
      list={list}
      icon={icon}
      add={
        <div className={layout.tools}>
          <ReportFileButtons report={report} file={file} formats={['xlsx', 'csv', 'pdf']} />
          <ReportMailButton report={report} filter={filter as object} search={list.search} sort={list.sort} format="xlsx" />
        </div>
      }
      narrowing={
        <>
          {filters(
            filter,
            (chosen) => list.setMore({ ...chosen, ...(list.more[presetParam] ? { [presetParam]: list.more[presetParam] } : {}) }),
            <PresetBar
              report={report}
              filter={filter as object}
              plain={choices.every((name) => !list.more[name])}
              onApply={(to, preset) => list.setMore({ ...chosenOf(to as FilterOf<R>), [presetParam]: preset })}
            />,
          )}
          <ReportFileState file={file} />
        </>
      }
      columns={columns}
      to={to}
      exports={false}
      {...(bulk ? { bulk } : {})}
    />
  );
};
