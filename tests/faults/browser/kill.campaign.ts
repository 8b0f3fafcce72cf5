import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { ContentDocument } from '#contract/entities/content.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { buildHarness, KillableBrowser } from '#tests/faults/browser/killable-browser.ts';
import type { Harness } from '#tests/faults/browser/harness.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { courses } from '#tests/faults/real/socket-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { RealServer } from '#tests/support/real-server.ts';

/** Chromium is killed while it saves or sends, and reopened with the same profile. */
type Window2 = { harness: Harness };
let folder = '';
let server: RealServer;
const prepare = async () => {
  folder = await buildHarness();
  server = await RealServer.create({ APP_DIR: folder });
};
const finish = async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
};

const whileSaving = (name: string, runs: Campaign['runs'], kill: (browser: KillableBrowser) => Promise<void>): Campaign => {
  let writes = 0;
  let wipes = 0;
  return {
    name,
    runs,
    busy: true,
    prepare,
    once: async (seed) => {
      const random = randomFrom(seed);
      const browser = new KillableBrowser();
      const person = randomUUID();
      const saved: string[] = [];
      const wrong: string[] = [];
      try {
        // A lost database would also lose what earlier runs saved, so all work of three runs is checked.
        for (let life = 0; life < 2; life++) {
          const page = await browser.launch(server.url);
          page.on('console', (message) => {
            if (message.text().startsWith('saved ')) saved.push(message.text().slice('saved '.length));
          });
          await page.evaluate(
            async ({ person, from }) => {
              const { harness } = window as unknown as Window2;
              await harness.open(person);
              const attempt = await harness.begin(person);
              void harness.work(person, attempt, from);
            },
            { person, from: life * 100_000 },
          );
          await new Promise((resolve) => setTimeout(resolve, 60 + random() * 400));
          await kill(browser);
        }
        const page = await browser.launch(server.url);
        const { opened, kept } = await page.evaluate(async (person) => {
          const { harness } = window as unknown as Window2;
          return { opened: await harness.open(person), kept: await harness.kept(person) };
        }, person);
        writes += saved.length;
        wipes += opened.incidents.length;
        const entries = new Set(kept.entries);
        const rows = new Set(kept.rows);
        if (opened.state !== 'ok') wrong.push(`the store is ${opened.state}`);
        if (saved.length === 0) wrong.push('nothing was saved before the kill');
        for (const topic of new Set(saved)) {
          if (!entries.has(topic)) wrong.push(`${topic} was called saved and is lost`);
          else if (!rows.has(topic)) wrong.push(`${topic} is there by half`);
        }
        for (const topic of rows) if (!entries.has(topic)) wrong.push(`${topic} has a row and no entry`);
      } finally {
        await browser.close();
      }
      return wrong;
    },
    facts: () => `${writes} writes were called saved; ${wipes} times the browser had lost its storage, and said so`,
    finish,
  };
};

const account = { email: 'grace.adeyemi@willowbrook.test', password: demoPassword };
/** Killed between request and answer: what was sent must exist once, and the rest be sent after the restart. */
const inFlight: Campaign = {
  name: 'kill-in-flight',
  runs: { ci: 4, demand: 500 },
  busy: true,
  prepare,
  once: async (seed) => {
    const random = randomFrom(seed);
    const browser = new KillableBrowser();
    const wrong: string[] = [];
    try {
      const page = await browser.launch(server.url);
      const work = await page.evaluate(
        async ({ email, password, content }) => {
          const { harness } = window as unknown as Window2;
          const me = await harness.request<{ uuid: string }>('POST', '/login', { body: { email, password } });
          if (me.kind !== 'ok') throw new Error(`sign-in: ${JSON.stringify(me)}`);
          const person = me.data.uuid;
          await harness.open(person);
          const document = await harness.request<ContentDocument>('GET', `/content/${content}/document`);
          if (document.kind !== 'ok') throw new Error('no document');
          const topics = document.data.lessons.flatMap((l) => l.topics).map(({ id, title }) => ({ id, title }));
          const attempt = await harness.begin(person, document.data);
          await harness.send(person);
          const before = await harness.request<{ progress: { topic_id: string; seconds: Record<string, number> }[] }>('GET', `/attempts/${attempt}`);
          const sum = (p: { seconds: Record<string, number> } | undefined) => Object.values(p?.seconds ?? {}).reduce((a, b) => a + b, 0);
          const seconds = topics.map((t) => sum(before.kind === 'ok' ? before.data.progress.find((p) => p.topic_id === t.id) : undefined));
          await harness.write(person, attempt, topics);
          return { person, attempt, topics, seconds };
        },
        { ...account, content: courses[0] as string },
      );
      await page.route('**/api/attempts/*', async (route) => {
        // The request reaches the server; the browser dies before or during the answer.
        if (random() < 0.5) await route.fetch().catch(() => undefined);
        await browser.killTree();
      });
      await page.evaluate((person) => void (window as unknown as Window2).harness.send(person), work.person);
      await page.waitForEvent('close', { timeout: 10_000 }).catch(() => undefined);
      const again = await browser.launch(server.url);
      const end = await again.evaluate(
        async ({ person, attempt, topics, ...me }) => {
          const { harness } = window as unknown as Window2;
          // A killed browser may have lost its cookies, so the person signs in again.
          await harness.request('POST', '/login', { body: me });
          await harness.open(person);
          for (let i = 0; i < 5; i++) await harness.send(person);
          const after = await harness.request<{ progress: { topic_id: string; seconds: Record<string, number>; state: string }[] }>(
            'GET',
            `/attempts/${attempt}`,
          );
          if (after.kind !== 'ok') throw new Error('no attempt');
          const sum = (p: { seconds: Record<string, number> } | undefined) => Object.values(p?.seconds ?? {}).reduce((a, b) => a + b, 0);
          return {
            waiting: (await harness.kept(person)).waiting,
            seconds: topics.map((t) => sum(after.data.progress.find((p) => p.topic_id === t.id))),
          };
        },
        { ...work, ...account },
      );
      if (end.waiting > 0) wrong.push(`${end.waiting} entries did not leave the device`);
      for (const [i, t] of work.topics.entries())
        if (end.seconds[i] !== (work.seconds[i] as number) + 1)
          wrong.push(`${t.title}: ${work.seconds[i]} s before, ${end.seconds[i]} s after one more second`);
    } finally {
      await browser.close();
    }
    return wrong;
  },
  finish,
};

export const campaigns = [
  whileSaving('kill-tree', { ci: 3, demand: 1000 }, (browser) => browser.killTree()),
  whileSaving('kill-browser', { ci: 2, demand: 300 }, (browser) => browser.killBrowser()),
  inFlight,
];
