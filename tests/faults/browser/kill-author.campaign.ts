// Before the store, which takes the IndexedDB that is there when it is loaded; other campaigns of this process need it.
import 'fake-indexeddb/auto';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { formDraftPrefix } from '#src/offline/store/person-db.ts';
import { personDbPrefix } from '#src/offline/store/person-db-name.ts';
import { KillableBrowser } from '#tests/faults/browser/killable-browser.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { until } from '#tests/support/until.ts';

/**
 * An author writes a topic in the app, and Chromium is killed with all its processes at a random moment, twice. What had been kept
 * when it was killed must be offered, and the text must then hold every word of it.
 */
let server: RealServer;
let words = 0;
const author = 'admin@willowbrook.test';

/**
 * Opens the page of a new topic. Who was signed in may be forgotten by a browser that was killed: then they sign in, or the app
 * finds its second copy of it, and the page is loaded again while the form is there.
 */
const openTopic = async (browser: KillableBrowser, url: string) => {
  const page = await browser.launch(`${url}/content-creator/topics/create`, async () => undefined);
  const text = page.getByRole('textbox', { name: 'Text of the topic' });
  const signInHere = async () => {
    const within = { timeout: 5000 };
    await page.getByLabel('E-mail address').fill(author, within);
    await page.getByLabel('Password', { exact: true }).fill(demoPassword, within);
    await page.getByRole('button', { name: 'Sign in' }).click(within);
  };
  await until(
    'the page of a new topic',
    async () => {
      if (await text.isVisible()) return true;
      if (await page.getByLabel('E-mail address').isVisible()) await signInHere();
      return false;
    },
    60_000,
  );
  return { page, text };
};

/** The draft as it is stored, sealed: another one each time that it is written. */
const stored = (page: Page): Promise<unknown> =>
  page.evaluate(
    async ([database, draft]) => {
      const about = (await indexedDB.databases()).find(({ name }) => name?.startsWith(database as string));
      if (!about?.name) return null;
      const open = indexedDB.open(about.name);
      await new Promise((done) => {
        open.onsuccess = done;
      });
      const rows = open.result
        .transaction('kv')
        .objectStore('kv')
        .getAll(IDBKeyRange.bound(draft, `${draft}\uffff`));
      await new Promise((done) => {
        rows.onsuccess = done;
      });
      open.result.close();
      return JSON.stringify(rows.result, (_, value) =>
        ArrayBuffer.isView(value) ? [...new Uint8Array(value.buffer)] : value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value,
      );
    },
    [personDbPrefix, formDraftPrefix] as const,
  );

const once = async (seed: number): Promise<string[]> => {
  const random = randomFrom(seed);
  const browser = new KillableBrowser();
  const wrong: string[] = [];
  let written: string[] = [];
  let kept = 0;
  try {
    for (let life = 0; life < 2; life++) {
      let ends = Number.POSITIVE_INFINITY;
      const { page, text } = await openTopic(browser, server.url);
      if (life > 0) {
        await page.getByRole('button', { name: 'Continue with it' }).click({ timeout: 15_000 });
        const there = (await text.innerText()).trim();
        // More may be stored than was confirmed, and never less.
        const least = written.slice(0, kept).join(' ');
        if (!there.startsWith(least)) wrong.push(`“${least}” was kept, and “${there}” is there`);
        written = there.split(' ');
      }
      await text.press('Control+End');
      let killed: Promise<void> | null = null;
      const kill = () => {
        killed = browser.killTree();
      };
      try {
        let before = await stored(page);
        while (!killed) {
          const word = `word${++words}`;
          written.push(word);
          // One word, one change, one draft.
          await page.keyboard.insertText(`${written.length > 1 ? ' ' : ''}${word}`);
          let now = before;
          const late = Date.now() + 30_000;
          while (isDeepStrictEqual(now, before)) {
            if (Date.now() > late) return [`“${word}” is not kept 30 s after it was written`];
            now = await stored(page);
          }
          before = now;
          kept = written.length;
          if (!Number.isFinite(ends)) {
            ends = 300 + random() * 1500;
            setTimeout(kill, ends);
          }
        }
      } catch (error) {
        // It was killed while a word was typed or stored.
        if (!killed) throw error;
      }
      await killed;
    }
    const { page, text } = await openTopic(browser, server.url);
    await page.getByRole('button', { name: 'Continue with it' }).click({ timeout: 15_000 });
    const there = (await text.innerText()).trim();
    const least = written.slice(0, kept).join(' ');
    if (!there.startsWith(least)) wrong.push(`“${least}” was kept, and “${there}” is there`);
  } finally {
    await browser.close();
  }
  return wrong;
};

export const campaign: Campaign = {
  name: 'kill-author',
  busy: true,
  runs: { ci: 2, demand: 20 },
  prepare: async () => {
    server = await RealServer.create();
  },
  once,
  facts: () => `${words} words were written`,
  finish: () => server.close(),
};
