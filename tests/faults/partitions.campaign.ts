import { Worker } from 'node:worker_threads';
import type { Campaign } from '#tests/faults/campaign.ts';
import { type InjectServer, startInjectServer, truthOf } from '#tests/faults/real/inject-server.ts';
import type { Saved } from '#tests/faults/real/real-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/** Five devices of one person, disconnected and reconnected at random; in the end all must see the same, with nothing waiting. */
const clients = 5;
const stormMs = 8000;
const drainedWithinMs = 30_000;
let server: InjectServer;
let origin = '';
let slowest = 0;

type Heard = { name: string; kind: string; count?: number; saved?: Saved[]; seen?: { topic_id: string }[] | null; message?: string };
class Client {
  private readonly worker: Worker;
  private readonly waiting: ((heard: Heard) => void)[] = [];
  constructor(name: string, email: string) {
    this.worker = new Worker(new URL('./real/client-worker.ts', import.meta.url), { workerData: { origin, email, name } });
    this.worker.on('message', (heard: Heard) => this.waiting.shift()?.(heard));
  }
  tell(kind: string, more: object = {}): void {
    this.worker.postMessage({ kind, ...more });
  }
  async ask(kind: string): Promise<Heard> {
    const heard = await new Promise<Heard>((resolve) => {
      this.waiting.push(resolve);
      this.tell(kind);
    });
    if (heard.kind === 'error') throw new Error(heard.message);
    return heard;
  }
  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.worker.once('exit', resolve));
    this.tell('end');
    await ended;
  }
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const campaign: Campaign = {
  name: 'partitions',
  runs: { ci: 5, demand: 200 },
  prepare: async () => {
    server = await startInjectServer();
    origin = await server.app.listen({ port: 0, host: '127.0.0.1' });
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const learner = await server.newLearner();
    const all = Array.from({ length: clients }, (_, i) => new Client(`device ${i + 1}`, learner.email));
    await Promise.all(all.map((c) => c.ask('begin')));
    const until = Date.now() + stormMs;
    await Promise.all(
      all.map(async (client) => {
        while (Date.now() < until) {
          client.tell(random() < 0.5 ? 'cut' : 'heal');
          for (let i = 0; i < 4; i++) {
            client.tell('read', { topic: Math.floor(random() * 40) });
            await pause(50 + random() * 200);
          }
        }
      }),
    );
    for (const client of all) client.tell('heal');
    const healed = Date.now();
    const wrong: string[] = [];
    let counts: number[] = [];
    do {
      counts = (await Promise.all(all.map((c) => c.ask('waiting')))).map((h) => h.count as number);
      if (counts.some((c) => c > 0)) await pause(100);
    } while (counts.some((c) => c > 0) && Date.now() - healed < drainedWithinMs);
    slowest = Math.max(slowest, Date.now() - healed);
    for (const [i, count] of counts.entries())
      if (count > 0) wrong.push(`device ${i + 1} still has ${count} entries ${drainedWithinMs} ms after healing`);
    const views = await Promise.all(all.map((c) => c.ask('view')));
    const sorted = (v: Heard) => JSON.stringify([...(v.seen ?? [])].sort((a, b) => (a.topic_id < b.topic_id ? -1 : 1)));
    if (new Set(views.map(sorted)).size !== 1) wrong.push('the devices do not see the same');
    // The server's total must equal the sum of all devices.
    const counted = new Map<string, number>();
    for (const view of views) {
      const last = new Map((view.saved ?? []).map((s) => [s.topic as string, s.seconds as number]));
      for (const [topic, seconds] of last) counted.set(topic, (counted.get(topic) ?? 0) + seconds);
    }
    for (const p of (await truthOf(server.database, learner.id)).progress) {
      const there = Object.values(p.seconds).reduce((a, b) => a + b, 0);
      if (there !== counted.get(p.topic_id))
        wrong.push(`${p.topic_id} counts ${there} s on the server and ${counted.get(p.topic_id)} s on the devices`);
      counted.delete(p.topic_id);
    }
    for (const topic of counted.keys()) wrong.push(`${topic} never reached the server`);
    await Promise.all(all.map((c) => c.end()));
    return wrong;
  },
  facts: () => `drained ${slowest} ms after healing at most`,
  finish: () => server.close(),
};
