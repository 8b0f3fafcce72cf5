import type { ReactNode } from 'react';
import { plainFilter, type ReportFilter as Filter } from '#contract/reports/filter.ts';
import type { FilterOf, Report, RowOf } from '#contract/reports/report.ts';
import { filterIn, saidOf } from '#src/lib/report-filter.ts';
import { ReportFilter } from '#src/screens/report-filter.tsx';
import { ReportPage } from '#src/screens/report-page.tsx';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';

type Props<R extends Report> = {
  report: R;
  words: { one: string; many: string; looksAt: string; none: string; first: string };
  icon: ReactNode;
  /** Further parameters beside the filter. */
  more?: object;
  to: (row: RowOf<R>) => string;
  bulk?: readonly BulkAction<RowOf<R> & { id: string }>[];
  /** Filters of this report in the panel, beside the common ones. */
  own?: (filter: Filter, change: (to: Filter) => void) => ReactNode;
};

/** A report with the common filter. */
export const FilteredReport = <R extends Report>({ report, more, own, ...page }: Props<R>) => {
  const fields = report.fields ?? [];
  return (
    <ReportPage
      report={report}
      {...page}
      choices={fields}
      filterOf={(chosen) => ({ ...filterIn(new URLSearchParams(chosen as Record<string, string>)), ...more }) as FilterOf<R>}
      chosenOf={(filter) => saidOf({ ...plainFilter, ...(filter as Partial<Filter>) })}
      filters={(shown, choose, saved) => {
        const filter = filterIn(new URLSearchParams(saidOf(shown as Filter)));
        const change = (to: Filter) => choose(saidOf(to));
        return (
          <ReportFilter filter={filter} fields={fields} statuses={report.statuses ?? []} onChange={change} saved={saved}>
            {own?.(filter, change)}
          </ReportFilter>
        );
      }}
    />
  );
};
