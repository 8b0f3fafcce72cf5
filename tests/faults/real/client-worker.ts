import '#tests/faults/real/own-navigator.ts';
import 'fake-indexeddb/auto';
import { parentPort, workerData } from 'node:worker_threads';
import type { ContentDocument } from '#contract/entities/content.ts';
import { request } from '#src/api/transport.ts';
import { keepReplaying } from '#src/offline/engine.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { courses } from '#tests/faults/real/socket-device.ts';

/** A device in its own thread, with the engine running as in a page; the connection is controlled from outside. */
const { origin, email, name } = workerData as { origin: string; email: string; name: string };
const target = new EventTarget();
Object.assign(globalThis, {
  addEventListener: target.addEventListener.bind(target),
  removeEventListener: target.removeEventListener.bind(target),
});
const realFetch = globalThis.fetch;
let cut = false;
const device = new RealDevice(async (path, init) => {
  if (cut) throw new TypeError('fetch failed');
  const answer = await realFetch(`${origin}${path}`, init);
  // The connection broke during the answer.
  if (cut) throw new TypeError('terminated');
  return answer;
});
const content = courses[0] as string;
let document: ContentDocument;
let stop: () => void = () => undefined;

const tell = (value: object) => parentPort?.postMessage({ name, ...value });
parentPort?.on('message', (message: { kind: string; topic?: number }) => {
  void (async () => {
    switch (message.kind) {
      case 'begin': {
        await device.open(await device.signIn(email));
        document = await device.document(content);
        await device.begin(document);
        stop = keepReplaying(device.person?.uuid as string, () => undefined).stop;
        return tell({ kind: 'ready' });
      }
      case 'read': {
        const topics = document.lessons.flatMap((l) => l.topics);
        const topic = topics[(message.topic as number) % topics.length] as { id: string; title: string };
        await device.read(content, topic, (message.topic as number) % 2 === 0, 1);
        return undefined;
      }
      case 'cut':
        cut = true;
        return undefined;
      case 'heal':
        cut = false;
        return undefined;
      case 'waiting':
        return tell({ kind: 'waiting', count: await device.db.outbox.count() });
      case 'view': {
        const seen = await request<{ progress: object[]; rev: number }>('GET', `/attempts/${device.attemptId(content)}`);
        return tell({ kind: 'view', saved: device.saved, seen: seen.kind === 'ok' ? seen.data.progress : null });
      }
      case 'end':
        stop();
        return process.exit(0);
    }
    return undefined;
  })().catch((error: Error) => tell({ kind: 'error', message: error.stack }));
});
