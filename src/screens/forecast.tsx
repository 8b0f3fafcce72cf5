import { Button, Title } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import { seesForecasts } from '#contract/api/forecast.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import { can } from '#contract/can.ts';
import type { Forecast as ForecastData, ForecastSession } from '#contract/entities/forecast.ts';
import { dayWords } from '#contract/rules/days.ts';
import type { ForecastCount, ForecastDays, ForecastFigure, ForecastGroup } from '#contract/rules/forecast.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { countOf } from '#src/lib/format.ts';
import { bookingPath } from '#src/screens/booking-path.ts';
import classes from '#src/screens/forecast.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';

/** The people of a forecast: of an organisation and all below it, with a job role, with a required course; empty: everybody the user can see. */
export type ForecastOf = { entity?: string; role_id?: string; course_id?: string };
/** The chosen number. */
export type ForecastPlace = { days: ForecastDays; group: ForecastGroup };

/** The page that lists the people behind a number. */
export const forecastPath = (scope: ForecastOf, place?: ForecastPlace): string => {
  const query = new URLSearchParams(scope);
  if (place) {
    query.set('days', String(place.days));
    if (place.group !== 'red') query.set('filter', place.group);
  }
  return query.size > 0 ? `${pathTo('forecast')}?${query}` : pathTo('forecast');
};

const groups: readonly { group: ForecastGroup; tone: Tone }[] = [
  { group: 'red', tone: 'danger' },
  { group: 'amber', tone: 'warning' },
  { group: 'starters', tone: 'plain' },
  { group: 'booked', tone: 'ok' },
];
/** For one course, count people; otherwise courses and, beside them, people. */
const wordsOf = (group: ForecastGroup, { lines, people }: ForecastCount, one: boolean, figure: ForecastFigure): [string, string] => {
  const n = one ? people : lines;
  const whose = one || lines === 0 ? '' : `of ${countOf(people, 'person', 'people')}`;
  if (group === 'starters') return [one ? (n === 1 ? 'starts by then' : 'start by then') : 'to do for new starters', whose];
  if (group === 'booked') return [n === 1 ? 'has a place booked' : 'have a place booked', whose];
  const due = group === 'red' ? figure.starters_due[one ? 'people' : 'lines'] : 0;
  const turns = n === 1 ? `turns ${group}` : `turn ${group}`;
  return [turns, [whose, due > 0 ? `${due} at the end of a starter period` : ''].filter(Boolean).join(', ')];
};

const Figure = ({ figure, of, chosen }: { figure: ForecastFigure; of: ForecastOf; chosen?: ForecastPlace | undefined }) => (
  <div className={classes.figure}>
    <Title order={3}>In {figure.days} days</Title>
    <ul>
      {groups.map(({ group, tone }) => {
        const one = of.course_id !== undefined;
        const count = one ? figure[group].people : figure[group].lines;
        const [words, more] = wordsOf(group, figure[group], one, figure);
        const content = (
          <>
            <Badge tone={count > 0 ? tone : 'plain'} className={classes.number}>
              {count.toLocaleString('en-GB')}
            </Badge>
            <span>
              <span className={count > 0 ? classes.words : undefined}>{words}</span>
              {more && <small>{more}</small>}
            </span>
          </>
        );
        const isChosen = chosen?.days === figure.days && chosen.group === group;
        return (
          <li key={group}>
            {count > 0 ? (
              <Link className={classes.count} to={forecastPath(of, { days: figure.days, group })} aria-current={isChosen || undefined}>
                {content}
              </Link>
            ) : (
              <span className={classes.count}>{content}</span>
            )}
          </li>
        );
      })}
    </ul>
  </div>
);

const placesWords = ({ free, delegates }: ForecastSession) =>
  free === null ? `No limit, ${countOf(delegates, 'person', 'people')} on the list` : free === 0 ? 'Full' : `${countOf(free, 'place')} free`;

/** The people for whom a session is booked from here: those without a place, the first to turn first. At most this many at once. */
const bookedAtOnce = 100;
const whoWords = ({ days, group }: ForecastPlace) =>
  group === 'starters' ? `new starters within ${days} days` : `who turns ${group === 'amber' ? 'amber' : 'red'} within ${days} days`;

