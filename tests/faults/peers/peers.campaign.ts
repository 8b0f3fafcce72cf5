import '#tests/faults/real/own-navigator.ts';
import 'fake-indexeddb/auto';
import type { Campaign } from '#tests/faults/campaign.ts';
import { closeLantern, lantern } from '#tests/faults/peers/lantern.ts';
import type { MakePeer } from '#tests/faults/peers/peer.ts';
import { pouchdb } from '#tests/faults/peers/pouchdb.ts';
import { tanstack } from '#tests/faults/peers/tanstack.ts';
import { workbox } from '#tests/faults/peers/workbox.ts';
import { faultyLine } from '#tests/faults/real/faulty-line.ts';
import type { Line } from '#tests/faults/real/real-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/**
 * The same faults for this product and for other queues: ten items saved, a bad connection, tabs killed during requests, then a
 * good connection. Counts items reported as saved that never arrive, arrive twice, overtake older ones, or are lost without
 * notice. Only this product's are violations.
 */
const makers: MakePeer[] = [lantern, workbox, tanstack, pouchdb];
const things = 10;
const goodRounds = 12;
const where = /\/(items|message|db)/;

type Count = { saved: number; lost: number; doubled: number; overtook: number; unexplained: number; waiting: number };
const counts = new Map<string, Count>();

const history = async (seed: number, make: MakePeer): Promise<{ name: string; lost: number; doubled: number; overtook: number; waiting: number }> => {
  const random = randomFrom(seed);
  const state = { bad: false };
  let killed: (() => void) | null = null;
  /** A tab killed during a request never gets the answer; half of the requests have arrived. */
  const killing =
    (inner: Line): Line =>
    async (path, init) => {
      if (!state.bad || !where.test(path) || !killed || random() > 0.12) return inner(path, init);
      if (random() < 0.5) await inner(path, init).catch(() => undefined);
      killed();
      return new Promise(() => undefined);
    };
  const peer = await make((real) => killing(faultyLine(real, random, state, where)));
  await peer.open();
  const saved: string[] = [];
  /** Sends until done, or until the tab is killed and reopened. */
  const send = async () => {
    const died = new Promise<'died'>((resolve) => {
      killed = () => resolve('died');
    });
    const ended = await Promise.race([peer.send().then(() => 'ended' as const), died]);
    killed = null;
    if (ended === 'died') await peer.open();
  };
  state.bad = true;
  const clock = Date.now;
  let off = 0;
  Date.now = () => clock() + off;
  for (let i = 0; i < things; i++) {
    // The device's clock is changed.
    if (random() < 0.05) off = (random() - 0.5) * 7_200_000;
    saved.push(await peer.add());
    if (random() < 0.6) await send();
  }
  state.bad = false;
  Date.now = clock;
  await peer.open();
  for (let i = 0; i < goodRounds && (await peer.waiting()) > 0; i++) await peer.send();
  const there = await peer.received();
  const waiting = await peer.waiting();
  const refused = peer.refused();
  const gone = saved.filter((id) => !there.has(id));
  const count = counts.get(peer.name) ?? { saved: 0, lost: 0, doubled: 0, overtook: 0, unexplained: 0, waiting: 0 };
  counts.set(peer.name, count);
  const doubled = saved.filter((id) => (there.get(id) ?? 0) > 1).length;
  const lost = Math.max(0, gone.length - (peer.name === 'pouchdb (a pair)' ? 0 : waiting));
  count.saved += saved.length;
  count.lost += lost;
  count.doubled += doubled;
  const places = [...there.keys()].map((id) => saved.indexOf(id));
  const overtook = places.filter((place, i) => i > 0 && place < (places[i - 1] as number)).length;
  count.overtook += overtook;
  count.waiting += waiting;
  count.unexplained += gone.filter((id) => !refused.has(id)).length;
  await peer.close();
  return { name: peer.name, lost, doubled, overtook, waiting };
};

export const campaign: Campaign = {
  name: 'peers',
  runs: { ci: 5, demand: 500 },
  once: async (seed) => {
    const wrong: string[] = [];
    for (const make of makers) {
      const { name, lost, doubled, overtook, waiting } = await history(seed, make);
      if (name === 'lantern' && lost + doubled + overtook + waiting > 0)
        wrong.push(`lost ${lost}, doubled ${doubled}, overtook ${overtook}, still waiting ${waiting}`);
    }
    return wrong;
  },
  facts: () =>
    [...counts]
      .map(
        ([name, c]) =>
          `\n    ${name}: ${c.saved} saved, ${c.lost} lost, ${c.doubled} doubled, ${c.overtook} overtook an older one, ${c.unexplained} unexplained`,
      )
      .join(''),
  finish: closeLantern,
};
