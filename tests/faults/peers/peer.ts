import type { Line } from '#tests/faults/real/real-device.ts';

/**
 * An offline queue under test: ours, or another's, used as its documentation shows. A killed tab never goes on; `open`
 * then starts the next one over the same store.
 */
export type Peer = {
  name: string;
  /** Opens the app, over what earlier tabs have stored. */
  open(): Promise<void>;
  /** Stores one thing to send, and answers when the queue says it is stored. Answers its id. */
  add(): Promise<string>;
  /** Sends what waits, as when the line comes back. Ends when the queue has nothing more to try for now. */
  send(): Promise<void>;
  /** How many things still wait. */
  waiting(): Promise<number>;
  /** The things of which the app was told that they cannot be sent. */
  told(): ReadonlySet<string>;
  /** How often the server has each thing, in the order in which they came. */
  received(): Promise<Map<string, number>>;
  close(): Promise<void>;
};

/** What a queue is given: the line to its server, which the campaign makes bad. */
export type MakePeer = (line: (real: Line) => Line) => Promise<Peer>;

/** A server that takes each key once, and answers a known one as it did the first time. */
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