const Book = ({ of, place, session, name }: { of: ForecastOf; place: ForecastPlace; session: string; name: string }) => {
  const navigate = useNavigate();
  const group = place.group === 'booked' ? 'red' : place.group;
  const finding = useAction(
    () => call('GET /forecast/people', { query: { ...of, days: String(place.days), group, per_page: bookedAtOnce } }, { quiet: true }),
    {
      onDone: (lines) => {
        const people = lines.filter((line) => line.booked === null).map((line) => line.user.id);
        if (people.length === 0) return notify('info', 'Nobody is left to book: each of them has a place on a session.');
        return void navigate(bookingPath(people, { session, ...(of.course_id ? { course: of.course_id } : {}) }));
      },
    },
  );
  return (
    <Button
      variant="default"
      loading={finding.busy}
      aria-label={`Book people on ${name}: ${whoWords({ ...place, group })}`}
      onClick={() => void finding.run()}
    >
      Book people
    </Button>
  );
};

type SessionsProps = { sessions: readonly ForecastSession[]; of: ForecastOf; place: ForecastPlace };
const Sessions = ({ sessions, of, place }: SessionsProps) => {
  const me = useSession();
  const books = can(me, needOf('manage-bookings-create'));
  return (
    <>
      <Title order={3} size="h4">
        Sessions in the next 90 days
      </Title>
      {books && sessions.some((s) => s.free !== 0) && (
        <p className={layout.count}>
          <em>Book people</em> chooses {whoWords({ ...place, group: place.group === 'booked' ? 'red' : place.group })} and has no place yet.
        </p>
      )}
      {sessions.length === 0 ? (
        <p className={layout.count}>No session of this course is planned.</p>
      ) : (
        <ul className={layout.lines} aria-label="Sessions in the next 90 days">
          {sessions.map((session) => {
            const name = `${dayWords(session.on)}${session.venue ? `, ${session.venue}` : ''}`;
            return (
              <li key={session.id}>
                {session.register && can(me, seesSessions) ? (
                  <Link to={pathTo('training-sessions-by-id', { id: session.id })} className={shapes.link}>
                    {name}
                  </Link>
                ) : (
                  <span>{name}</span>
                )}
                <span className={layout.line}>
                  <Badge tone={session.free === 0 ? 'plain' : 'ok'}>{placesWords(session)}</Badge>
                  {books && session.free !== 0 && <Book of={of} place={place} session={session.id} name={name} />}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
};

/** The numbers of a forecast; each leads to the people behind it. */
export const ForecastFigures = ({ forecast, of, chosen }: { forecast: ForecastData; of: ForecastOf; chosen?: ForecastPlace }) => (
  <>
    <p className={layout.count}>
      {of.course_id ? 'People' : 'Courses'} whose status changes if nothing is done, of {countOf(forecast.people, 'person', 'people')}.
    </p>
    <div className={classes.frame}>
      <div className={classes.figures}>
        {forecast.figures.map((figure) => (
          <Figure key={figure.days} figure={figure} of={of} chosen={chosen} />
        ))}
      </div>
    </div>
    {of.course_id && <Sessions sessions={forecast.sessions} of={of} place={chosen ?? { days: 60, group: 'red' }} />}
  </>
);

/** Who turns amber and red in 30, 60 and 90 days, on the page of an organisation, a job role or a course; hidden from users who see nobody else. */
export const Forecast = ({ of }: { of: ForecastOf }) => {
  const me = useSession();
  return can(me, seesForecasts) ? <Shown of={of} /> : null;
};
const Shown = ({ of }: { of: ForecastOf }) => {
  const { state, retry } = useRead('GET /forecast', { query: of });
  return (
    <Section title="Forecast" id="forecast">
      <ReadPlaceholder state={state} retry={retry} loading="Loading the forecast" offline="The forecast needs a connection." />
      {state.kind === 'loaded' && <ForecastFigures forecast={state.data} of={of} />}
    </Section>
  );
};
