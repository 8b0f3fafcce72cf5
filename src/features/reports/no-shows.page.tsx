import { noShowsReport } from '#contract/reports/training.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconPeople } from '#src/ui/icons.tsx';

/** Who had a place and did not attend. A row links to the booking, or to the person if there was none. */
export const Component = () => (
  <FilteredReport
    report={noShowsReport}
    words={{
      ...{ one: 'a person', many: 'no-shows', looksAt: 'Person, organisation, course or venue', none: 'Nobody stayed away in this period' },
      first: 'Choose another period, or fewer conditions.',
    }}
    icon={<IconPeople size={36} />}
    to={(row) => (row.booking_id ? pathTo('manage-bookings-by-id', { id: row.booking_id }) : pathTo('users-by-uuid', { uuid: row.user.id }))}
  />
);
