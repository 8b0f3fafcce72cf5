import { Button, TextInput, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/assignments/assignments.module.css';
import type { Read } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Named = { id: string; name: string; editable: boolean; entity: { name: string; slug: string } };
type Words = { title: string; one: string; many: string; about: string; first: string };
/** What else of one can be changed: drawn in its form, and sent with its name. */
type More<T> = {
  of: (thing: T) => object;
  fields: (value: object, set: (change: object) => void, errors: Partial<Record<string, string>>) => ReactNode;
};

type FormProps<T extends Named> = {
  words: Words;
  thing: T | null;
  mayName: boolean;
  more: More<T>;
  save: (change: object) => Promise<Result<unknown>>;
  remove?: () => Promise<Result<unknown>>;
  onDone: (changed: boolean) => void;
};
const NamedForm = <T extends Named>({ words, thing, mayName, more, save, remove, onDone }: FormProps<T>) => {
  const [name, setName] = useState(thing?.name ?? '');
  const [others, setOthers] = useState<object>(() => (thing ? more.of(thing) : {}));
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const settle = async (sending: Promise<Result<unknown>>) => {
    setBusy(true);
    const result = await sending;
    setBusy(false);
    if (result.kind !== 'ok') return setErrors(fieldErrorsOf(result));
    notify('success', texts.successfullyUpdated);
    onDone(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setErrors({ name: `Give the ${words.one} a name.` });
    void settle(save({ ...(mayName && name.trim() !== thing?.name ? { name: name.trim() } : {}), ...others }));
  };
  return (
    <form noValidate className={`app-card ${classes.form}`} onSubmit={submit} aria-label={thing ? thing.name : `Add a ${words.one}`}>
      <TextInput
        label="Name"
        maxLength={200}
        disabled={!mayName}
        value={name}
        error={errors.name ?? errors.whole}
        onChange={(e) => {
          setName(e.currentTarget.value);
          setErrors({});
        }}
      />
      {thing && more.fields(others, (change) => setOthers((all) => ({ ...all, ...change })), errors)}
      <div className={form.actions}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
        <Button variant="default" onClick={() => onDone(false)}>
          Cancel
        </Button>
        {thing && remove && <DeleteButton question={`Delete “${thing.name}”?`} onDelete={() => void settle(remove())} />}
      </div>
    </form>
  );
};

type Props<T extends Named> = {
  slug: string;
  words: Words;
  icon: ReactNode;
  thing: Read<T[]>;
  may: { add: boolean; change: boolean; name: boolean };
  facts: (thing: T) => string;
  more: More<T>;
  create: (name: string) => Promise<Result<unknown>>;
  update: (id: string, change: object) => Promise<Result<unknown>>;
  remove: (id: string) => Promise<Result<unknown>>;
  /** What else can be done with one. */
  open?: (thing: T) => ReactNode;
};

/** The categories or the tags of an organisation: its own, and those it has from above. */
export const NamedThings = <T extends Named>({
  slug,
  words,
  icon,
  thing: { state, retry },
  may,
  facts,
  more,
  create,
  update,
  remove,
  open: opened,
}: Props<T>) => {
  const [open, setOpen] = useState<string | null>(null);
  const done = (changed: boolean) => {
    setOpen(null);
    if (changed) retry();
  };
  const things = state.kind === 'here' ? state.thing : [];
  return (
    <div className={layout.page}>
      <Link to={pathTo('entities-one', { slug })} className={classes.back}>
        Back
      </Link>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {words.title}
        </Title>
        {may.add && open !== 'new' && <Button onClick={() => setOpen('new')}>Add a {words.one}</Button>}
      </div>
      <p className={layout.count}>{words.about}</p>
      {open === 'new' && (
        <NamedForm words={words} thing={null} mayName more={more} save={(change) => create((change as { name: string }).name)} onDone={done} />
      )}
      <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${words.many}`} offline={`The ${words.many} need a connection.`} />
      {state.kind === 'here' && things.length === 0 && (
        <EmptyState icon={icon} title={`No ${words.many} yet`}>
          {words.first}
        </EmptyState>
      )}
      <ul className={layout.list}>
        {things.map((thing) => (
          <li key={thing.id}>
            {open === thing.id ? (
              <NamedForm
                words={words}
                thing={thing}
                mayName={may.name && thing.editable}
                more={more}
                save={(change) => update(thing.id, change)}
                {...(may.name && thing.editable ? { remove: () => remove(thing.id) } : {})}
                onDone={done}
              />
            ) : (
              <div className={`app-card ${classes.row}`}>
                <span>
                  <strong>{thing.name}</strong>
                  <small>{[facts(thing), ...(thing.entity.slug === slug ? [] : [`from ${thing.entity.name}`])].join(' · ')}</small>
                </span>
                {opened?.(thing)}
                {may.change && (
                  <Button variant="default" onClick={() => setOpen(thing.id)} aria-label={`Change ${thing.name}`}>
                    Change
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
};
