import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { launch } from '#tests/bench/chromium.ts';
import { report } from '#tests/bench/report.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * Weight of the first route: JS and CSS, brotli, until it can be used. Targets: login 110 kB, home 230 kB. And how many files they are, also
 * those that come after: a connection with a long way waits for each. Targets: login 8, home 15 more, the whole app as a device
 * stores it 80.
 */
export const run = async () => {
  const server = await RealServer.create();
  const browser = await launch();
  const weigh = async (path: string, prepare: (page: Page) => Promise<void>, usable: string) => {
    const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, serviceWorkers: 'block' });
    const page = await context.newPage();
    await prepare(page);
    const responses: Response[] = [];
    page.on('response', (response) => {
      if (['script', 'stylesheet'].includes(response.request().resourceType())) responses.push(response);
    });
    // The page itself notes when it can be used: what is requested a moment later would count if that were seen from here.
    await page.addInitScript((selector) => {
      const look = new MutationObserver(() => {
        if (document.querySelector(selector) === null) return;
        look.disconnect();
        performance.mark('usable');
      });
      look.observe(document, { childList: true, subtree: true });
    }, usable);
    await page.goto(server.url + path);
    await page.locator(usable).first().waitFor();
    await page.waitForLoadState('networkidle');
    const { usableAt, requestedAt } = await page.evaluate(() => ({
      usableAt: performance.getEntriesByName('usable')[0]?.startTime,
      requestedAt: Object.fromEntries(performance.getEntriesByType('resource').map((entry) => [entry.name, entry.startTime])),
    }));
    if (usableAt === undefined) throw new Error(`${path} could not be used`);
    let first = 0;
    let later = 0;
    const files: string[] = [];
    const names = new Set<string>();
    for (const response of responses) {
      const bytes = brotliCompressSync(await response.body()).length;
      const name = response.url().split('/').at(-1) as string;
      names.add(name);
      if ((requestedAt[response.url()] ?? 0) <= usableAt && !/workbox-window/.test(name)) {
        first += bytes;
        files.push(`${name} ${(bytes / 1000).toFixed(1)}`);
      } else {
        later += bytes;
        files.push(`later: ${name} ${(bytes / 1000).toFixed(1)}`);
      }
    }
    await context.close();
    if (process.env.FILES) console.log(files.join('\n'));
    return { first: first / 1000, later: later / 1000, names };
  };
  const login = await weigh('/login', async () => undefined, 'button[type=submit]');
  report('weight of login', login.first, 'kB', login.first / 110, 'target 110 kB');
  const home = await weigh(
    '/',
    async (page) => {
      await page.goto(`${server.url}/login`);
      await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
      await page.getByLabel('Password', { exact: true }).fill(demoPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('article').first().waitFor();
    },
    'article',
  );
  report('weight of learner home, to first paint', home.first, 'kB', home.first / 230, 'target 230 kB');
  report('weight of learner home, with what comes after', home.first + home.later, 'kB', null, 'Apollo, which keeps the list');
  const more = [...home.names].filter((name) => !login.names.has(name)).length;
  report('files of login, JS and CSS', login.names.size, '', login.names.size / 8, 'target 8');
  report('further files of learner home', more, '', more / 15, 'target 15');
  await browser.close();
  // The list that the worker stores, each with its hash.
  const stored = (await (await fetch(`${server.url}/sw.js`)).text()).match(/"hash":"[^"]{44}"/g)?.length ?? 0;
  if (stored === 0) throw new Error('the worker has no list of files');
  report('files of the app that a device stores', stored, '', stored / 80, 'target 80');
  await server.close();
};
