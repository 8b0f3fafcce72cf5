import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { CachePersistor, type PersistentStorage } from 'apollo3-cache-persist';
import { protocol } from '#contract/protocol.ts';
import { apiBase, csrfHeaders } from '#src/api/transport.ts';

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
        const actingAs = localStorage.getItem('graphQLActingAs');
        return { headers: { ...headers, ...(await csrfHeaders()), ...(actingAs ? { 'X-Acting-As': JSON.parse(actingAs) as string } : {}) } };
      }),
      new HttpLink({ uri: `${apiBase}/graphql`, credentials: 'include', fetchOptions: { redirect: 'manual', signal: undefined } }),
    ]),
    defaultOptions: { watchQuery: { fetchPolicy: 'no-cache', errorPolicy: 'ignore' }, query: { fetchPolicy: 'no-cache', errorPolicy: 'all' } },
  });
  return { client, persist: () => persistor.persist(), pageSize: protocol.graphPageSizeAll };
};
export type GraphClient = Awaited<ReturnType<typeof createGraphClient>>;
