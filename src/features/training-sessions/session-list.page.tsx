import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import type { SessionRow } from '#contract/entities/training-session.ts';
import { can } from '#contract/can.ts';
import { isOnRegister, currentMark } from '#contract/rules/register.ts';
import { placesWords } from '#contract/rules/session-places.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { keepRegisters } from '#src/device/registers.ts';
import { SessionLine, SessionState, sessionStateOf } from '#src/features/training-sessions/session-line.tsx';
import { nearDay } from '#src/device/near-day.ts';
import { useKeptRegisters } from '#src/features/training-sessions/use-register.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { IconRegister } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { EmptyState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** The registers on this device, shown offline. */
const Kept = ({ search, onRetry }: { search: string; onRetry: () => void }) => {
  const kept = useKeptRegisters();
  if (!kept) return <LoadingState label="Looking on this device" />;
  if (kept.length === 0)
    return (
      <OfflineState
        what="The list of sessions needs a connection. The registers of the sessions you run in the next days, and those you open, are kept on this device."
        onRetry={onRetry}
      />
    );
  const sought = search.trim().toLowerCase();
  const found = kept.filter((r) => `${r.course.name} ${r.venue} ${r.trainer.name}`.toLowerCase().includes(sought));
  return (
    <>
      <div className={`${layout.notice} ${layout.between}`} data-tone="warning" role="status">
        <span>No connection. These registers are on this device, with what was noted on it.</span>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </div>
      {found.length === 0 && (
        <EmptyState icon={<IconRegister size={36} />} title={`Nothing found for “${search}”`}>
          Others need a connection.
        </EmptyState>
      )}
      <ul className={layout.list}>
        {found.map((register) => {
          const on = register.delegates.filter(isOnRegister);
          return (
            <li key={register.id}>
              <SessionLine row={{ ...register, delegates: on.length, present: on.filter((d) => currentMark(d)?.presence === 'present').length }} />
            </li>
          );
        })}
      </ul>
    </>
  );
};

const load = (query: ListQuery<(typeof sorts.sessions)[number]>, signal: AbortSignal) => {
  const { filter, ...rest } = query;
  const when = filter === 'past' ? ('past' as const) : ('coming' as const);
  return call('GET /training-sessions', { query: { ...rest, when, ...(filter === 'mine' ? { mine: 'true' } : {}) } }, { signal });
};

const columns: readonly Column<SessionRow>[] = [
  { id: 'course', header: 'Training', sort: 'course', width: 200, grow: 1.4, value: (s) => s.course.name },
  { id: 'date', header: 'When', sort: 'date', width: 190, grow: 0.7, value: (s) => `${nearDay(s.date)}, ${timesWords(s)}` },
  { id: 'venue', header: 'Place', sort: 'venue', value: (s) => [s.venue, s.room].filter(Boolean).join(', ') },
  { id: 'trainer', header: 'Trainer', sort: 'trainer', value: (s) => s.trainer.name },
  { id: 'delegates', header: 'On the list', width: 140, grow: 0.3, value: placesWords },
  {
    ...{ id: 'state', header: 'Status', width: 230, grow: 0.5, keep: true },
    value: (s) => sessionStateOf(s)?.words ?? '',
    cell: (s) => sessionStateOf(s) && <SessionState row={s} />,
  },
];

/** Training sessions with their registers: coming ones, one’s own, and past ones. */
export const Component = () => {
  const user = useSession();
  const list = useList(['training sessions'], load, { sortedBy: sorts.sessions });
  useEffect(() => void keepRegisters().catch(() => undefined), []);
  return (
    <ListPage
      words={{
        ...{ title: 'Registers', one: 'a session', many: 'sessions', looksAt: 'Training, trainer or place', none: 'No sessions are planned' },
        first: can(user, needOf('training-sessions-create'))
          ? 'Plan one, put people on its list, and its trainer takes the register, with or without a connection.'
          : 'Sessions that you run appear here.',
        failed: 'The sessions could not be loaded.',
      }}
      list={list}
      icon={<IconRegister size={36} />}
      filters={[
        { value: '', label: 'Upcoming' },
        { value: 'mine', label: 'My sessions' },
        { value: 'past', label: 'Past' },
      ]}
      add={
        <>
          {can(user, 'delegate.mark') && (
            <Button variant="default" component={Link} to={`${pathTo('learner-events')}?ready=1`}>
              Ready for tomorrow
            </Button>
          )}
          {can(user, needOf('training-sessions-create')) && (
            <Button component={Link} to={pathTo('training-sessions-create')}>
              Plan a session
            </Button>
          )}
        </>
      }
      offline={<Kept search={list.search} onRetry={list.retry} />}
      columns={columns}
      to={(row) => pathTo('training-sessions-by-id', { id: row.id })}
    />
  );
};
