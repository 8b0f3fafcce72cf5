import { createCollection, localOnlyCollectionOptions } from '@tanstack/db';
import { IndexedDBAdapter, type OfflineExecutor, startOfflineExecutor } from '@tanstack/offline-transactions';
import { KeyedServer, type MakePeer } from '#tests/faults/peers/peer.ts';

/** `@tanstack/offline-transactions` with the mutation function of its documentation, which throws if the answer is not ok. */
let stores = 0;
type Item = { id: string };

export const tanstack: MakePeer = async (bad) => {
  const server = new KeyedServer();
  const line = bad(server.line);
  const name = `tanstack-${++stores}`;
  const refused = new Set<string>();
  const storage = () => new IndexedDBAdapter(name, 'outbox');
  let executor: OfflineExecutor;
  let online: () => void = () => undefined;
  let generation = 0;
  let busy = 0;
  const items = () => createCollection(localOnlyCollectionOptions<Item, string>({ id: `items-${name}-${++generation}`, getKey: (i) => i.id }));
  let collection = items();
  const open = async () => {
    // The previous tab has ended with its timers.
    executor?.dispose();
    collection = items();
    const own = ++generation;
    executor = startOfflineExecutor({
      collections: { items: collection },
      storage: storage(),
      jitter: false,
      leaderElection: {
        requestLeadership: async () => true,
        releaseLeadership: () => undefined,
        isLeader: () => true,
        onLeadershipChange: () => () => undefined,
      },
      onlineDetector: {
        subscribe: (listener) => {
          online = listener;
          return () => undefined;
        },
        notifyOnline: () => online(),
        isOnline: () => own === generation,
        dispose: () => undefined,
      },
      mutationFns: {
        saveItem: async ({ transaction, idempotencyKey }) => {
          busy++;
          try {
            const id = (transaction.mutations[0] as unknown as { modified: Item }).modified.id;
            const response = await line('/items', {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
              body: JSON.stringify({ id }),
            });
            if (!response.ok) throw new Error(`HTTP ${response.status}`);
            await response.json();
          } finally {
            busy--;
          }
        },
      },
    });
    await executor.waitForInit();
  };
  return {
    name: '@tanstack/offline-transactions',
    open,
    add: async () => {
      const id = crypto.randomUUID();
      const transaction = executor.createOfflineTransaction({ mutationFnName: 'saveItem', autoCommit: false });
      transaction.mutate(() => collection.insert({ id }));
      const before = (await executor.peekOutbox()).length;
      transaction.commit().catch(() => refused.add(id));
      // Stored means that it is in the outbox, or has already left it.
      for (let i = 0; i < 50 && (await executor.peekOutbox()).length <= before && !refused.has(id) && !server.items.has(id); i++)
        await new Promise((resolve) => setTimeout(resolve, 1));
      return id;
    },
    send: async () => {
      busy = 0;
      online();
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (let quiet = 0; quiet < 3; ) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        quiet = busy === 0 ? quiet + 1 : 0;
      }
    },
    waiting: async () => (await executor.peekOutbox()).length,
    refused: () => refused,
    received: async () => server.items,
    close: async () => executor.dispose(),
  };
};
