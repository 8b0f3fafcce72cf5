import { Button, Checkbox, TextInput, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/groups/groups.module.css';
import { countOf } from '#src/lib/format.ts';
import type { Read } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconPeople } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Group = { id: string; name: string; people: number; editable: boolean; inspectable?: boolean; entity: { name: string; slug: string } };
export type GroupFields = { name: string; inspectable: boolean };
type Words = { title: string; one: string; many: string; about: string; inspectable?: string };

type FormProps = { words: Words; group: Group | null; save: (fields: GroupFields) => Promise<Result>; onDone: () => void; more?: ReactNode };
const GroupForm = ({ words, group, save, onDone, more }: FormProps) => {
  const [name, setName] = useState(group?.name ?? '');
  const [inspectable, setInspectable] = useState(group?.inspectable ?? true);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setErrors({ name: `Give the ${words.one} a name.` });
      return;
    }
    setBusy(true);
    const result = await save({ name: name.trim(), inspectable });
    setBusy(false);
    if (result.kind === 'ok') onDone();
    else setErrors(fieldErrorsOf(result));
  };
  return (
    <form
      noValidate
      className={`app-card ${classes.form}`}
      onSubmit={(event) => void submit(event)}
      aria-label={group ? group.name : `Add a ${words.one}`}
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={200}
        value={name}
        error={errors.name ?? errors.whole}
        onChange={(e) => {
          setName(e.currentTarget.value);
          setErrors({});
        }}
      />
      {words.inspectable && <Checkbox label={words.inspectable} checked={inspectable} onChange={(e) => setInspectable(e.currentTarget.checked)} />}
      <div className={classes.actions}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        {more}
      </div>
    </form>
  );
};

type Props<G extends Group> = {
  slug: string;
  words: Words;
  thing: Read<G[]>;
  may: { add: boolean; change: boolean; remove: boolean };
  create: (fields: GroupFields) => Promise<Result>;
  update: (id: string, fields: GroupFields) => Promise<Result>;
  remove: (id: string) => Promise<Result<unknown>>;
  said: { created: string; updated: string; deleted: string };
  /** What else is known of one. */
  facts: (group: G) => readonly string[];
  /** What can be opened of one. */
  open?: (group: G) => ReactNode;
  /** Beside the heading. */
  head?: ReactNode;
};

/** The job roles or the user types of an organisation: its own, and those it has from above. */
export const GroupPage = <G extends Group>({
  slug,
  words,
  thing: { state, retry },
  may,
  create,
  update,
  remove,
  said,
  facts,
  open: opened,
  head,
}: Props<G>) => {
  const [open, setOpen] = useState<string | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const done = (message: string) => {
    notify('success', message);
    setOpen(null);
    retry();
  };
  const saved = (message: string) => async (saving: Promise<Result>) => {
    const result = await saving;
    if (result.kind === 'ok') done(message);
    return result;
  };
  const take = async (id: string) => {
    const result = await remove(id);
    if (result.kind === 'ok') done(said.deleted);
    else notify('error', sentenceOf(result));
  };
  const groups = state.kind === 'here' ? state.thing : [];
  return (
    <div className={layout.page}>
      <Link to={pathTo('entities-one', { slug })} className={classes.back}>
        {groups[0]?.entity.slug === slug ? groups[0].entity.name : 'Back'}
      </Link>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {words.title}
        </Title>
        <div className={classes.actions}>
          {head}
          {may.add && (
            <Button ref={add} onClick={() => setOpen('new')}>
              Add a {words.one}
            </Button>
          )}
        </div>
      </div>
      <p className={layout.count}>{words.about}</p>
      {open === 'new' && <GroupForm words={words} group={null} save={(fields) => saved(said.created)(create(fields))} onDone={() => setOpen(null)} />}
      <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${words.many}`} offline={`The ${words.many} need a connection.`} />
      {state.kind === 'here' && groups.length === 0 && (
        <EmptyState icon={<IconPeople size={36} />} title={`No ${words.many} yet`}>
          Add the first one.
        </EmptyState>
      )}
      <ul className={layout.list}>
        {groups.map((group) => (
          <li key={group.id}>
            {open === group.id ? (
              <GroupForm
                words={words}
                group={group}
                save={(fields) => saved(said.updated)(update(group.id, fields))}
                onDone={() => setOpen(null)}
                more={may.remove && <DeleteButton question={`Delete “${group.name}”?`} onDelete={() => void take(group.id)} />}
              />
            ) : (
              <div className={`app-card ${classes.row}`}>
                <span>
                  <strong>{group.name}</strong>
                  <small>
                    {[
                      countOf(group.people, 'person', 'people'),
                      ...facts(group),
                      ...(group.entity.slug === slug ? [] : [`from ${group.entity.name}`]),
                    ].join(' · ')}
                  </small>
                </span>
                <div className={classes.actions}>
                  {opened?.(group)}
                  {group.editable && (may.change || may.remove) && (
                    <Button variant="default" onClick={() => setOpen(group.id)} aria-label={`Change ${group.name}`}>
                      Change
                    </Button>
                  )}
                </div>
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
};
