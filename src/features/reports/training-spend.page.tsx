import { trainingSpendReport } from '#contract/reports/training.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconBasket } from '#src/ui/icons.tsx';

/** What was ordered and booked from which provider in which month, by invoice line. */
export const Component = () => (
  <FilteredReport
    report={trainingSpendReport}
    words={{
      ...{ one: 'a line', many: 'invoice lines', looksAt: 'Order, booking, item or organisation', none: 'Nothing was spent in this period' },
      first: 'Orders appear here from when they are approved, booked sessions from when they were held.',
    }}
    icon={<IconBasket size={36} />}
    to={({ order_id, booking_id }) =>
      order_id ? pathTo('training-orders-by-id', { id: order_id }) : pathTo('manage-bookings-by-id', { id: booking_id ?? '' })
    }
  />
);
