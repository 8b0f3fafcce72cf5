import type { Line } from '#tests/faults/real/real-device.ts';

/**
 * An offline queue under test, ours or another, used as its documentation shows. A killed tab never continues; `open` starts the
 * next one on the same store.
 */
export type Peer = {
  name: string;
  /** Opens the app on the stored data. */
  open(): Promise<void>;
  /** Stores an item and resolves with its id once the queue reports it as stored. */
  add(): Promise<string>;
  /** Sends waiting items, as on reconnection. Resolves when there is nothing more to try for now. */
  send(): Promise<void>;
  /** Number of waiting items. */
  waiting(): Promise<number>;
  /** Items of which the app was told that they cannot be sent. */
  refused(): ReadonlySet<string>;
  /** How often the server has received each item, in order of arrival. */
  received(): Promise<Map<string, number>>;
  close(): Promise<void>;
};

/** Creates a queue with a connection to its server, which the campaign disturbs. */
export type MakePeer = (line: (real: Line) => Line) => Promise<Peer>;

/** A server that applies each key once and repeats its first answer. */
export class KeyedServer {
  readonly items = new Map<string, number>();
  private readonly keys = new Map<string, string>();
  readonly line: Line = async (_path, init) => {
    const key = new Headers(init.headers).get('idempotency-key') ?? '';
    const { id } = JSON.parse(String(init.body)) as { id: string };
    if (!this.keys.has(key)) {
      this.keys.set(key, id);
      this.items.set(id, (this.items.get(id) ?? 0) + 1);
    }
    return new Response(JSON.stringify({ id }), { status: 200, headers: { 'Content-Type': 'application/json', 'X-Lantern': '1' } });
  };
}
