import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { type CallData, type CallInput, call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { ErrorState } from '#src/ui/states.tsx';

type Path = '/h5ps' | '/content';
type Thing<P extends Path> = CallData<`GET ${P}/{id}`>;
type Fields<P extends Path> = CallInput<`POST ${P}`>['body'];
export type AuthoredForm<P extends Path> = {
  thing: Thing<P> | null;
  save: (fields: Fields<P>) => Promise<Result<Thing<P>>>;
  success: string;
  onSaved: () => void;
  more?: ReactNode;
};
type Of<P extends Path> = {
  /** The address of the list that it belongs to. */
  list: string;
  words: { add: string; heading: string; one: string; name: string; question: string };
  said: { created: string; updated: string; deleted: string };
  /** What of the form is sent where one is changed. */
  changes: (fields: Fields<P>) => object;
  /** Why one cannot be changed here. */
  refusal?: (thing: Thing<P>) => string | null;
  Form: (props: AuthoredForm<P>) => ReactNode;
};

/** The page on which authored content of one kind is added, and the page on which it is changed and removed. */
export const authoredPages = <P extends Path>(at: P, { list, words, said, changes, refusal, Form }: Of<P>) => {
  // Both kinds are called alike: typed as one of them here, and by `P` for their forms.
  const path = at as unknown as '/h5ps';
  type Saved = Promise<Result<Thing<P>>>;

  const Create = () => {
    const navigate = useNavigate();
    return (
      <div className={layout.page}>
        <Title order={1} className={layout.title}>
          {words.add}
        </Title>
        <Form
          thing={null}
          save={(body) => call(`POST ${path}`, { body: body as never }) as unknown as Saved}
          success={said.created}
          onSaved={() => void navigate(list)}
        />
      </div>
    );
  };

  const Update = () => {
    const { id = '' } = useParams();
    const navigate = useNavigate();
    const { state, retry } = useRead(`GET ${path}/{id}`, { params: { id } });
    const back = () => void navigate(list);
    const remove = useAction(() => call(`DELETE ${path}/{id}`, { params: { id } }), { success: said.deleted, onDone: back });
    const thing = state.kind === 'here' ? (state.thing as unknown as Thing<P>) : null;
    const refused = thing && refusal?.(thing);
    return (
      <div className={layout.page}>
        <Title order={1} className={layout.title}>
          {thing?.title ?? words.heading}
        </Title>
        <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${words.name}`} offline={`Changing ${words.one} needs a connection.`} />
        {refused && <ErrorState message={refused} onRetry={retry} />}
        {thing && !refused && (
          <Form
            key={thing.id}
            thing={thing}
            save={(fields) => call(`PATCH ${path}/{id}`, { params: { id }, body: changes(fields) as never }) as unknown as Saved}
            success={said.updated}
            onSaved={back}
            more={<DeleteButton question={words.question} onDelete={() => void remove.run()} />}
          />
        )}
      </div>
    );
  };

  return { Create, Update };
};
