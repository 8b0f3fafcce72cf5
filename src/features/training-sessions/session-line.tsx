import { Link } from 'react-router-dom';
import type { SessionRow } from '#contract/entities/training-session.ts';
import { needsOutcome } from '#contract/rules/register.ts';
import { minimumOf, placesWords } from '#contract/rules/session-places.ts';
import { pathTo } from '#contract/site-map.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import classes from '#src/features/training-sessions/register.module.css';
import { nearDay, today } from '#src/device/near-day.ts';
import { IconAlert, IconCheck, IconClose } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';

type Row = Pick<
  SessionRow,
  | 'id'
  | 'course'
  | 'date'
  | 'startTime'
  | 'endTime'
  | 'venue'
  | 'room'
  | 'trainer'
  | 'cancelled'
  | 'held'
  | 'taken_on'
  | 'completed'
  | 'delegates'
  | 'present'
  | 'minDelegates'
  | 'maxDelegates'
>;

type State = Pick<Row, 'date' | 'cancelled' | 'held' | 'taken_on' | 'completed' | 'present' | 'delegates' | 'minDelegates'>;
const minimumStates = (row: State) => {
  const minimum = minimumOf(row, today());
  if (minimum === null) return null;
  const missing = (row.minDelegates ?? 0) - row.delegates;
  return minimum === 'reached'
    ? ({ tone: 'ok', icon: IconCheck, words: 'Minimum reached' } as const)
    : minimum === 'risk'
      ? ({ tone: 'warning', icon: IconAlert, words: `At risk: ${missing} more needed` } as const)
      : ({ tone: 'plain', icon: undefined, words: `${missing} more needed` } as const);
};
/** The state of a session: cancelled, finished, or, for a coming one, whether its minimum of delegates is reached. */
export const sessionStateOf = (row: State) =>
  needsOutcome(row)
    ? ({ tone: 'warning', icon: IconAlert, words: 'Did it take place?' } as const)
    : row.cancelled && !row.held
      ? ({ tone: 'danger', icon: IconClose, words: 'Cancelled' } as const)
      : row.completed
        ? ({ tone: 'ok', icon: IconCheck, words: `Finished, ${row.present} there` } as const)
        : minimumStates(row);
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
  <Link to={pathTo('training-sessions-by-id', { id: row.id })} className={`app-card ${layout.row} ${classes.row}`}>
    <span className={classes.when}>
      <strong>{nearDay(row.date)}</strong>
      <small className={layout.soft}>{timesWords(row)}</small>
    </span>
    <span>
      <strong>{row.course.name}</strong>
      <small className={layout.soft}>
        {[row.venue, row.room].filter(Boolean).join(', ')} · {row.trainer.name}
      </small>
      <small className={layout.soft}>{placesWords(row)} on the list</small>
    </span>
    <SessionState row={row} />
  </Link>
);
