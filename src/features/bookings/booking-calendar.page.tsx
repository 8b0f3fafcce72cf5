import '@mantine/core/styles/Combobox.css';
import { ActionIcon, Button, Select, Title } from '@mantine/core';
import { useRef, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { mostShown } from '#contract/api/manage-bookings.ts';
import { can } from '#contract/can.ts';
import type { CalendarMonth, CalendarSession } from '#contract/entities/booking.ts';
import { Id } from '#contract/entities/fields.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { type CalendarView, calendarViews, daysOf, turnPage } from '#src/features/bookings/calendar-days.ts';
import classes from '#src/features/bookings/calendar.module.css';
import { MoveButton, MoveDialog, useDragDays, useMovable } from '#src/features/bookings/move-session.tsx';
import { freeWords, whereWords } from '#src/features/bookings/words.ts';
import { nearDay, today } from '#src/device/near-day.ts';
import { countOf } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useQuery } from '#src/screens/use-query.ts';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { EmptyState } from '#src/ui/states.tsx';

/** Screens without room for seven columns show the agenda only. */
const narrowScreen = window.matchMedia('(max-width: 767px)');
const watchWidth = (onChange: () => void) => {
  narrowScreen.addEventListener('change', onChange);
  return () => narrowScreen.removeEventListener('change', onChange);
};
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const shownPerDay = 3;
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

type NamedValue = { id: string; name: string };
type FilterName = 'course' | 'trainer' | 'venue' | 'provider';
/** The filters: parameter, label, and the value of a session. */
const filters: readonly [FilterName, label: string, valueIn: (s: CalendarSession) => NamedValue][] = [
  ['course', 'Training', (s) => s.course],
  ['trainer', 'Trainer', (s) => s.trainer],
  ['venue', 'Venue', (s) => ({ id: s.venue, name: s.venue })],
  ['provider', 'Organisation', (s) => s.provider],
];
/** The sessions by day (`sessions` may be only the first of `total`), and the options of the filters. */
type CalendarData = {
  days: ReadonlyMap<string, { total: number; sessions: readonly CalendarSession[] }>;
  choices: Readonly<Record<FilterName, readonly NamedValue[]>>;
  /** The chosen filter values with their names, as far as the server sends them. */
  named: readonly NamedValue[];
  /** The number of sessions in the answer, to compare with its limit. */
  read: number;
};
const ofMonth = ({ days, courses, trainers, providers, venues, chosen }: CalendarMonth): CalendarData => ({
  days: new Map(days.map(({ date, ...day }) => [date, day])),
  choices: { course: courses, trainer: trainers, provider: providers, venue: venues.map((v) => ({ id: v, name: v })) },
  named: chosen,
  read: 0,
});
const ofSessions = (all: readonly CalendarSession[], chosen: (name: FilterName) => string | null): CalendarData => {
  const matching = all.filter((s) => filters.every(([name, , valueIn]) => !chosen(name) || valueIn(s).id === chosen(name)));
  const choicesOf = (valueIn: (s: CalendarSession) => NamedValue) =>
    [...new Map(all.map((s) => [valueIn(s).id, valueIn(s)])).values()].filter(({ id }) => id).toSorted((a, b) => a.name.localeCompare(b.name));
  return {
    days: new Map([...Map.groupBy(matching, (s) => s.date)].map(([date, sessions]) => [date, { total: sessions.length, sessions }])),
    choices: Object.fromEntries(filters.map(([name, , valueIn]) => [name, choicesOf(valueIn)])) as unknown as CalendarData['choices'],
    named: [],
    read: all.length,
  };
};

const stateOf = (s: CalendarSession): { words: string; tone: Tone } =>
  s.cancelled
    ? { words: 'Cancelled', tone: 'danger' }
    : !s.open
      ? { words: `${countOf(s.taken, 'person', 'people')} on its list`, tone: 'plain' }
      : s.minDelegates !== null && s.taken < s.minDelegates
        ? { words: `At risk: ${s.taken} of at least ${s.minDelegates}`, tone: 'warning' }
        : s.free === 0
          ? { words: 'Full', tone: 'warning' }
          : { words: freeWords(s), tone: 'ok' };

/** The page that a session links to: its register, or the form that books places on it; null if neither. */
const usePathOf = () => {
  const user = useSession();
  return (s: CalendarSession): string | null =>
    s.register
      ? pathTo('training-sessions-by-id', { id: s.id })
      : s.open && can(user, needOf('manage-bookings-create'))
        ? `${pathTo('manage-bookings-create')}?${new URLSearchParams({ session: s.id, course: s.course.id })}`
        : null;
};

