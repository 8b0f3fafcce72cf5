import type { Campaign } from '#tests/faults/campaign.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/**
 * The disk is full at each of the first hundred writes, at the request or at the commit. What the device reported as saved must
 * exist after a restart; what it refused must have left nothing.
 */
const topic = (i: number) => ({ id: `00000000-0000-4000-a000-${String(i).padStart(12, '0')}`, title: `Page ${i}` });
const document = {
  id: '00000000-0000-4000-a000-0000000000c1',
  version: 1,
  title: 'A course',
  course: { id: '00000000-0000-4000-a000-0000000000c1', title: 'A course', short_title: 'Course' },
} as never;
const content = '00000000-0000-4000-a000-0000000000c1';
const full = () => new DOMException('The disk is full.', 'QuotaExceededError');

/** Makes the k-th write from now on fail. */
const fillAt = (k: number, late: boolean): (() => void) => {
  const store = IDBObjectStore.prototype;
  const { add, put } = store;
  let writes = 0;
  const wrapped = (real: typeof add) =>
    function (this: IDBObjectStore, ...args: Parameters<typeof add>) {
      writes++;
      if (writes !== k) return real.apply(this, args);
      if (!late) throw full();
      const request = real.apply(this, args);
      request.addEventListener('success', () => {
        try {
          this.transaction.abort();
        } catch {
          // It had ended already.
        }
      });
      return request;
    };
  store.add = wrapped(add);
  store.put = wrapped(put);
  return () => {
    store.add = add;
    store.put = put;
  };
};

export const campaign: Campaign = {
  name: 'quota',
  runs: { ci: 100, demand: 100 },
  once: async (seed) => {
    const random = randomFrom(seed);
    const device = new RealDevice(() => Promise.reject(new TypeError('fetch failed')));
    await device.open({ uuid: crypto.randomUUID() });
    await device.begin(document);
    const restore = fillAt(((seed - 1) % 100) + 1, random() < 0.5);
    const said: { topic: string; saved: boolean }[] = [];
    for (let i = 0; i < 50; i++) said.push({ topic: topic(i).id, saved: await device.read(content, topic(i), true, 1) });
    restore();
    await device.restart(false);
    const entries = await device.db.outbox.toArray();
    const rows = new Set((await device.db.topicProgress.toArray()).map((r) => r.topic_id));
    const wrong: string[] = [];
    for (const { topic: id, saved } of said) {
      const entry = entries.some((e) => (e.args as { topic_id?: string }).topic_id === id);
      if (saved && !(entry && rows.has(id))) wrong.push(`${id} was called saved and is not there`);
      if (!saved && (entry || rows.has(id))) wrong.push(`${id} was refused and is there by half`);
    }
    if (said.every((s) => s.saved)) wrong.push('the disk was never full');
    await device.forget();
    return wrong;
  },
};
