import { trainingMonthsReport } from '#contract/reports/training.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconCalendar } from '#src/ui/icons.tsx';

const lastDay = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

/** What each organisation bought from each provider in each month. A row links to the sessions of its month. */
export const Component = () => (
  <FilteredReport
    report={trainingMonthsReport}
    words={{
      ...{ one: 'a month', many: 'months', looksAt: 'Provider or organisation', none: 'There was no training in this period' },
      first: 'Choose another period, or fewer conditions.',
    }}
    icon={<IconCalendar size={36} />}
    to={({ month, entity }) =>
      `${pathTo('reports-training-sessions')}?${new URLSearchParams({ from_date: `${month}-01`, to_date: lastDay(month), entities: entity.id })}`
    }
  />
);
