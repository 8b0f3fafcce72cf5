import { Link } from 'react-router-dom';
import type { SessionRow } from '#contract/entities/training-session.ts';
import { needsOutcome } from '#contract/rules/register.ts';
import { pathTo } from '#contract/site-map.ts';
import classes from '#src/features/training-sessions/register.module.css';
import { dayWords } from '#src/features/training-sessions/words.ts';
import { countOf } from '#src/lib/format.ts';
import { IconAlert, IconCheck, IconClose } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';

type Row = Pick<
  SessionRow,
  'id' | 'course' | 'date' | 'startTime' | 'endTime' | 'venue' | 'room' | 'trainer' | 'cancelled' | 'held' | 'completed' | 'delegates' | 'present'
>;

type State = Pick<Row, 'cancelled' | 'held' | 'completed' | 'present'>;
/** How far a session is: cancelled, finished, or to come. */
export const sessionStateOf = (row: State) =>
  needsOutcome(row)
    ? ({ tone: 'warning', icon: IconAlert, words: 'Did it take place?' } as const)
    : row.cancelled && !row.held
      ? ({ tone: 'danger', icon: IconClose, words: 'Cancelled' } as const)
      : row.completed
        ? ({ tone: 'ok', icon: IconCheck, words: `Finished, ${row.present} there` } as const)
        : null;
export const SessionState = ({ row }: { row: State }) => {
  const state = sessionStateOf(row);
  return (
    state && (
      <Badge tone={state.tone} icon={state.icon}>
        {state.words}
      </Badge>
    )
  );
};

/** One session in a list. */
export const SessionLine = ({ row }: { row: Row }) => (
  <Link to={pathTo('training-sessions-by-id', { id: row.id })} className={`app-card ${classes.row}`}>
    <span className={classes.when}>
      <strong>{dayWords(row.date)}</strong>
      <small className={layout.soft}>
        {row.startTime} to {row.endTime}
      </small>
    </span>
    <span>
      <strong>{row.course.name}</strong>
      <small className={layout.soft}>
        {[row.venue, row.room].filter(Boolean).join(', ')} · {row.trainer.name}
      </small>
      <small className={layout.soft}>{countOf(row.delegates, 'person', 'people')} on the list</small>
    </span>
    <SessionState row={row} />
  </Link>
);
