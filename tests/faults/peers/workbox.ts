import '#tests/faults/peers/as-in-a-worker.ts';
import type { Queue as WorkboxQueue } from 'workbox-background-sync';
import { KeyedServer, type MakePeer } from '#tests/faults/peers/peer.ts';

/** `workbox-background-sync` with its default replay: any answer counts as sent. */
const { Queue } = await import('workbox-background-sync');
let stores = 0;

export const workbox: MakePeer = async (bad) => {
  const server = new KeyedServer();
  const line = bad(server.line);
  const name = `peer-${++stores}`;
  let queue: WorkboxQueue;
  const used = globalThis.fetch;
  return {
    name: 'workbox-background-sync',
    open: async () => {
      (Queue as unknown as { _queueNames: Set<string> })._queueNames.clear();
      // Automatic replay is disabled; `send` starts it.
      queue = new Queue(name, { forceSyncFallback: true, onSync: async () => undefined });
    },
    add: async () => {
      const id = crypto.randomUUID();
      const request = new Request('http://peer.test/items', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': id },
        body: JSON.stringify({ id }),
      });
      await queue.pushRequest({ request });
      return id;
    },
    send: async () => {
      globalThis.fetch = (async (input: Request) =>
        line(new URL(input.url).pathname, { method: input.method, headers: input.headers, body: await input.text() })) as unknown as typeof fetch;
      await queue.replayRequests().catch(() => undefined);
    },
    waiting: () => queue.size(),
    refused: () => new Set(),
    received: async () => server.items,
    close: async () => {
      globalThis.fetch = used;
    },
  };
};
