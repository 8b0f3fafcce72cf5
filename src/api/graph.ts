import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { CachePersistor, type PersistentStorage } from 'apollo3-cache-persist';
import { errors } from '#contract/errors.ts';
import { protocol } from '#contract/protocol.ts';
import { placeHeaders } from '#src/api/acting-as.ts';
import { noteRefused } from '#src/api/call.ts';
import { apiBase, csrfHeaders, forgetCsrfToken } from '#src/api/transport.ts';

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'ignore';
      }
      interface Query {
        errorPolicy: 'all';
      }
    }
  }
}

/** Sends it again with a new anti-forgery token where the one it had is no longer the cookie's: another call may have fetched one at the same time. */
const fetchTwice: typeof fetch = async (uri, init) => {
  const response = await fetch(uri, init);
  if (response.status !== errors.csrf_mismatch.status) return response;
  forgetCsrfToken();
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(await csrfHeaders())) headers.set(name, value);
  return fetch(uri, { ...init, headers });
};

/**
 * The GraphQL client of one person. Its defaults are the specification's: nothing is cached and errors of watched queries
 * are ignored, unless a query asks for the cache because it is needed offline. The cache is kept in `storage`, which
 * belongs to the person and goes with them.
 */
export const createGraphClient = async (storage: PersistentStorage<string>) => {
  const cache = new InMemoryCache({ typePolicies: { Event: { keyFields: ['id'] }, EventCounts: { keyFields: [] } } });
  const persistor = new CachePersistor({ cache, storage, debounce: 200, maxSize: false });
  await persistor.restore().catch(() => persistor.purge());
  const client = new ApolloClient({
    cache,
    link: ApolloLink.from([
      new SetContextLink(async ({ headers }) => {
        return { headers: { ...headers, ...(await csrfHeaders()), ...placeHeaders() } };
      }),
      // Whose session has ended signs in again, as with any other call.
      new ErrorLink(({ error }) => {
        noteRefused(Number(firstGraphError(error)?.extensions?.status));
      }),
      new HttpLink({ uri: `${apiBase}/graphql`, credentials: 'include', fetch: fetchTwice, fetchOptions: { redirect: 'manual', signal: undefined } }),
    ]),
    defaultOptions: { watchQuery: { fetchPolicy: 'no-cache', errorPolicy: 'ignore' }, query: { fetchPolicy: 'no-cache', errorPolicy: 'all' } },
  });
  return { client, persist: () => persistor.persist(), pageSize: protocol.graphPageSizeAll };
};
/** What the graph refused of a call, the first of it; undefined where `error` is something else. */
export const firstGraphError = (error: unknown) => (CombinedGraphQLErrors.is(error) ? error.errors[0] : undefined);

export type GraphClient = Awaited<ReturnType<typeof createGraphClient>>;
