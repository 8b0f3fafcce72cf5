import '@mantine/core/styles/Combobox.css';
import { ActionIcon, Button, Select, Title } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { mostShown } from '#contract/api/manage-bookings.ts';
import { can } from '#contract/can.ts';
import type { CalendarSession } from '#contract/entities/booking.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { type CalendarView, calendarViews, daysOf, turned } from '#src/features/bookings/calendar-days.ts';
import classes from '#src/features/bookings/calendar.module.css';
import { dayWords, freeWords, today, whereWords } from '#src/features/bookings/words.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { EmptyState } from '#src/ui/states.tsx';

/** Where there is no room for seven columns, the days stand below each other. */
const narrow = window.matchMedia('(max-width: 767px)');
const watchRoom = (onChange: () => void) => {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
};
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const inCell = 3;
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const at = (day: string) => Date.parse(`${day}T00:00:00Z`);

const filters = [
  ['course', 'Training', (s: CalendarSession) => s.course.name],
  ['trainer', 'Trainer', (s: CalendarSession) => s.trainer.name],
  ['venue', 'Venue', (s: CalendarSession) => s.venue],
  ['organisation', 'Organisation', (s: CalendarSession) => s.provider.name],
] as const;

const stateOf = (s: CalendarSession): { words: string; tone: Tone } =>
  s.cancelled
    ? { words: 'Cancelled', tone: 'danger' }
    : s.open && s.minDelegates !== null && s.taken < s.minDelegates
      ? { words: `At risk: ${s.taken} of at least ${s.minDelegates}`, tone: 'warning' }
      : s.free === 0
        ? { words: 'Full', tone: 'warning' }
        : { words: freeWords(s), tone: 'ok' };

/** Where a session leads: to its register, or to a booking of places on it. */
const usePathOf = () => {
  const user = useSession();
  return (s: CalendarSession): string | null =>
    s.register
      ? pathTo('training-sessions-by-id', { id: s.id })
      : s.open && can(user, needOf('manage-bookings-create'))
        ? `${pathTo('manage-bookings-create')}?${new URLSearchParams({ session: s.id, course: s.course.id })}`
        : null;
};

/** A session in a cell of the grid. */
const Entry = ({ session }: { session: CalendarSession }) => {
  const to = usePathOf()(session);
  const state = stateOf(session);
  const words = (
    <>
      <span className={classes.time}>{session.startTime}</span> {session.course.name}
      <small>{state.words}</small>
    </>
  );
  return to ? (
    <Link className={classes.entry} data-tone={state.tone} to={to}>
      {words}
    </Link>
  ) : (
    <span className={classes.entry} data-tone={state.tone}>
      {words}
    </span>
  );
};

