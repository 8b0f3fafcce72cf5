import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { BulkEvent, BulkPerson } from '#contract/entities/bulk-event.ts';
import { pathTo } from '#contract/site-map.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { bulkTypeWords } from '#src/features/users/bulk-words.ts';
import classes from '#src/features/users/users.module.css';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { useList } from '#src/screens/use-list.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import form from '#src/ui/form.module.css';
import { IconDownload, IconHistory } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';

const load = ({ filter: _none, ...query }: { page: number; search: string; filter: string }, signal: AbortSignal) =>
  call('GET /users/bulk-add-events', { query }, { signal });

const Row = ({ event, onChanged }: { event: BulkEvent; onChanged: () => void }) => {
  const [people, setPeople] = useState<readonly BulkPerson[] | null>(null);
  const look = async () => {
    if (people) return setPeople(null);
    const result = await call('GET /users/bulk-add-events/{id}', { params: { id: event.id } });
    if (result.kind === 'ok') setPeople(result.data.people);
    else notify('error', sentenceOf(result));
  };
  const evidence = async () => {
    const result = await call('GET /users/bulk-add-events/{id}/evidence', { params: { id: event.id } });
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), 'evidence');
    else notify('error', sentenceOf(result));
  };
  const undo = async () => {
    const result = await call('POST /users/bulk-add-events/{id}/undo', { params: { id: event.id } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', `Taken back for ${countOf(event.recorded, 'person', 'people')}.`);
    onChanged();
  };
  return (
    <article className={`app-card ${layout.block}`} aria-label={`${event.course.title} on ${formatDay(event.completed_on)}`}>
      <div className={layout.head}>
        <span>
          <strong>{event.course.title}</strong>
          <small className={layout.soft}>
            {[bulkTypeWords[event.type], `completed on ${formatDay(event.completed_on)}`, ...(event.note ? [event.note] : [])].join(' · ')}
          </small>
          <small className={layout.soft}>
            {event.actor.name}, {formatMoment(event.created_at)}
          </small>
        </span>
        <span className={layout.badge} data-tone={event.undone_at ? 'warning' : event.refused > 0 ? 'danger' : 'ok'}>
          {event.undone_at ? 'Taken back' : `${event.recorded} recorded${event.refused > 0 ? `, ${event.refused} not` : ''}`}
        </span>
      </div>
      <div className={form.actions}>
        <Button variant="default" aria-expanded={people !== null} onClick={() => void look()}>
          {people ? 'Hide the people' : 'Show the people'}
        </Button>
        {event.evidence && (
          <Button
            variant="default"
            leftSection={<IconDownload size={20} />}
            onClick={() => void evidence()}
            aria-label={`Evidence: ${event.evidence.name}`}
          >
            Evidence
          </Button>
        )}
        {!event.undone_at && event.recorded > 0 && (
          <DeleteButton
            label="Take back …"
            sure="Take back"
            question={`Take this back for ${countOf(event.recorded, 'person', 'people')}? Their results are removed.`}
            onDelete={() => void undo()}
          />
        )}
      </div>
      {people && (
        <ul className={`${classes.must} ${classes.chosen}`}>
          {people.map((p) => (
            <li key={p.id}>
              <div>
                <Link to={pathTo('users-by-uuid', { uuid: p.id })}>{p.name}</Link>
                {p.problem && <small>{p.problem}</small>}
              </div>
              <span className={layout.badge} data-tone={p.problem ? 'danger' : 'ok'}>
                {p.problem ? 'Not recorded' : event.undone_at ? 'Taken back' : 'Recorded'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
};

/** What was recorded for many at once, by whom; and what was taken back. */
export const Component = () => {
  const list = useList(['bulk events'], load);
  return (
    <ListPage
      words={{
        ...{
          title: 'Training recorded for many',
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
          Record training for many
        </Button>
      }
      row={(event) => <Row key={`${event.id}${event.undone_at}`} event={event} onChanged={list.retry} />}
    />
  );
};
