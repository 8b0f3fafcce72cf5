import { Worker } from 'node:worker_threads';
import type { Line } from '#tests/faults/real/real-device.ts';
import type { Matter, Side } from '#tests/faults/two-devices/side.ts';
import type { Asked, Told } from '#tests/faults/two-devices/side-worker.ts';

type Methods = 'begin' | 'work' | 'send' | 'look' | 'settle' | 'last' | 'end';

/** A device in a thread of its own, used for one history after another. */
export class SideThread {
  private readonly worker = new Worker(new URL('side-worker.ts', import.meta.url));
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private readonly line: Line;
  private no = 0;
  constructor(line: Line) {
    this.line = line;
    this.worker.on('message', (told: Told) => void this.hear(told));
    this.worker.on('error', (error) => {
      for (const { reject } of this.waiting.values()) reject(error);
    });
  }
  private async hear(told: Told): Promise<void> {
    if (told.kind === 'request') {
      const { no, path, method, headers, body } = told;
      const answer = await this.line(path, { method, headers, body: body as BodyInit | null });
      const content = answer.body === null ? null : new Uint8Array(await answer.arrayBuffer());
      this.ask({ no, kind: 'answer', status: answer.status, headers: [...answer.headers], body: content });
      return;
    }
    const { resolve, reject } = this.waiting.get(told.no) ?? {};
    this.waiting.delete(told.no);
    if (told.kind === 'done') resolve?.(told.value);
    else reject?.(new Error(told.message));
  }
  private ask(asked: Asked): void {
    this.worker.postMessage(asked);
  }
  private wait(asking: (no: number) => Asked): Promise<unknown> {
    const no = ++this.no;
    return new Promise((resolve, reject) => {
      this.waiting.set(no, { resolve, reject });
      this.ask(asking(no));
    });
  }
  /** Takes the device for a history. */
  async take(seed: number, matter: Matter): Promise<void> {
    await this.wait((no) => ({ no, kind: 'new', seed, matter }));
  }
  call<M extends Methods>(method: M, ...args: Parameters<Side[M]>): ReturnType<Side[M]> {
    return this.wait((no) => ({ no, kind: 'call', method, args })) as ReturnType<Side[M]>;
  }
  async close(): Promise<void> {
    await this.worker.terminate();
  }
}
