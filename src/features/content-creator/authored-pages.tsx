import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { PresenceKind } from '#contract/entities/presence.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { useSession } from '#src/access/session.ts';
import { type CallData, type CallInput, call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { AlsoHere } from '#src/screens/authoring/also-here.tsx';
import { type Conflict, useRevised } from '#src/screens/revised.tsx';
import type { DraftOf } from '#src/screens/form-draft.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { type Failed, useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';

type Path = '/h5ps' | '/content' | '/courses' | '/lessons' | '/topics' | '/quizzes';
export type Authored<P extends Path> = CallData<`GET ${P}/{id}`>;
type Fields<P extends Path> = CallInput<`POST ${P}`>['body'];
export type AuthoredForm<P extends Path> = {
  thing: Authored<P> | null;
  save: (fields: Fields<P>) => Promise<Result<Authored<P>> | Failed>;
  success: string;
  onSaved: (answer: Authored<P>) => void;
  /** The version that somebody else saved after this one was opened. */
  conflict?: Conflict<Authored<P>> | null;
  /** The version that a draft stored on this device edits. */
  draft: Omit<Exclude<DraftOf, string>, 'name'>;
  more?: ReactNode;
};
/** The detail page's content: the thing, its form, and a callback after a change. */
export type AuthoredPage<P extends Path> = {
  thing: Authored<P>;
  onChange: (thing: Authored<P>) => void;
  form: ReactNode;
  /** Who else has it open. */
  others: ReactNode;
};
type Of<P extends Path> = {
  /** The address of its list. */
  list: string;
  /** Permissions to add one, and to change it. */
  needs: { add: PermissionSlug; change: PermissionSlug };
  words: { add: string; heading: string; one: string; name: string; question: string | ((thing: Authored<P>) => string) };
  said: { created: string; updated: string; deleted: string };
  /** The changed fields to send. */
  changes: (fields: Fields<P>) => object;
  /** Why one is read-only here, and the alternative. */
  refusal?: (thing: Authored<P>) => { why: string; instead?: ReactNode } | null;
  /** The read-only view. */
  also?: (thing: Authored<P>) => ReactNode;
  /** The confirmation of a deletion, if a sentence is not enough. */
  removal?: (props: { thing: Authored<P>; busy: boolean; onDelete: () => void }) => ReactNode;
  /** Further actions beside deletion. */
  beside?: (thing: Authored<P>) => ReactNode;
  Form: (props: AuthoredForm<P>) => ReactNode;
  /** The detail page, if it has more than the form; it opens after one was added and stays open. */
  Page?: (props: AuthoredPage<P>) => ReactNode;
  one?: (id: string) => string;
};

/** The noun for each in messages about who has it open. */
const kindOf = {
  ...{ '/courses': 'course', '/content': 'content', '/lessons': 'lesson', '/topics': 'topic', '/quizzes': 'quiz', '/h5ps': 'h5p' },
} as const satisfies Record<Path, PresenceKind>;
/** The name of the draft of something new. */
const ofNothing = { rev: undefined, resumed: () => undefined };

/** The pages of one kind of authored content: one to add it, and one to change and delete it. */
export const authoredPages = <P extends Path>(
  at: P,
  { list, needs, words, said, changes, refusal, also, removal, beside, Form, Page, one = () => list }: Of<P>,
) => {
  // All kinds have the same calls: typed as one of them here, and by `P` for their forms.
  const path = at as unknown as '/lessons';
  type Thing = Authored<P>;
  type Saved = Promise<Result<Thing>>;

  const Create = () => {
    const navigate = useNavigate();
    const mayAdd = can(useSession(), needs.add);
    return (
      <div className={layout.page}>
        <Title order={1} className={layout.title}>
          {words.add}
        </Title>
        {mayAdd ? (
          <Form
            thing={null}
            save={(body) => call(`POST ${path}`, { body: body as unknown as Fields<'/lessons'> }) as unknown as Saved}
            success={said.created}
            draft={ofNothing}
            onSaved={({ id }) => void navigate(one(id))}
          />
        ) : (
          <EmptyState title="You cannot add one">You do not have the permission to add {words.one}.</EmptyState>
        )}
      </div>
    );
  };

  const Loaded = ({ read }: { read: Thing }) => {
    const navigate = useNavigate();
    const { thing, round, set, save, draft, conflict } = useRevised(read);
    const { id } = thing;
    const back = () => void navigate(list);
    const remove = useAction(() => call(`DELETE ${path}/{id}`, { params: { id } }), { success: said.deleted, onDone: back });
    const form = (
      <Form
        key={round}
        thing={thing}
        save={(fields) =>
          save(
            (rev) =>
              call(`PATCH ${path}/{id}`, {
                params: { id },
                body: { ...changes(fields), ...(rev === undefined ? {} : { rev }) },
              }) as unknown as Saved,
          )
        }
        success={said.updated}
        onSaved={Page ? () => undefined : back}
        conflict={conflict}
        draft={draft}
        more={
          <>
            {beside?.(thing)}
            {removal?.({ thing, busy: remove.busy, onDelete: () => void remove.run() }) ?? (
              <DeleteButton
                question={typeof words.question === 'string' ? words.question : words.question(thing)}
                onDelete={() => void remove.run()}
              />
            )}
          </>
        }
      />
    );
    const others = <AlsoHere kind={kindOf[at]} id={id} what={words.name} />;
    if (Page) return <Page thing={thing} onChange={set} form={form} others={others} />;
    return (
      <div className={layout.page}>
        <Title order={1} className={layout.title}>
          {thing.title}
        </Title>
        {others}
        {form}
      </div>
    );
  };

  const Update = () => {
    const { id = '' } = useParams();
    const user = useSession();
    const { state, retry } = useRead(`GET ${path}/{id}`, { params: { id } });
    const thing = state.kind === 'loaded' ? (state.data as unknown as Thing) : null;
    const refused = thing && (can(user, needs.change) ? refusal?.(thing) : { why: 'You do not have the permission to change it.', instead: null });
    if (thing && !refused) return <Loaded key={id} read={thing} />;
    return (
      <div className={layout.page}>
        <Title order={1} className={layout.title}>
          {thing?.title ?? words.heading}
        </Title>
        <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${words.name}`} offline={`Changing ${words.one} needs a connection.`} />
        {refused && (
          <EmptyState title="This cannot be changed here" action={refused.instead}>
            {refused.why}
          </EmptyState>
        )}
        {refused && also?.(thing as Authored<P> & typeof thing)}
      </div>
    );
  };

  return { Create, Update };
};
