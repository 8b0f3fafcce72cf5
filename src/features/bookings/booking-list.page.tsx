import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { BookingRow } from '#contract/entities/booking.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { bookingWords } from '#src/features/bookings/words.ts';
import { nearDay } from '#src/device/near-day.ts';
import { countOf, formatDay } from '#src/lib/format.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconCalendar } from '#src/ui/icons.tsx';

const filters = [
  { value: '', label: 'All' },
  { value: 'requested', label: 'To approve' },
  { value: 'coming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'declined', label: 'Declined' },
] as const;
const queryOf = (filter: string) =>
  filter === 'coming' || filter === 'past'
    ? ({ when: filter, state: 'confirmed' } as const)
    : filter === 'requested' || filter === 'cancelled' || filter === 'declined'
      ? ({ state: filter } as const)
      : {};
const load: LoadPage<BookingRow, (typeof sorts.bookings)[number]> = ({ filter, ...query }, signal) =>
  call('GET /bookings', { query: { ...query, ...queryOf(filter) } }, { signal });

const peopleWords = ({ people, waiting }: BookingRow) => `${countOf(people, 'person', 'people')}${waiting > 0 ? `, ${waiting} waiting` : ''}`;
const columns: readonly Column<BookingRow>[] = [
  { id: 'reference', header: 'Reference', sort: 'reference', width: 170, grow: 0.4, value: (b) => b.reference },
  { id: 'courses', header: 'Training', width: 200, grow: 1.4, value: (b) => b.courses.join(', ') },
  {
    ...{ id: 'first_on', header: 'First session', sort: 'first_on', width: 130, grow: 0.5 },
    value: (b) => `${nearDay(b.first_on)}${b.sessions > 1 ? `, ${b.sessions} sessions` : ''}`,
  },
  { id: 'people', header: 'People', width: 100, grow: 0.4, value: peopleWords },
  { id: 'client', header: 'For', sort: 'client', width: 170, value: (b) => b.client.name },
  { id: 'provider', header: 'Provider', sort: 'provider', width: 170, value: (b) => b.provider.name },
  {
    id: 'created_at',
    header: 'Made',
    sort: 'created_at',
    width: 180,
    grow: 0.5,
    optional: true,
    value: (b) => `${formatDay(b.created_at)}, ${b.created_by.name}`,
  },
  {
    ...{ id: 'state', header: 'Status', width: 180, grow: 0.4, keep: true },
    value: (b) => bookingWords[b.state].words,
    cell: (b) => <Badge tone={bookingWords[b.state].tone}>{bookingWords[b.state].words}</Badge>,
  },
];

/** The bookings that the user made, and those for or with the user's organisation. */
export const Component = () => {
  const user = useSession();
  const list = useList(['bookings'], load, { sortedBy: sorts.bookings });
  const mayRequest = can(user, needOf('manage-bookings-create'));
  return (
    <ListPage
      words={{
        ...{ title: 'Bookings', one: 'a booking', many: 'bookings', looksAt: 'Reference, training, person or organisation' },
        ...{ none: 'There are no bookings yet', failed: 'The bookings could not be loaded.' },
        first: mayRequest
          ? 'Book places on a training session for your people. They and the trainer get a message.'
          : 'Bookings that you may see appear here.',
      }}
      list={list}
      icon={<IconCalendar size={36} />}
      filters={filters}
      add={
        <>
          {can(user, needOf('manage-bookings-calendar')) && (
            <Button variant="default" component={Link} to={pathTo('manage-bookings-calendar')}>
              Calendar
            </Button>
          )}
          {mayRequest && (
            <Button component={Link} to={pathTo('manage-bookings-create')}>
              {can(user, 'booking.create') ? 'Book places' : 'Request places'}
            </Button>
          )}
        </>
      }
      columns={columns}
      to={(row) => pathTo('manage-bookings-by-id', { id: row.id })}
    />
  );
};
