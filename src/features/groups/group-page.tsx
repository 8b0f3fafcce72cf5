import { Button, Checkbox, TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/groups/groups.module.css';
import { countOf } from '#src/lib/format.ts';
import { Form, FormSection, notPermitted } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import type { Read } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { IconPeople } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Group = { id: string; name: string; people: number; editable: boolean; inspectable?: boolean; entity: { name: string; slug: string } };
type Words = { title: string; one: string; many: string; about: string; inspectable?: string };

type Rule = z.ZodMiniType<{ name: string }, { name: string; inspectable?: boolean | undefined }>;

type FormProps<S extends Rule> = {
  words: Words;
  schema: S;
  group: Group | null;
  mayChange: boolean;
  save: (fields: z.output<S>) => Promise<Result>;
  success: string;
  onSaved: () => void;
  onCancel: () => void;
  remove?: ReactNode;
};
const GroupForm = <S extends Rule>({ words, schema, group, mayChange, save, success, onSaved, onCancel, remove }: FormProps<S>) => {
  const fields = useForm({
    schema,
    begin: { name: group?.name ?? '', inspectable: group?.inspectable ?? true },
    toInput: (typed) => typed as never,
    save,
    success,
    onSaved,
    locked: () => !mayChange && notPermitted,
  });
  return (
    <Form
      form={fields}
      label={group ? group.name : `Add a ${words.one}`}
      save={mayChange && 'Save'}
      beside={
        <>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          {remove}
        </>
      }
    >
      <FormSection>
        <TextInput label="Name" maxLength={200} {...fields.field('name')} />
        {words.inspectable && <Checkbox label={words.inspectable} {...fields.checkbox('inspectable')} />}
      </FormSection>
    </Form>
  );
};

type Props<G extends Group, S extends Rule> = {
  slug: string;
  words: Words;
  /** The rule of the form. */
  schema: S;
  thing: Read<G[]>;
  may: { add: boolean; change: boolean; remove: boolean };
  create: (fields: z.output<S>) => Promise<Result>;
  update: (id: string, fields: z.output<S>) => Promise<Result>;
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
export const GroupPage = <G extends Group, S extends Rule>({
  slug,
  words,
  schema,
  thing: { state, retry },
  may,
  create,
  update,
  remove,
  said,
  facts,
  open: opened,
  head,
}: Props<G, S>) => {
  const [open, setOpen] = useState<string | null>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    retry();
  };
  const removal = useAction(remove, { success: said.deleted, onDone: done });
  const groups = state.kind === 'here' ? state.thing : [];
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {words.title}
        </Title>
        <div className={classes.actions}>
          {head}
          {may.add && <Button onClick={() => setOpen('new')}>Add a {words.one}</Button>}
        </div>
      </div>
      <p className={layout.count}>{words.about}</p>
      {open === 'new' && (
        <GroupForm words={words} schema={schema} group={null} mayChange save={create} success={said.created} onSaved={done} onCancel={close} />
      )}
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
                schema={schema}
                group={group}
                mayChange={may.change}
                save={(fields) => update(group.id, fields)}
                success={said.updated}
                onSaved={done}
                onCancel={close}
                remove={may.remove && <DeleteButton question={`Delete “${group.name}”?`} onDelete={() => void removal.run(group.id)} />}
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
