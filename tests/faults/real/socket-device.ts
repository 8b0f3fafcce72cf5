import type { ContentDocument } from '#contract/entities/content.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { FaultProxy } from '#tests/faults/real/fault-proxy.ts';
import { type InjectServer, startInjectServer } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';

const realFetch = globalThis.fetch;
/** A connection over a real socket. */
export const socketLine = (origin: () => string) => (path: string, init: RequestInit) => realFetch(`${origin()}${path}`, init);

export const courses = ['content:fire-safety', 'content:infection-control', 'content:safeguarding-adults'].map(demoId);

/** The real server on a real port, a proxy before it, and a device connected through the proxy. */
export class SocketWorld {
  server!: InjectServer;
  proxy!: FaultProxy;
  device!: RealDevice;
  learner!: { email: string; id: string };
  documents: ContentDocument[] = [];
  private origin = '';
  async start(): Promise<void> {
    this.server = await startInjectServer();
    const address = await this.server.app.listen({ port: 0, host: '127.0.0.1' });
    this.proxy = new FaultProxy(Number(new URL(address).port));
    this.origin = await this.proxy.listen();
  }
  /** A new person on a new device, with courses started. */
  async newcomer(begin = 1): Promise<void> {
    await this.device?.forget();
    this.proxy.choose = () => 'pass';
    this.device = new RealDevice(socketLine(() => this.origin));
    this.learner = await this.server.newLearner();
    const person = await this.device.signIn(this.learner.email);
    await this.device.open(person);
    if (this.documents.length === 0) for (const id of courses) this.documents.push(await this.device.document(id).catch(() => null as never));
    for (const document of this.documents.filter(Boolean).slice(0, begin)) await this.device.begin(document);
  }
  async readSome(random: () => number, count: number, course = 0): Promise<void> {
    const document = this.documents.filter(Boolean)[course] as ContentDocument;
    const topics = document.lessons.flatMap((l) => l.topics);
    for (let i = 0; i < count; i++)
      await this.device.read(
        document.id,
        topics[Math.floor(random() * topics.length)] as { id: string; title: string },
        random() < 0.5,
        1 + Math.floor(random() * 20),
      );
  }
  async close(): Promise<void> {
    await this.device?.forget();
    await this.proxy.close();
    await this.server.close();
  }
}
