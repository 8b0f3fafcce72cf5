import { createGraphClient, type GraphClient } from '#src/api/graph.ts';
export { firstGraphError } from '#src/api/graph.ts';
import { personDb } from '#src/offline/store/person-db.ts';

let kept: { personId: string; graph: Promise<GraphClient> } | null = null;

/** The signed-in person's GraphQL client, with its cache in their database. One for each person, made when first needed. */
export const graphClient = (personId: string): Promise<GraphClient> => {
  if (kept?.personId !== personId) {
    const { kv } = personDb(personId);
    kept = {
      personId,
      graph: createGraphClient({
        // The library asks for null where there is nothing; its type leaves that out.
        getItem: async (key) => ((await kv.get(key))?.value ?? null) as string,
        setItem: async (key, value) => {
          await kv.put({ key, value });
        },
        removeItem: async (key) => {
          await kv.delete(key);
        },
      }),
    };
  }
  return kept.graph;
};
