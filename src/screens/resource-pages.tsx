import { Button, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type * as z from 'zod/mini';
import { can, type Need } from '#contract/can.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { pathTo, type RouteId } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { type CallData, type CallInput, call, type EndpointKey } from '#src/api/call.ts';
import { Form } from '#src/screens/form.tsx';
import { ListPage, type ListWords } from '#src/screens/list-page.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';

/** The paths of resources that can be listed, returned, added, changed and deleted. */
type PathOf<K> = K extends `DELETE ${infer P}/{id}` ? (`PATCH ${P}/{id}` extends EndpointKey ? P : never) : never;
type ResourcePath = PathOf<EndpointKey>;
type RowOf<P extends ResourcePath> = CallData<`GET ${P}/{id}` & EndpointKey> & { id: string };

type Words<R> = ListWords & {
  /** The label of the button above the list. */
  add: string;
  /** The heading of the detail page, and a fallback until it has loaded. */
  heading: string;
  headingOf: (row: R) => string;
  /** The confirmation before deleting one. */
  question: string;
};
type Resource<S extends z.ZodMiniType, V extends object, R> = {
  routes: { list: RouteId; one: RouteId };
  /** Permission to add, change and delete; others see the list. */
  write: Need;
  icon: ReactNode;
  words: (brand: Whitelabel) => Words<R>;
  columns: readonly Column<R>[];
  /** The schema of the form. */
  schema: S;
  begin: (row: R | null) => V;
  toInput: Parameters<typeof useForm<S, V, R>>[0]['toInput'];
  Fields: (props: { form: ReturnType<typeof useForm<S, V, R>>; row: R | null }) => ReactNode;
  /** Shown above the form. */
  about?: (row: R) => ReactNode;
};

/** The pages of a resource: a list, with a form to add one, and a page that changes and deletes one. */
export const resourcePages = <P extends ResourcePath, S extends z.ZodMiniType, V extends object>(at: P, definition: Resource<S, V, RowOf<P>>) => {
  type Row = RowOf<P>;
  const { routes, words: wordsOf, columns, Fields } = definition;
  // All resources have the same calls: typed as one of them here, and by `P` for callers.
  const path = at as unknown as '/venues';
  const sortedBy = columns.flatMap(({ sort }) => (typeof sort === 'string' ? sort : []));
  const load = ((query, signal) => call(`GET ${path}`, { query: query as object }, { signal })) as LoadPage<unknown, string> as LoadPage<Row, string>;

  const ResourceForm = ({ row, onSaved, beside, more }: { row: Row | null; onSaved: () => void; beside: ReactNode; more?: ReactNode }) => {
    const form = useForm<S, V, Row>({
      schema: definition.schema,
      begin: () => definition.begin(row),
      latest:
        row !== null &&
        (async () => {
          const read = await call(`GET ${path}/{id}`, { params: { id: row.id } });
          return read.kind === 'ok' ? definition.begin(read.data as unknown as Row) : null;
        }),
      toInput: definition.toInput,
      save: (data) => {
        const body = data as unknown as CallInput<'POST /venues'>['body'];
        return (row ? call(`PATCH ${path}/{id}`, { params: { id: row.id }, body }) : call(`POST ${path}`, { body })) as Promise<never>;
      },
      success: 'Saved.',
      onSaved,
    });
    return (
      <Form form={form} beside={beside} more={more}>
        <Fields form={form} row={row} />
      </Form>
    );
  };

  const List = () => {
    const words = wordsOf(useBrand());
    const mayWrite = can(useSession(), definition.write);
    const list = useList([path], load, { sortedBy });
    const [adding, setAdding] = useState(false);
    return (
      <ListPage
        words={words}
        list={list}
        icon={definition.icon}
        add={mayWrite && !adding && <Button onClick={() => setAdding(true)}>{words.add}</Button>}
        form={
          adding && (
            <ResourceForm
              row={null}
              onSaved={() => {
                setAdding(false);
                list.retry();
              }}
              beside={
                <Button variant="default" onClick={() => setAdding(false)}>
                  Cancel
                </Button>
              }
            />
          )
        }
        columns={columns}
        to={({ id }) => (mayWrite ? pathTo(routes.one, { id, uuid: id }) : null)}
      />
    );
  };

  const One = () => {
    const words = wordsOf(useBrand());
    const { id: byId, uuid = '' } = useParams();
    const params = { id: byId ?? uuid };
    const navigate = useNavigate();
    const { state, retry } = useRead(`GET ${path}/{id}`, { params });
    const row = state.kind === 'loaded' ? (state.data as unknown as Row) : null;
    const back = () => void navigate(pathTo(routes.list));
    const remove = useAction(() => call(`DELETE ${path}/{id}`, { params }), { success: 'Deleted.', onDone: back });
    return (
      <div className={layout.page}>
        <Title order={1} className={layout.title}>
          {row ? words.headingOf(row) : words.heading}
        </Title>
        <ReadPlaceholder state={state} retry={retry} loading="Loading" offline="This needs a connection." />
        {row && (
          <>
            {definition.about && <p className={layout.count}>{definition.about(row)}</p>}
            <ResourceForm
              row={row}
              onSaved={back}
              beside={
                <Button variant="default" component={Link} to={pathTo(routes.list)}>
                  Back
                </Button>
              }
              more={<DeleteButton question={words.question} onDelete={() => void remove.run()} />}
            />
          </>
        )}
      </div>
    );
  };

  return { List, One };
};
