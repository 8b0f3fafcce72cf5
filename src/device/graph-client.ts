import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { print } from '@apollo/client/utilities';
import { CachePersistor } from 'apollo3-cache-persist';
import { TypedDocumentString } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import { storedAnswersKey } from '#src/device/stored-answers-key.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** Sends an operation like every other call. A refused or failed one throws and is not stored. */
const transport = new ApolloLink(
  ({ query, variables }) =>
    new Observable((observer) => {
      void graphCall(new TypedDocumentString(print(query)), variables).then((answer) => {
        if (answer.kind !== 'ok') return observer.error(new Error(answer.kind));
        observer.next({ data: answer.data as Record<string, unknown> });
        observer.complete();
      });
    }),
);

const create = async (personId: string) => {
  const { kv } = personDb(personId);
  const cache = new InMemoryCache({ typePolicies: { Event: { keyFields: ['id'] }, EventCounts: { keyFields: [] } } });
  const persistor = new CachePersistor({
    key: storedAnswersKey,
    cache,
    debounce: 200,
    maxSize: false,
    storage: {
      // The library requires null for missing values, which its type does not say.
      getItem: async (key) => ((await kv.get(key))?.value ?? null) as string,
      setItem: async (key, value) => void (await kv.put({ key, value })),
      removeItem: async (key) => kv.delete(key),
    },
  });
  await persistor.restore().catch(() => persistor.purge());
  return { client: new ApolloClient({ cache, link: transport }), persist: () => persistor.persist() };
};

let current: { personId: string; graph: ReturnType<typeof create> } | null = null;
/** One client per person, created on first use, with its cache in their store: it is deleted with their data. */
const graphOf = (personId: string) => {
  if (current?.personId !== personId) current = { personId, graph: create(personId) };
  return current.graph;
};

type Read<D, V> = { personId: string; document: TypedDocumentString<D, V>; variables: V & Record<string, unknown> };

/**
 * The last stored answer to this query, for offline use. Fields that only a newer version of the app requests are missing in an answer
 * stored by an older one.
 */
export const keptAnswer = async <D, V>({ personId, document, variables }: Read<D, V>): Promise<D | null> => {
  const query = gql(document.toString());
  const { cache } = (await graphOf(personId)).client;
  const { result } = cache.diff<Partial<D>>({ query, variables, returnPartialData: true, optimistic: false });
  const fields = query.definitions.flatMap((d) => (d.kind === 'OperationDefinition' ? d.selectionSet.selections : []));
  const there = Object.keys(result ?? {});
  // A field without arguments is the same in every query: if only such a field is missing, a newer version has added it.
  const isThere = fields.every(
    (field) => field.kind === 'Field' && (field.arguments?.length === 0 || there.includes((field.alias ?? field.name).value)),
  );
  return isThere && there.length > 0 ? (result as D) : null;
};

/** Stores an answer that was fetched by `graphCall`. */
export const keepAnswer = async <D, V>({ personId, document, variables }: Read<D, V>, data: D): Promise<void> => {
  const { client, persist } = await graphOf(personId);
  client.writeQuery({ query: gql(document.toString()), variables, data: data as Record<string, unknown> });
  await persist();
};

/** Fetches and stores an answer; returns null if there is none. */
export const askAndKeep = async <D, V>({ personId, document, variables }: Read<D, V>): Promise<D | null> => {
  const { client, persist } = await graphOf(personId);
  const { data } = await client
    .query<D>({ query: gql(document.toString()), variables, fetchPolicy: 'network-only' })
    .catch(() => ({ data: undefined }));
  if (data === undefined) return null;
  await persist();
  return data as D;
};
