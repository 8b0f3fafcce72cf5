import { sessionUseReport } from '#contract/reports/training.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconChart } from '#src/ui/icons.tsx';

/** How sessions are used, by provider, venue and course. */
export const Component = () => (
  <FilteredReport
    report={sessionUseReport}
    words={{
      ...{ one: 'a provider, venue or course', many: 'rows', looksAt: 'Provider, venue or course', none: 'No training sessions in this period' },
      first: 'Choose another period, or fewer conditions.',
    }}
    icon={<IconChart size={36} />}
    to={(row) => `${pathTo('training-sessions')}?${new URLSearchParams({ search: row.venue, filter: 'all' })}`}
  />
);
