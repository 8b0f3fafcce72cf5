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
 * Tests the promise *Available offline*. A new device signs in and downloads a course, and the server is killed at a random
 * moment, often together with the browser; or a device receives a new version of the app meanwhile. If the promise was shown, the
 * app and the course must open without the server; otherwise it must not be shown.
 */
const root = new URL('../../../', import.meta.url).pathname;
const title = 'Fire safety';
const promised = 'Available offline';

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

/** Opens the app and the course with the server stopped. Returns what failed. */
const open = async (page: Page, url: string): Promise<string[]> => {
  try {
    await page.goto(url);
    await card(page).getByText(promised, { exact: true }).waitFor();
    await card(page)
      .getByRole('button', { name: /^(Renew|Start|Continue)/ })
      .click();
    await page.getByRole('button', { name: 'Next' }).waitFor();
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
  await serve('this');
  try {
    const page = await browser.launch(`${server.url}/login`, (p) => p.getByLabel('E-mail address').waitFor());
    let said = false;
    await page.exposeFunction('notePromise', () => {
      said = true;
    });
    await signIn(page);
    await card(page).waitFor();
    await page.evaluate(
      ({ title, promised }) => {
        const look = () => {
          const text = document.querySelector(`#root article[aria-label="${title}"]`)?.textContent ?? '';
          if (text.includes(promised)) (window as unknown as { notePromise(): void }).notePromise();
          else requestAnimationFrame(look);
        };
        look();
      },
      { title, promised },
    );
    await download(page);
    if (update) {
      await card(page).getByText(promised, { exact: true }).waitFor();
      await appIsKept(page);
      await serve('next');
      await page.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update());
      await soon(random() * 1500);
    } else if (seed % 3 === 1) {
      await card(page).getByText(promised, { exact: true }).waitFor();
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
      return made ? await open(again, server.url) : [];
    }
    return made ? await open(page, server.url) : [];
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
