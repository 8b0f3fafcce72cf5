import '#tests/faults/real/own-navigator.ts';
import 'fake-indexeddb/auto';
import { parentPort } from 'node:worker_threads';
import { whenAsked } from '#src/offline/outbox/commit.ts';
import { askAgainWhereAgreed } from '#src/offline/outbox/resolve.ts';
import type { Line } from '#tests/faults/real/real-device.ts';
import { type Matter, Side } from '#tests/faults/two-devices/side.ts';

/** A device in a thread of its own, with a store, modules and cookies of its own; its line to the server leads through whoever started it. */
export type Asked = { no: number } & (
  | { kind: 'new'; seed: number; matter: Matter }
  | { kind: 'call'; method: 'begin' | 'work' | 'send' | 'look' | 'settle' | 'last' | 'end'; args: unknown[] }
  | { kind: 'answer'; status: number; headers: [string, string][]; body: Uint8Array | null }
);
export type Told =
  | { no: number; kind: 'request'; path: string; method: string; headers: [string, string][]; body: string | Uint8Array | null }
  | { no: number; kind: 'done'; value: unknown }
  | { no: number; kind: 'failed'; message: string };

// As the app does (src/device/engine-lifetime.ts).
whenAsked((db, lane) => askAgainWhereAgreed(db, lane));
const tell = (told: Told) => parentPort?.postMessage(told);
type Answer = Extract<Asked, { kind: 'answer' }>;
const waiting = new Map<number, (answer: Answer) => void>();
let requests = 0;
const line: Line = async (path, init) => {
  const no = ++requests;
  const { body = null } = init;
  const answered = new Promise<Answer>((resolve) => waiting.set(no, resolve));
  tell({
    ...{ no, kind: 'request', path, method: init.method ?? 'GET', headers: [...new Headers(init.headers)] },
    body: body === null || typeof body === 'string' ? body : new Uint8Array(body as ArrayBuffer),
  });
  const { status, headers, body: content } = await answered;
  return new Response(content as Uint8Array<ArrayBuffer> | null, { status, headers });
};
let side: Side;
parentPort?.on('message', (asked: Asked) => {
  if (asked.kind === 'answer') {
    waiting.get(asked.no)?.(asked);
    waiting.delete(asked.no);
    return;
  }
  const run = async (): Promise<unknown> => {
    if (asked.kind === 'call') return (side[asked.method] as (...args: unknown[]) => Promise<unknown>)(...asked.args);
    side = new Side(line, asked.seed, asked.matter);
    return undefined;
  };
  run().then(
    (value) => tell({ no: asked.no, kind: 'done', value }),
    (error: Error) => tell({ no: asked.no, kind: 'failed', message: error.stack ?? error.message }),
  );
});
