import { Button, Checkbox, TextInput, Title } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { Result } from '#src/api/transport.ts';
import { Form, FormSection, notPermitted } from '#src/screens/form.tsx';
import { MultiPicker } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { type Unfilled, useForm } from '#src/screens/use-form.ts';
import type { Read } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';

type Named = { id: string; name: string; editable: boolean; entity: { name: string; slug: string } };
/** `about`: their purpose. `first`: what to do if there are none. */
type Words = { title: string; one: string; many: string; about: string; first: string };
type Option = { id: string; name: string };
/** A multi-select that can be changed besides the name. It is shown once the thing exists, to people who are given `choices`. */
type Choices<T> = { field: string; label: string; from: ComponentProps<typeof MultiPicker>['from']; of: (thing: T) => readonly Option[] };
type Flag<T> = { field: string; label: string; of: (thing: T | null) => boolean };
type Changed = Promise<Result<unknown>>;

type Parts<T extends Named, S extends z.ZodMiniType> = {
  words: Words;
  /** The schema of the form. */
  schema: S;
  flags?: readonly Flag<T>[];
  choices?: readonly Choices<T>[];
  said: { created: string; updated: string; deleted: string };
};
type FormProps<T extends Named, S extends z.ZodMiniType> = Parts<T, S> & {
  thing: T | null;
  mayName: boolean;
  save: (body: z.output<S>) => Changed;
  remove: (() => Changed) | null;
  onDone: (changed: boolean) => void;
};
const NamedForm = <T extends Named, S extends z.ZodMiniType>(form: FormProps<T, S>) => {
  const { words, schema, flags = [], choices = [], said, thing, mayName, save, remove, onDone } = form;
  const onSaved = () => onDone(true);
  const chosen = thing ? choices : [];
  const fields = useForm<S, Record<string, unknown>, unknown>({
    schema,
    begin: () => ({
      name: thing?.name ?? '',
      ...Object.fromEntries(flags.map(({ field, of }) => [field, of(thing)])),
      ...Object.fromEntries(thing ? chosen.map(({ field, of }) => [field, of(thing)]) : []),
    }),
    toInput: (typed) =>
      ({
        ...(mayName ? { name: typed.name, ...Object.fromEntries(flags.map(({ field }) => [field, typed[field]])) } : {}),
        ...Object.fromEntries(chosen.map(({ field }) => [field, (typed[field] as Option[]).map(({ id }) => id)])),
      }) as Unfilled<z.input<S>>,
    save,
    success: thing ? said.updated : said.created,
    onSaved,
    locked: (field) => !mayName && !chosen.some((c) => c.field === field) && notPermitted,
  });
  const removal = useAction(async () => remove?.() ?? { kind: 'ok', data: undefined }, { success: said.deleted, onDone: onSaved });
  return (
    <Form
      form={fields}
      label={thing ? thing.name : `Add a ${words.one}`}
      save={(mayName || chosen.length > 0) && 'Save'}
      beside={
        <>
          <Button variant="default" onClick={() => onDone(false)}>
            Cancel
          </Button>
          {thing && remove && <DeleteButton question={`Delete “${thing.name}”?`} onDelete={() => void removal.run()} />}
        </>
      }
    >
      <FormSection>
        <TextInput label="Name" maxLength={200} {...(fields.field('name') as { value: string })} />
        {flags.map(({ field, label }) => (
          <Checkbox key={field} label={label} {...fields.checkbox(field)} />
        ))}
        {chosen.map(({ field, label, from }) => (
          <MultiPicker key={field} label={label} from={from} {...(fields.field(field) as Omit<ComponentProps<typeof MultiPicker>, 'from'>)} />
        ))}
      </FormSection>
    </Form>
  );
};

type Props<T extends Named, S extends z.ZodMiniType> = Parts<T, S> & {
  slug: string;
  icon: ReactNode;
  thing: Read<T[]>;
  /** `name`: to change name and flags of this organisation's own; `remove`: to delete them. */
  may: { add: boolean; name: boolean; remove: boolean };
  /** Facts about one. */
  facts: (thing: T) => readonly string[];
  create: (body: z.output<S>) => Changed;
  update: (id: string, body: z.output<S>) => Changed;
  remove: (id: string) => Changed;
  /** Further actions on one. */
  open?: (thing: T) => ReactNode;
  /** Beside the heading. */
  head?: ReactNode;
};
/** From this many on there is a search by name. */
const searchedFrom = 12;

/** A list of an organisation's named things (job roles, user types, tags, categories): its own, and those inherited from above. */
export const NamedList = <T extends Named, S extends z.ZodMiniType>(list: Props<T, S>) => {
  const { slug, words, icon, may, facts, create, update, remove, open: opened, head } = list;
  const { state, retry } = list.thing;
  const [open, setOpen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const done = (changed: boolean) => {
    setOpen(null);
    if (changed) retry();
  };
  const all = state.kind === 'loaded' ? state.data : [];
  const sought = typed.trim().toLowerCase();
  const searched = all.length >= searchedFrom;
  // The one being edited stays, whatever the search.
  const things = searched && sought !== '' ? all.filter((t) => t.id === open || t.name.toLowerCase().includes(sought)) : all;
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {words.title}
        </Title>
        <div className={layout.tools}>
          {head}
          {may.add && open !== 'new' && <Button onClick={() => setOpen('new')}>Add a {words.one}</Button>}
        </div>
      </div>
      <p className={layout.count}>{words.about}</p>
      {open === 'new' && <NamedForm {...list} thing={null} mayName save={create} remove={null} onDone={done} />}
      <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${words.many}`} offline={`The ${words.many} need a connection.`} />
      {state.kind === 'loaded' && all.length === 0 && (
        <EmptyState icon={icon} title={`No ${words.many} yet`}>
          {words.first}
        </EmptyState>
      )}
      {searched && (
        <>
          <TextInput label={`Find a ${words.one}`} type="search" value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />
          <p className={layout.count} role="status">
            {sought === '' ? `${all.length} ${words.many}` : `${things.length} of ${all.length} ${words.many}`}
          </p>
        </>
      )}
      <ul className={layout.list}>
        {things.map((thing) => {
          const mayName = may.name && thing.editable;
          const mayRemove = may.remove && thing.editable;
          return (
            <li key={thing.id}>
              {open === thing.id ? (
                <NamedForm
                  {...list}
                  thing={thing}
                  mayName={mayName}
                  save={(body) => update(thing.id, body)}
                  remove={mayRemove ? () => remove(thing.id) : null}
                  onDone={done}
                />
              ) : (
                <div className={`app-card ${layout.row}`}>
                  <span>
                    <strong>{thing.name}</strong>
                    <small>{[...facts(thing), ...(thing.entity.slug === slug ? [] : [`from ${thing.entity.name}`])].join(' · ')}</small>
                  </span>
                  <div className={layout.tools}>
                    {opened?.(thing)}
                    {(mayName || mayRemove || (list.choices ?? []).length > 0) && (
                      <Button variant="default" onClick={() => setOpen(thing.id)} aria-label={`Change ${thing.name}`}>
                        Change
                      </Button>
                    )}
                  </div>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
