import { resultsReport } from '#contract/reports/results.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconHistory } from '#src/ui/icons.tsx';

/** Every result in a period. */
export const Component = () => (
  <FilteredReport
    report={resultsReport}
    words={{
      ...{ one: 'a result', many: 'results', looksAt: 'Name or course', none: 'No results in this period' },
      first: 'Choose another period, or fewer conditions.',
    }}
    icon={<IconHistory size={36} />}
    more={{ type: 'json' }}
    to={(row) => pathTo('results-by-id', { id: row.id })}
  />
);
