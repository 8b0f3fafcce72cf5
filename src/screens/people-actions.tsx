import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import { sendReminder } from '#contract/api/messages.ts';
import { can } from '#contract/can.ts';
import { reminderLimits } from '#contract/entities/message.ts';
import { resultLimits } from '#contract/entities/result.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { bookingPath, mostToBook } from '#src/screens/booking-path.ts';
import { askToRemind } from '#src/screens/remind.ts';
import { messagePeople } from '#src/screens/message-people.ts';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';

type Somebody = { id: string; name: string };
type Ways = 'results-historical-create' | 'results-exempt-create';
const resultPath = (page: Ways, people: readonly string[], courses: readonly string[]) =>
  `${pathTo(page)}?${new URLSearchParams({ people: people.join(','), ...(courses.length > 0 ? { courses: [...new Set(courses)].join(',') } : {}) })}`;

type Opens = {
  label: string;
  most: number;
  path: (people: readonly string[], courses: readonly string[]) => string;
  /** Also for those to whom nothing else applies: what leavers did is recorded late. */
  isLate?: true;
};
/** The forms that somebody may open for other people, in the order in which they are offered everywhere. */
const formsFor = (me: AuthUser | null): Opens[] => [
  ...(can(me, needOf('manage-bookings-create'))
    ? [{ label: 'Book on a session', most: mostToBook, path: (people: readonly string[]) => bookingPath(people) }]
    : []),
  ...(can(me, needOf('results-historical-create'))
    ? (
        [
          ['Record training', 'results-historical-create'],
          ['Exempt', 'results-exempt-create'],
        ] as const
      ).map(([label, page]) => ({
        label,
        most: resultLimits.atOnce,
        ...(page === 'results-historical-create' ? { isLate: true as const } : {}),
        path: (people: readonly string[], courses: readonly string[]) => resultPath(page, people, courses),
      }))
    : []),
];

type Options<P> = {
  /** To whom they apply; default: everybody. */
  fits?: (person: P) => boolean;
  /** The courses with which the forms that record results begin. */
  courses?: (people: readonly P[]) => readonly string[];
};
/** What can be done for selected people, wherever people are listed: write to them, remind them, book them, record training, exempt them. */
export const usePeopleActions = <P extends Somebody>({ fits = () => true, courses = () => [] }: Options<P> = {}): BulkAction<P>[] => {
  const me = useSession();
  const db = usePersonDb();
  const navigate = useNavigate();
  return [
    ...(me && can(me, needOf('messages')) ? [messagePeople<P>(db, me, fits)] : []),
    ...(me && can(me, sendReminder.access)
      ? [{ label: 'Remind', most: reminderLimits.people, fits: (p: P) => fits(p) && p.id !== me.uuid, open: askToRemind }]
      : []),
    ...formsFor(me).map(({ label, most, path, isLate }) => ({
      ...{ label, most, fits: isLate ? () => true : fits },
      open: (people: readonly P[]) =>
        void navigate(
          path(
            people.map((p) => p.id),
            courses(people),
          ),
        ),
    })),
  ];
};

/** The same for one person, on their page. */
export const PersonActions = ({ person }: { person: Somebody }) => {
  const me = useSession();
  const isOther = person.id !== me?.uuid;
  return (
    <>
      {isOther && can(me, needOf('messages')) && (
        <Button variant="default" component={Link} to={`${pathTo('messages')}?with=${person.id}`}>
          Message
        </Button>
      )}
      {isOther && can(me, sendReminder.access) && (
        <Button variant="default" onClick={() => askToRemind([person])}>
          Remind
        </Button>
      )}
      {formsFor(me).map(({ label, path }) => (
        <Button key={label} variant="default" component={Link} to={path([person.id], [])}>
          {label}
        </Button>
      ))}
    </>
  );
};
