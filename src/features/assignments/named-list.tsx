import { Button, TextInput, Title } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import { texts } from '#contract/texts.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/assignments/assignments.module.css';
import { Form, FormSection, notPermitted } from '#src/screens/form.tsx';
import { MultiPicker } from '#src/screens/pickers.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import type { Read } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Named = { id: string; name: string; editable: boolean; entity: { name: string; slug: string } };
type Words = { title: string; one: string; many: string; about: string; first: string };
type Option = { id: string; name: string };
/** What else of one can be chosen: many of one kind, under the name of its field. */
type Choices<T> = { field: string; label: string; from: ComponentProps<typeof MultiPicker>['from']; of: (thing: T) => readonly Option[] };

type FormProps<T extends Named, S extends z.ZodMiniType> = {
  words: Words;
  schema: S;
  thing: T | null;
  mayName: boolean;
  choices: readonly Choices<T>[];
  save: (change: z.output<S>) => Promise<Result<unknown>>;
  remove?: () => Promise<Result<unknown>>;
  onDone: (changed: boolean) => void;
};
const NamedForm = <T extends Named, S extends z.ZodMiniType>({ words, schema, thing, mayName, choices, save, remove, onDone }: FormProps<T, S>) => {
  const onSaved = () => onDone(true);
  const success = texts.successfullyUpdated;
  const fields = useForm<S, Record<string, unknown>, unknown>({
    schema,
    begin: () => ({ name: thing?.name ?? '', ...Object.fromEntries(thing ? choices.map(({ field, of }) => [field, of(thing)]) : []) }),
    toInput: ({ name, ...chosen }) =>
      ({
        ...(mayName ? { name } : {}),
        ...Object.fromEntries(Object.entries(chosen).map(([field, all]) => [field, (all as Option[]).map(({ id }) => id)])),
      }) as never,
    save,
    success,
    onSaved,
    locked: (field) => field === 'name' && !mayName && notPermitted,
  });
  const removal = useAction(async () => remove?.() ?? { kind: 'ok', data: undefined }, { success, onDone: onSaved });
  return (
    <Form
      form={fields}
      label={thing ? thing.name : `Add a ${words.one}`}
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
        {thing &&
          choices.map(({ field, label, from }) => (
            <MultiPicker key={field} label={label} from={from} {...(fields.field(field) as Omit<ComponentProps<typeof MultiPicker>, 'from'>)} />
          ))}
      </FormSection>
    </Form>
  );
};

type Props<T extends Named, S extends z.ZodMiniType> = {
  slug: string;
  words: Words;
  /** The rule of the form. */
  schema: S;
  icon: ReactNode;
  thing: Read<T[]>;
  may: { add: boolean; change: boolean; name: boolean };
  facts: (thing: T) => string;
  choices: readonly Choices<T>[];
  create: (body: z.output<S>) => Promise<Result<unknown>>;
  update: (id: string, change: z.output<S>) => Promise<Result<unknown>>;
  remove: (id: string) => Promise<Result<unknown>>;
  /** What else can be done with one. */
  open?: (thing: T) => ReactNode;
};

/** The categories or the tags of an organisation: its own, and those it has from above. */
export const NamedList = <T extends Named, S extends z.ZodMiniType>({
  slug,
  words,
  schema,
  icon,
  thing: { state, retry },
  may,
  facts,
  choices,
  create,
  update,
  remove,
  open: opened,
}: Props<T, S>) => {
  const [open, setOpen] = useState<string | null>(null);
  const done = (changed: boolean) => {
    setOpen(null);
    if (changed) retry();
  };
  const things = state.kind === 'here' ? state.thing : [];
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {words.title}
        </Title>
        {may.add && open !== 'new' && <Button onClick={() => setOpen('new')}>Add a {words.one}</Button>}
      </div>
      <p className={layout.count}>{words.about}</p>
      {open === 'new' && <NamedForm words={words} schema={schema} thing={null} mayName choices={choices} save={create} onDone={done} />}
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
                schema={schema}
                thing={thing}
                mayName={may.name && thing.editable}
                choices={choices}
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
