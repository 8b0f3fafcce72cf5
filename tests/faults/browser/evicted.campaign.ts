import { rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { buildHarness, KillableBrowser } from '#tests/faults/browser/killable-browser.ts';
import type { Harness } from '#tests/faults/browser/harness.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { until } from '#tests/support/until.ts';

/**
 * The browser empties all of the site's storage under an open page that saves, at random moments, as it does on a full disk: databases,
 * files and keys, sometimes with local storage. Everything that was reported as saved must be in the store again, readable, or be
 * named as lost; and after the browser has been killed and started again it must still be there.
 */
let folder = '';
let server: RealServer;
let times = 0;
type Window2 = { harness: Harness };
/** What browsers empty together; local storage and cookies are kept on a full disk, and go when somebody clears the site's data. */
const onFullDisk = 'indexeddb,cache_storage,service_workers,file_systems,storage_buckets';

const once = async (seed: number): Promise<string[]> => {
  const random = randomFrom(seed);
  const browser = new KillableBrowser();
  const person = randomUUID();
  const saved: string[] = [];
  const wrong: string[] = [];
  const follow = (page: Page) =>
    page.on('console', (message) => {
      if (process.env.EVICTED_LOG) console.log(message.text().slice(0, 200));
      const [, topic] = /^saved (\S+)$/.exec(message.text()) ?? [];
      if (topic) saved.push(topic);
    });
  const keptOn = (page: Page) => page.evaluate((who) => (window as unknown as Window2).harness.kept(who), person);
  try {
    const page = await browser.launch(server.url);
    follow(page);
    await page.evaluate((who) => (window as unknown as Window2).harness.open(who), person);
    const attempt = await page.evaluate((who) => (window as unknown as Window2).harness.begin(who), person);
    await page.evaluate(([who, id]) => void (window as unknown as Window2).harness.work(who as string, id as string, 0), [person, attempt]);
    const devtools = await page.context().newCDPSession(page);
    for (let i = 0; i < 2; i++) {
      const least = saved.length + 1 + Math.floor(random() * 30);
      await until('some more is saved', async () => saved.length >= least, 30_000);
      await devtools.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: random() < 0.3 ? 'all' : onFullDisk });
      times++;
      const before = [...saved];
      await until('saving goes on', async () => saved.length > before.length + 3, 30_000);
      const kept = await keptOn(page);
      const gone = before.filter((topic) => !kept.entries.includes(topic));
      if (gone.length > 0) wrong.push(`${gone.length} of ${before.length} saved items are not in the store again`);
    }
    const { incidents } = await page.evaluate((who) => (window as unknown as Window2).harness.open(who), person);
    if (incidents.length === 0) wrong.push('the loss was not noticed');
    const all = [...saved];
    await browser.killTree();
    const again = await browser.launch(server.url);
    const opened = await again.evaluate((who) => (window as unknown as Window2).harness.open(who), person);
    if (opened.state !== 'ok') wrong.push(`the store is ${opened.state}`);
    const kept = await keptOn(again);
    const gone = all.filter((topic) => !kept.entries.includes(topic));
    if (gone.length > 0) wrong.push(`${gone.length} of ${all.length} saved items are gone after a restart`);
  } finally {
    await browser.close();
  }
  return wrong;
};

export const campaign: Campaign = {
  name: 'evicted',
  runs: { ci: 2, demand: 200 },
  busy: true,
  prepare: async () => {
    folder = await buildHarness();
    server = await RealServer.create({ APP_DIR: folder });
  },
  once,
  facts: () => `emptied ${times} times`,
  finish: async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  },
};
