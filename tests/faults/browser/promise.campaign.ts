import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { KillableBrowser } from '#tests/faults/browser/killable-browser.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { appIsKept } from '#tests/support/app-is-kept.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * Tests the promises *Available offline* and *Everything for your next shift is on this device*. A new device signs in and downloads a
 * course, or makes the next shift ready, and the server is killed at a random moment, often together with the browser; or a device
 * receives a new version of the app meanwhile. In half of the runs it is the person's second device: the course was begun on another
 * one, and has to go on where it was left there. If a promise was shown, what it names must open without the server; otherwise it must
 * not be shown.
 */
const root = new URL('../../../', import.meta.url).pathname;
const title = 'Fire safety';
const quiz = 'Fire safety check';
const promised = 'Available offline';
const everything = 'Everything for your next shift is on this device';

let folder = '';
let server: RealServer;
let promises = 0;
let before = 0;

/** Selects the version of the app that the server delivers. */
const serve = async (version: 'this' | 'next') => {
  await server?.stop('SIGKILL');
  unlinkSync(join(folder, 'app'));
  symlinkSync(join(folder, version), join(folder, 'app'));
  await server?.start();
};

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');

/** The next version, in which every file has another name, as after a release. */
const makeNext = (from: string, to: string) => {
  cpSync(from, to, { recursive: true });
  const assets = readdirSync(join(to, 'assets')).filter((name) => !name.endsWith('.map'));
  const renamed = new Map(assets.map((name) => [name, name.replace(/(.)(\.\w+)$/, (_, last, end) => `${last === 'x' ? 'y' : 'x'}${end}`)]));
  const pattern = new RegExp(assets.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  const inNext = (text: string) => text.replace(pattern, (name) => renamed.get(name) as string);
  let worker = readFileSync(join(to, 'sw.js'), 'utf8');
  for (const [name, next] of [...renamed, ['../index.html', '../index.html']] as const) {
    const file = join(to, 'assets', name);
    const was = readFileSync(file);
    const is = /\.(js|css|html)$/.test(name) ? Buffer.from(inNext(was.toString())) : was;
    renameSync(file, join(to, 'assets', next));
    writeFileSync(join(to, 'assets', next), is);
    worker = worker.replace(hashOf(was), () => hashOf(is));
  }
  writeFileSync(join(to, 'sw.js'), inNext(worker));
};

const card = (page: Page) => page.getByRole('article', { name: title });
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const signIn = async (page: Page) => {
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
const download = async (page: Page) => {
  await card(page)
    .getByRole('button', { name: /Make available offline/ })
    .click();
  await card(page)
    .getByRole('button', { name: /^Download/ })
    .click();
};

const ready = (page: Page) => page.getByRole('dialog', { name: 'Ready for tomorrow' });
const makeReady = async (page: Page) => {
  await page.getByRole('button', { name: 'Ready for tomorrow' }).click();
  await ready(page)
    .getByRole('button', { name: /^(Download|Get everything ready)/ })
    .click();
};

/** Begins the course on another device, or goes on with it. Returns the heading of the page where it was left. */
const beginElsewhere = async (url: string): Promise<string> => {
  const first = new KillableBrowser();
  try {
    const page = await first.launch(`${url}/login`, (p) => p.getByLabel('E-mail address').waitFor());
    await signIn(page);
    await card(page)
      .getByRole('button', { name: /^(Renew|Start|Continue)/ })
      .click();
    const next = page.getByRole('button', { name: 'Next' });
    const heading = page.getByRole('main').getByRole('heading', { level: 1 });
    await heading.waitFor();
    const before = await heading.textContent();
    if (before !== quiz) {
      await next.click();
      await page.waitForFunction((text) => document.querySelector('main h1')?.textContent !== text, before);
    }
    await page.getByText('Received', { exact: true }).waitFor();
    return (await heading.textContent()) ?? '';
  } finally {
    await first.close();
  }
};

/** The person's own pages, which the next shift needs. */
const ownPages = async (page: Page) => [
  '/your-bookings',
  '/pathways',
  await page.evaluate(() => `/users/${JSON.parse(localStorage.getItem('authUser') ?? '{}').uuid}`),
];

type Asked = { place: string | null; shift: boolean };
/** Opens what was promised with the server stopped. `place`: where the course was left elsewhere. Returns what failed. */
const open = async (page: Page, url: string, { place, shift }: Asked): Promise<string[]> => {
  try {
    await page.goto(url);
    await card(page).getByText(promised, { exact: true }).waitFor();
    if (shift)
      for (const path of await ownPages(page)) {
        await page.goto(url + path);
        await page
          .getByText(/Last updated/)
          .first()
          .waitFor();
      }
    await page.goto(url);
    await card(page)
      .getByRole('button', { name: place === null ? /^(Renew|Start|Continue)/ : /^Continue/ })
      .click();
    if (place === null)
      await page
        .getByRole('button', { name: 'Next' })
        .or(page.getByRole('heading', { level: 1, name: quiz }))
        .first()
        .waitFor();
    else await page.getByRole('heading', { level: 1, name: place }).waitFor();
    return [];
  } catch (error) {
    const shown = await page.evaluate(() => document.body.innerText.slice(0, 600)).catch(() => 'nothing');
    return [
      `the promise was not kept: ${(error as Error).message.split('\n').slice(0, 4).join(' ')}; the screen shows “${shown.replaceAll('\n', ' | ')}”`,
    ];
  }
};

const once = async (seed: number): Promise<string[]> => {
  const random = randomFrom(seed);
  const browser = new KillableBrowser();
  const update = seed % 3 === 0;
  const killed = random() < 0.5;
  const shift = seed % 4 === 3;
  await serve('this');
  try {
    const place = seed % 2 === 1 ? await beginElsewhere(server.url) : null;
    const asked = { place, shift };
    const page = await browser.launch(`${server.url}/login`, (p) => p.getByLabel('E-mail address').waitFor());
    let said = false;
    await page.exposeFunction('notePromise', () => {
      said = true;
    });
    await signIn(page);
    await card(page).waitFor();
    await page.evaluate(
      ({ where, promised }) => {
        const look = () => {
          const text = document.querySelector(where)?.textContent ?? '';
          if (text.includes(promised)) (window as unknown as { notePromise(): void }).notePromise();
          else requestAnimationFrame(look);
        };
        look();
      },
      shift ? { where: '[role=dialog]', promised: everything } : { where: `#root article[aria-label="${title}"]`, promised },
    );
    if (shift) await makeReady(page);
    else await download(page);
    const shown = () => (shift ? ready(page).getByText(everything).waitFor() : card(page).getByText(promised, { exact: true }).waitFor());
    if (update) {
      await shown();
      await appIsKept(page);
      await serve('next');
      await page.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update());
      await soon(random() * 1500);
    } else if (seed % 3 === 1) {
      await shown();
      await soon(random() * 200);
    } else await soon(random() * 3000);
    await server.stop('SIGKILL');
    const made = said;
    if (made) promises++;
    else before++;
    if (killed) {
      await browser.killTree();
      // A killed browser may have lost its cookies; the person's data is on its disk.
      const again = await browser.launch('about:blank', async () => undefined);
      return made ? await open(again, server.url, asked) : [];
    }
    return made ? await open(page, server.url, asked) : [];
  } finally {
    await browser.close();
  }
};

export const campaign: Campaign = {
  name: 'promise',
  alone: true,
  runs: { ci: 2, demand: 200 },
  prepare: async () => {
    folder = mkdtempSync(join(tmpdir(), 'lantern-versions-'));
    cpSync(join(root, 'dist'), join(folder, 'this'), { recursive: true });
    makeNext(join(folder, 'this'), join(folder, 'next'));
    symlinkSync(join(folder, 'this'), join(folder, 'app'));
    server = await RealServer.create({ APP_DIR: join(folder, 'app') });
  },
  once,
  facts: () => `${promises} promises were made, and tried; ${before} times the server was gone before`,
  finish: async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  },
};
