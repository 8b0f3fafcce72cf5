import { Link } from 'react-router-dom';
import type { SessionRow } from '#contract/entities/training-session.ts';
import { addDays, dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { countOf, dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Rows, Widget } from '#src/screens/widgets/widget.tsx';
import classes from '#src/screens/widgets/widgets.module.css';

const days = 14;
const shown = 4;
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

/** The training sessions of the next two weeks, as days and as a list. */
export const SessionsWidget = ({ title }: { title: string }) => {
  const read = useRead('GET /training-sessions', { query: { when: 'coming', per_page: 50 } });
  return (
    <Widget title={title} read={read} all={{ to: pathTo('training-sessions'), label: 'All sessions' }}>
      {(sessions) => <Days sessions={sessions.filter((s) => !s.cancelled)} />}
    </Widget>
  );
};
const Days = ({ sessions }: { sessions: readonly SessionRow[] }) => {
  const today = dayOf(correctedNow());
  const all = Array.from({ length: days }, (_, i) => addDays(today, i));
  const on = (day: string) => sessions.filter((s) => s.date === day);
  const near = sessions.filter((s) => s.date <= (all.at(-1) as string));
  return (
    <>
      <ul className={classes.days} aria-label="The next two weeks">
        {all.map((day) => {
          const n = on(day).length;
          return (
            <li key={day} className={classes.day} data-has={n > 0 || undefined} data-today={day === today || undefined}>
              <span aria-hidden="true">{weekday.format(new Date(`${day}T00:00:00Z`))}</span>
              <span aria-hidden="true">{Number(day.slice(8))}</span>
              <span className="visually-hidden">
                {dayWords(day)}: {n === 0 ? 'no session' : countOf(n, 'session')}
              </span>
            </li>
          );
        })}
      </ul>
      <Rows
        label="Sessions of the next two weeks"
        none="No session in the next two weeks."
        rows={near.slice(0, shown).map((s) => ({
          id: s.id,
          name: <Link to={pathTo('training-sessions-by-id', { id: s.id })}>{s.course.name}</Link>,
          about: `${dayWords(s.date)}, ${s.startTime} · ${[s.venue, countOf(s.delegates, 'person', 'people')].filter(Boolean).join(' · ')}`,
        }))}
      />
    </>
  );
};