type GridProps = { days: readonly string[]; month: string | null; sessions: ReadonlyMap<string, CalendarSession[]>; onDay: (day: string) => void };
const Grid = ({ days, month, sessions, onDay }: GridProps) => (
  <table className={classes.grid}>
    <thead>
      <tr>
        {weekdays.map((name) => (
          <th key={name} scope="col">
            <span aria-hidden>{name.slice(0, 3)}</span>
            <span className="visually-hidden">{name}</span>
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7)).map((week) => (
        <tr key={week[0]}>
          {week.map((day) => {
            const found = sessions.get(day) ?? [];
            const shown = month === null ? found : found.slice(0, inCell);
            return (
              <td key={day} data-other={(month !== null && !day.startsWith(month)) || undefined} data-today={day === today() || undefined}>
                <span className={classes.day} title={dayName.format(at(day))}>
                  {Number(day.slice(8))}
                </span>
                {shown.map((s) => (
                  <Entry key={s.id} session={s} />
                ))}
                {found.length > shown.length && (
                  <button type="button" className={classes.more} onClick={() => onDay(day)}>
                    {found.length - shown.length} more
                  </button>
                )}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);

const Agenda = ({ days, sessions }: Pick<GridProps, 'days' | 'sessions'>) => {
  const pathOf = usePathOf();
  return days
    .filter((day) => sessions.has(day))
    .map((day) => (
      <section key={day} className={`app-card ${layout.block}`} aria-label={dayName.format(at(day))}>
        <Title order={2} size="h4">
          {dayWords(day) === 'Today' || dayWords(day) === 'Tomorrow' ? `${dayWords(day)}, ` : ''}
          {dayName.format(at(day))}
        </Title>
        <ul className={classes.agenda}>
          {(sessions.get(day) ?? []).map((s) => {
            const to = pathOf(s);
            return (
              <li key={s.id}>
                <span className={classes.time}>
                  {s.startTime} to {s.endTime}
                </span>
                <span>
                  <strong>{to ? <Link to={to}>{s.course.name}</Link> : s.course.name}</strong>
                  <small className={layout.soft}>
                    {[whereWords(s), s.trainer.name, s.provider.name, s.own > 0 && `${s.own} of yours`].filter(Boolean).join(' · ')}
                  </small>
                </span>
                <Badge tone={stateOf(s).tone}>{stateOf(s).words}</Badge>
              </li>
            );
          })}
        </ul>
      </section>
    ));
};

/** The sessions that one runs or can book, by month, by week or one after the other. What is shown stands in the address. */
export const Component = () => {
  const user = useSession();
  const [query, setQuery] = useSearchParams();
  const small = useSyncExternalStore(watchRoom, () => narrow.matches);
  const asked = calendarViews.find((v) => v === query.get('view')) ?? 'month';
  const view: CalendarView = small ? 'agenda' : asked;
  const given = query.get('day') ?? '';
  const day = /^20\d\d-\d\d-\d\d$/.test(given) && !Number.isNaN(at(given)) ? given : today();
  const days = daysOf(view, day);
  const [from, until] = [days[0] as string, days.at(-1) as string];
  const { state, retry } = useReadOf(
    ['booking calendar', from, until],
    (signal) => call('GET /bookings/calendar', { query: { from, until } }, { signal }),
    { keepShown: true },
  );
  const show = (to: Record<string, string | null>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(to))
      if (value) next.set(name, value);
      else next.delete(name);
    setQuery(next, { replace: true });
  };
  const all = state.kind === 'here' ? state.thing : [];
  const found = all.filter((s) => filters.every(([name, , of]) => !query.get(name) || of(s) === query.get(name)));
  const sessions = Map.groupBy(found, (s) => s.date);
  const title = view === 'month' ? monthName.format(at(day)) : `${dayName.format(at(from))} to ${dayName.format(at(until))}`;
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Booking calendar
        </Title>
        <div className={layout.tools}>
          <Button variant="default" component={Link} to={pathTo('manage-bookings')}>
            All bookings
          </Button>
          {can(user, needOf('manage-bookings-create')) && (
            <Button component={Link} to={pathTo('manage-bookings-create')}>
              {can(user, 'booking.create') ? 'Book places' : 'Ask for places'}
            </Button>
          )}
        </div>
      </div>
      <div className={layout.controls}>
        <div className={layout.tools}>
          <ActionIcon variant="default" size={44} aria-label="Earlier" onClick={() => show({ day: turned(view, day, -1) })}>
            <IconChevronLeft size={22} />
          </ActionIcon>
          <Button variant="default" onClick={() => show({ day: null })}>
            Today
          </Button>
          <ActionIcon variant="default" size={44} aria-label="Later" onClick={() => show({ day: turned(view, day, 1) })}>
            <IconChevronRight size={22} />
          </ActionIcon>
        </div>
        {!small && (
          <div>
            <Segmented
              aria-label="How it is shown"
              value={view}
              onChange={(to) => show({ view: to })}
              data={[
                { value: 'month', label: 'Month' },
                { value: 'week', label: 'Week' },
                { value: 'agenda', label: 'Agenda' },
              ]}
            />
          </div>
        )}
        {filters.map(([name, label, of]) => {
          const chosen = query.get(name);
          const names = [...new Set([...all.map(of), ...(chosen ? [chosen] : [])])].filter(Boolean).toSorted();
          return (
            <Select
              key={name}
              label={label}
              placeholder="All"
              clearable
              clearButtonProps={{ 'aria-label': `${label}: all` }}
              searchable
              data={names}
              value={chosen}
              onChange={(to) => show({ [name]: to })}
            />
          );
        })}
      </div>
      <Title order={2} size="h3" aria-live="polite">
        {title}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the calendar" offline="The booking calendar needs a connection." />
      {all.length >= mostShown && (
        <p className={layout.notice} data-tone="warning" role="status">
          Only the first {mostShown.toLocaleString('en-GB')} sessions are shown. Choose the week.
        </p>
      )}
      {state.kind === 'here' && view !== 'agenda' && (
        <Grid days={days} month={view === 'month' ? day.slice(0, 7) : null} sessions={sessions} onDay={(to) => show({ view: 'week', day: to })} />
      )}
      {state.kind === 'here' && view === 'agenda' && found.length > 0 && <Agenda days={days} sessions={sessions} />}
      {state.kind === 'here' && found.length === 0 && (
        <EmptyState icon={<IconCalendar size={36} />} title={all.length > 0 ? 'None of these' : 'No sessions in these days'}>
          {all.length > 0 ? 'Choose less, or look at other days.' : 'Look at earlier or later days.'}
        </EmptyState>
      )}
    </div>
  );
};
