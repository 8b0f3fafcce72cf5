import { trainingSpendReport } from '#contract/reports/training.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconBasket } from '#src/ui/icons.tsx';

/** What was ordered of whom in which month, by the lines of the invoices. */
export const Component = () => (
  <FilteredReport
    report={trainingSpendReport}
    words={{
      ...{ one: 'an order', many: 'invoice lines', looksAt: 'Order, item or organisation', none: 'Nothing was spent in this period' },
      first: 'Orders appear here from when they are approved.',
    }}
    icon={<IconBasket size={36} />}
    to={(row) => pathTo('training-orders-by-id', { id: row.order_id })}
  />
);