/** A session in a cell of the grid, linked to the path `to`. */
const Entry = ({ session, to, movable }: { session: CalendarSession; to: string | null; movable: boolean }) => {
  const state = stateOf(session);
  const words = (
    <>
      <span className={classes.time}>{session.startTime}</span> {session.course.name}
      <small>{state.words}</small>
    </>
  );
  if (!to)
    return (
      <span className={classes.entry} data-tone={state.tone}>
        {words}
      </span>
    );
  const link = (
    <Link className={classes.entry} data-tone={state.tone} draggable={movable ? false : undefined} to={to}>
      {words}
    </Link>
  );
  if (!movable) return link;
  return (
    <div className={classes.movable} data-session={session.id}>
      {link}
      <MoveButton session={session} drags />
    </div>
  );
};

type GridProps = { days: readonly string[]; month: string | null; shown: CalendarData['days']; onDay: (day: string) => void };
const Grid = ({ days, month, shown, onDay }: GridProps) => {
  const table = useRef<HTMLTableElement>(null);
  const pathOf = usePathOf();
  const movable = useMovable();
  useDragDays(
    table,
    [...shown.values()].some(({ sessions }) => sessions.some(movable)),
  );
  return (
    <table ref={table} className={classes.grid}>
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
              const { total, sessions } = shown.get(day) ?? { total: 0, sessions: [] };
              const first = month === null ? sessions : sessions.slice(0, shownPerDay);
              return (
                <td
                  key={day}
                  data-day={day}
                  data-other={(month !== null && !day.startsWith(month)) || undefined}
                  data-today={day === today() || undefined}
                >
                  <span className={classes.day} title={dayName.format(timeOf(day))}>
                    {Number(day.slice(8))}
                  </span>
                  {first.map((s) => (
                    <Entry key={s.id} session={s} to={pathOf(s)} movable={movable(s)} />
                  ))}
                  {total > first.length && (
                    <button type="button" className={`${shapes.press} ${classes.more}`} onClick={() => onDay(day)}>
                      {total - first.length} more
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
};

const Agenda = ({ days, shown }: Pick<GridProps, 'days' | 'shown'>) => {
  const pathOf = usePathOf();
  const movable = useMovable();
  return days
    .filter((day) => shown.has(day))
    .map((day) => (
      <section key={day} className={`app-card ${layout.block}`} aria-label={dayName.format(timeOf(day))}>
        <Title order={2} size="h4">
          {nearDay(day) === 'Today' || nearDay(day) === 'Tomorrow' ? `${nearDay(day)}, ` : ''}
          {dayName.format(timeOf(day))}
        </Title>
        <ul className={`${layout.lines} ${classes.agenda}`}>
          {(shown.get(day)?.sessions ?? []).map((s) => {
            const sessionPath = pathOf(s);
            return (
              <li key={s.id}>
                <span className={classes.time}>{timesWords(s)}</span>
                <span>
                  <strong>{sessionPath ? <Link to={sessionPath}>{s.course.name}</Link> : s.course.name}</strong>
                  <small className={layout.soft}>
                    {[whereWords(s), s.trainer.name, s.provider.name, s.own > 0 && `${s.own} of yours`].filter(Boolean).join(' · ')}
                  </small>
                </span>
                <span className={layout.tools}>
                  <Badge tone={stateOf(s).tone}>{stateOf(s).words}</Badge>
                  {movable(s) && <MoveButton session={s} />}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
    ));
};

/** The names of chosen filter values that occur in none of the loaded sessions. */
const useNames = (day: string, chosen: Readonly<Record<string, string>>) => {
  const isEmpty = Object.keys(chosen).length === 0;
  const { state } = useReadOf<readonly NamedValue[]>(['chosen in the calendar', JSON.stringify(chosen)], async (signal) => {
    if (isEmpty) return { kind: 'ok' as const, data: [] };
    const answer = await call('GET /bookings/calendar/month', { query: { from: day, until: day, per_day: 1, ...chosen } }, { signal, quiet: true });
    return answer.kind === 'ok' ? { ...answer, data: answer.data.chosen } : answer;
  });
  return state;
};

/** The sessions that the user's organisation runs or can book, by month, by week, or as an agenda. View, day and filters are in the address. */
export const Component = () => {
  const user = useSession();
  const [query, setQuery] = useQuery();
  const isNarrow = useSyncExternalStore(watchWidth, () => narrowScreen.matches);
  const wantedView = calendarViews.find((v) => v === query.get('view')) ?? 'month';
  const view: CalendarView = isNarrow ? 'agenda' : wantedView;
  const wantedDay = query.get('day') ?? '';
  const day = /^20\d\d-\d\d-\d\d$/.test(wantedDay) && !Number.isNaN(timeOf(wantedDay)) ? wantedDay : today();
  const names = useRef(new Map<string, string>());
  const days = daysOf(view, day);
  const [from, until] = [days[0] as string, days.at(-1) as string];
  const chosen = (name: FilterName) => {
    const value = query.get(name);
    return value && (name === 'venue' || Id.safeParse(value).success) ? value : null;
  };
  // Of a month only the first sessions of each day are loaded, so the server has to filter.
  const month = view === 'month';
  const serverFilter = month ? Object.fromEntries(filters.flatMap(([name]) => (chosen(name) ? [[name, chosen(name) as string]] : []))) : {};
  const { state, retry } = useReadOf(
    ['booking calendar', from, until, month, JSON.stringify(serverFilter)],
    async (signal): Promise<Answer<CalendarMonth | readonly CalendarSession[]>> =>
      month
        ? call('GET /bookings/calendar/month', { query: { from, until, per_day: shownPerDay, ...serverFilter } }, { signal })
        : call('GET /bookings/calendar', { query: { from, until } }, { signal }),
    { keepShown: true },
  );
  const show = (to: Record<string, string | null>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(to))
      if (value) next.set(name, value);
      else next.delete(name);
    setQuery(next, { replace: true });
  };
  const answer = state.kind === 'loaded' ? state.data : [];
  const shown = 'days' in answer ? ofMonth(answer) : ofSessions(answer, chosen);
  const nameOfValue = (name: FilterName, value: string) =>
    names.current.get(value) ?? [...shown.choices[name], ...shown.named].find(({ id }) => id === value)?.name;
  const unnamed = filters.flatMap(([name]): [string, string][] => {
    const value = state.kind === 'loaded' && !month && name !== 'venue' ? chosen(name) : null;
    return value !== null && nameOfValue(name, value) === undefined ? [[name, value]] : [];
  });
  const lookup = useNames(from, Object.fromEntries(unnamed));
  for (const thing of [...shown.named, ...(lookup.kind === 'loaded' ? lookup.data : [])]) names.current.set(thing.id, thing.name);
  const waits = state.kind === 'loading' || lookup.kind === 'loading';
  /** Whether there are sessions, regardless of the filter. */
  const hasSessions = shown.choices.course.length > 0;
  const title = month ? monthName.format(timeOf(day)) : `${dayName.format(timeOf(from))} to ${dayName.format(timeOf(until))}`;
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <MoveDialog />
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
              {can(user, 'booking.create') ? 'Book places' : 'Request places'}
            </Button>
          )}
        </div>
      </div>
      <div className={shapes.controls}>
        <div className={layout.tools}>
          <ActionIcon variant="default" size={44} aria-label="Earlier" onClick={() => show({ day: turnPage(view, day, -1) })}>
            <IconChevronLeft size={22} />
          </ActionIcon>
          <Button variant="default" onClick={() => show({ day: null })}>
            Today
          </Button>
          <ActionIcon variant="default" size={44} aria-label="Later" onClick={() => show({ day: turnPage(view, day, 1) })}>
            <IconChevronRight size={22} />
          </ActionIcon>
        </div>
        {!isNarrow && (
          <div>
            <Segmented
              aria-label="View"
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
        {filters.map(([name, label]) => {
          const value = chosen(name);
          const choices = shown.choices[name];
          // A chosen value stays an option on days without such a session. A venue's id is its name.
          const nameOf = (id: string) =>
            name === 'venue' ? id : (nameOfValue(name, id) ?? (waits ? 'Looking up the name' : 'None of your sessions'));
          const missing = value !== null && !choices.some(({ id }) => id === value) ? [{ id: value, name: nameOf(value) }] : [];
          for (const { id, name: found } of choices) names.current.set(id, found);
          return (
            <Select
              key={name}
              label={label}
              placeholder="All"
              clearable
              clearButtonProps={{ 'aria-label': `${label}: all` }}
              searchable
              data={[...choices, ...missing].map((c) => ({ value: c.id, label: c.name }))}
              value={value}
              onChange={(to) => show({ [name]: to })}
            />
          );
        })}
      </div>
      <Title order={2} size="h3" aria-live="polite">
        {title}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the calendar" offline="The booking calendar needs a connection." />
      {shown.read >= mostShown && (
        <p className={layout.notice} data-tone="warning" role="status">
          Only the first {mostShown.toLocaleString('en-GB')} sessions are shown. Choose the week.
        </p>
      )}
      {state.kind === 'loaded' && view !== 'agenda' && (
        <Grid days={days} month={month ? day.slice(0, 7) : null} shown={shown.days} onDay={(to) => show({ view: 'week', day: to })} />
      )}
      {state.kind === 'loaded' && view === 'agenda' && shown.days.size > 0 && <Agenda days={days} shown={shown.days} />}
      {state.kind === 'loaded' && shown.days.size === 0 && (
        <EmptyState icon={<IconCalendar size={36} />} title={hasSessions ? 'No matching sessions' : 'No sessions on these days'}>
          {hasSessions ? 'Clear a filter, or look at other days.' : 'Look at earlier or later days.'}
        </EmptyState>
      )}
    </div>
  );
};
