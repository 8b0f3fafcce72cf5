import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { buildHarness, KillableBrowser } from '#tests/faults/browser/killable-browser.ts';
import type { Harness } from '#tests/faults/browser/harness.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { compare } from '#tests/faults/real/compare.ts';
import { truthOf } from '#tests/faults/real/inject-server.ts';
import { SocketWorld } from '#tests/faults/real/socket-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * Even seeds: the app is updated (page closed, next version opened) at each step of a replay of fifty entries. Odd seeds: a
 * version with another schema upgrades a database with a thousand waiting entries and is killed meanwhile.
 */
const pending = 1000;
const world = new SocketWorld();
let folder = '';
let server: RealServer;
type Window2 = { harness: Harness };

const inReplay = async (seed: number): Promise<string[]> => {
  const random = randomFrom(seed);
  await world.newcomer(2);
  await world.readSome(random, 25, 0);
  await world.readSome(random, 23, 1);
  const { device } = world;
  const sending = device.send().catch(() => undefined);
  for (let i = 0; i < (seed / 2) % 60; i++) await new Promise((resolve) => setImmediate(resolve));
  await device.restart(false);
  await sending;
  const wrong: string[] = [];
  const left = await device.drain();
  if (left > 0) wrong.push(`${left} entries did not leave the device`);
  wrong.push(...compare(device.saved, await truthOf(world.server.database, world.learner.id)));
  return wrong;
};

const inUpgrade = async (seed: number): Promise<string[]> => {
  const random = randomFrom(seed);
  const browser = new KillableBrowser();
  const person = randomUUID();
  try {
    const page = await browser.launch(server.url);
    await page.evaluate(
      async ({ person, pending }) => {
        const { harness } = window as unknown as Window2;
        await harness.open(person);
        const attempt = await harness.begin(person);
        await harness.fill(person, attempt, pending);
      },
      { person, pending },
    );
    await page.evaluate((person) => void (window as unknown as Window2).harness.upgrade(person), person);
    await new Promise((resolve) => setTimeout(resolve, random() * 250));
    await browser.killTree();
    const again = await browser.launch(server.url);
    const found = await again.evaluate(async (person) => {
      const { harness } = window as unknown as Window2;
      return { opened: await harness.open(person), raw: await harness.count(person) };
    }, person);
    const wrong: string[] = [];
    // Either the old version can continue or the new one has everything, never half.
    if (found.raw !== pending + 1) wrong.push(`${found.raw} of ${pending + 1} entries are there`);
    if (found.opened.state !== 'ok' && found.opened.state !== 'too-new') wrong.push(`the store is ${found.opened.state}`);
    return wrong;
  } finally {
    await browser.close();
  }
};

export const campaign: Campaign = {
  name: 'update',
  runs: { ci: 4, demand: 200 },
  busy: true,
  prepare: async () => {
    await world.start();
    folder = await buildHarness();
    server = await RealServer.create({ APP_DIR: folder });
  },
  once: (seed) => (seed % 2 === 0 ? inReplay(seed) : inUpgrade(seed)),
  finish: async () => {
    await world.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  },
};
