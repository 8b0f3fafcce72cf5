import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import type { BulkEvent, BulkPerson } from '#contract/entities/bulk-event.ts';
import { pathTo } from '#contract/site-map.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { bulkTypeWords } from '#src/features/users/bulk-words.ts';
import classes from '#src/features/users/users.module.css';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconDownload, IconHistory } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Badge } from '#src/ui/badge.tsx';

const load = ({ filter: _none, ...query }: ListQuery<(typeof sorts.bulkEvents)[number]>, signal: AbortSignal) =>
  call('GET /users/bulk-add-events', { query }, { signal });
const stateOf = (e: BulkEvent) => (e.undone_at ? 'Undone' : `${e.recorded} recorded${e.refused > 0 ? `, ${e.refused} not` : ''}`);

const People = ({ event, people }: { event: BulkEvent; people: readonly BulkPerson[] }) => (
  <ul className={`${layout.lines} ${classes.must} ${classes.chosen}`}>
    {people.map((p) => (
      <li key={p.id}>
        <div>
          <Link to={pathTo('users-by-uuid', { uuid: p.id })}>{p.name}</Link>
          {p.problem && <small>{p.problem}</small>}
        </div>
        <Badge tone={p.problem ? 'danger' : 'ok'}>{p.problem ? 'Not recorded' : event.undone_at ? 'Undone' : 'Recorded'}</Badge>
      </li>
    ))}
  </ul>
);

/** What was recorded in bulk, by whom; and what was undone. */
export const Component = () => {
  const list = useList(['bulk events'], load, { sortedBy: sorts.bulkEvents });
  const [open, setOpen] = useState<{ id: string; people: readonly BulkPerson[] } | null>(null);
  const look = async ({ id }: BulkEvent) => {
    if (open?.id === id) return setOpen(null);
    const result = await call('GET /users/bulk-add-events/{id}', { params: { id } });
    if (result.kind === 'ok') setOpen({ id, people: result.data.people });
    else notify('error', sentenceOf(result));
  };
  const evidence = async ({ id }: BulkEvent) => {
    const result = await call('GET /users/bulk-add-events/{id}/evidence', { params: { id } });
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), 'evidence');
    else notify('error', sentenceOf(result));
  };
  const undo = async ({ id, recorded }: BulkEvent) => {
    const result = await call('POST /users/bulk-add-events/{id}/undo', { params: { id } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', `Undone for ${countOf(recorded, 'person', 'people')}.`);
    setOpen(null);
    list.retry();
  };
  const columns: readonly Column<BulkEvent>[] = [
    { id: 'course', header: 'Course', sort: 'course', width: 180, grow: 1.2, value: (e) => e.course.title },
    { id: 'kind', header: 'Kind', width: 120, grow: 0.4, value: (e) => bulkTypeWords[e.type] },
    { id: 'day', header: 'Completed', sort: 'completed_on', width: 120, grow: 0.3, value: (e) => formatDay(e.completed_on) },
    { id: 'note', header: 'Note', value: (e) => e.note },
    { id: 'by', header: 'Recorded by', value: (e) => e.actor.name },
    { id: 'at', header: 'When', sort: 'created_at', width: 160, grow: 0.3, value: (e) => formatMoment(e.created_at) },
    {
      ...{ id: 'state', header: 'Status', width: 150, grow: 0.4, keep: true, value: stateOf },
      cell: (e) => <Badge tone={e.undone_at ? 'warning' : e.refused > 0 ? 'danger' : 'ok'}>{stateOf(e)}</Badge>,
    },
    {
      ...{ id: 'actions', header: 'Actions', width: 440, grow: 0, actions: true, value: () => null },
      cell: (e) => (
        <>
          <Button variant="default" aria-expanded={open?.id === e.id} onClick={() => void look(e)}>
            {open?.id === e.id ? 'Hide the people' : 'Show the people'}
          </Button>
          {e.evidence && (
            <Button
              variant="default"
              leftSection={<IconDownload size={20} />}
              onClick={() => void evidence(e)}
              aria-label={`Evidence: ${e.evidence.name}`}
            >
              Evidence
            </Button>
          )}
          {!e.undone_at && e.recorded > 0 && (
            <DeleteButton
              label="Undo …"
              sure="Undo"
              question={`Undo this for ${countOf(e.recorded, 'person', 'people')}? Their results are removed.`}
              onDelete={() => void undo(e)}
            />
          )}
        </>
      ),
    },
  ];
  return (
    <ListPage
      words={{
        ...{
          title: 'Group training',
          one: 'a record',
          many: 'records',
          looksAt: 'Course or who recorded it',
          none: 'Nothing recorded yet',
        },
        ...{ first: 'Record a morning of training for everybody who was there.', failed: 'The records could not be fetched.' },
      }}
      list={list}
      icon={<IconHistory size={36} />}
      add={
        <Button component={Link} to={pathTo('users-bulk-add-events')}>
          Record group training
        </Button>
      }
      columns={columns}
      below={(event) => open?.id === event.id && <People event={event} people={open.people} />}
    />
  );
};
