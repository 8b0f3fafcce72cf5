import type { Campaign } from '#tests/faults/campaign.ts';
import { compare } from '#tests/faults/real/compare.ts';
import { truthOf } from '#tests/faults/real/inject-server.ts';
import { RealDevice, type Saved } from '#tests/faults/real/real-device.ts';
import { SocketWorld } from '#tests/faults/real/socket-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/** The session ends at each request of a replay, or becomes that of another person who works on the same device. */
const world = new SocketWorld();

export const campaign: Campaign = {
  name: 'session',
  runs: { ci: 50, demand: 500 },
  prepare: () => world.start(),
  once: async (seed) => {
    const random = randomFrom(seed);
    await world.newcomer(2);
    const { device } = world;
    const first = { learner: world.learner, person: device.person as { uuid: string } };
    const second = await world.server.newLearner();
    await world.readSome(random, 3, 0);
    await world.readSome(random, 3, 1);
    const own: Saved[] = [...device.saved];
    // The session changes at the n-th change.
    let changes = 0;
    const at = seed % 3;
    const kind = Math.floor(seed / 3) % 3;
    const line = device.line;
    let colleague: { uuid: string } | null = null;
    const meanwhile = async () => {
      if (kind === 0) device.jar.clear();
      else colleague = await device.signIn(second.email);
    };
    device.line = async (path, init) => {
      if (init.method === 'PATCH' && changes++ === at) {
        await meanwhile();
        if (kind === 2)
          return new Response('{"code":"csrf_mismatch","message":"x"}', {
            status: 419,
            headers: { 'X-Lantern': '1', 'Content-Type': 'application/json' },
          });
        const headers = new Headers(init.headers);
        headers.set('cookie', device.jar.header());
        return line(path, { ...init, headers });
      }
      return line(path, init);
    };
    await device.send();
    await device.send();
    device.line = line;
    // The colleague works on the same device, in their own store.
    colleague ??= await device.signIn(second.email);
    const other = new RealDevice(line);
    Object.assign(other.jar, device.jar);
    await other.open(colleague);
    const document = world.documents.filter(Boolean)[0] as (typeof world.documents)[number];
    await other.begin(document);
    const topics = document.lessons.flatMap((l) => l.topics);
    await other.read(document.id, topics[0] as { id: string; title: string }, true, 7);
    const wrong: string[] = [];
    if ((await other.drain()) > 0) wrong.push('the colleague’s work did not leave the device');
    await other.signIn(first.learner.email);
    Object.assign(device.jar, other.jar);
    globalThis.fetch = ((input: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('cookie', other.jar.header());
      return line(String(input), { ...init, headers }).then((response) => {
        other.jar.take(response.headers.getSetCookie());
        return response;
      });
    }) as typeof fetch;
    await device.open(first.person);
    const left = await device.drain();
    if (left > 0) wrong.push(`${left} entries did not leave the device`);
    wrong.push(...compare(own, await truthOf(world.server.database, first.learner.id)));
    const theirs = await truthOf(world.server.database, second.id);
    wrong.push(...compare(other.saved, theirs));
    if (theirs.progress.length !== 1) wrong.push(`${theirs.progress.length - 1} pages were sent under the colleague’s name`);
    await other.forget();
    return wrong;
  },
  finish: () => world.close(),
};
