import type { BrowserContext, Page } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { launch } from '#tests/bench/chromium.ts';
import { median, report } from '#tests/bench/report.ts';
import { appIsKept } from '#tests/support/app-is-kept.ts';
import { RealServer } from '#tests/support/real-server.ts';

const rounds = Number(process.env.ROUNDS ?? 7);

/**
 * Opening without a server, at 4× CPU throttling, the worker stopped before each start; against a static page of the same
 * DOM, answered by the same worker in the same run. Targets: largest contentful paint ≤ 1.3, usable ≤ 2.6.
 * Usable: how long after the start of the navigation a tap on the second list, made as soon as it is seen, is answered.
 */
export const run = async () => {
  const server = await RealServer.create();
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('article').first().waitFor();
  await appIsKept(page);
  for (let i = 0; i < 3; i++) {
    await page.reload();
    await page.getByRole('article').first().waitFor();
    await page.waitForFunction(
      async () => (await caches.has('lantern-last-known')) && (await (await caches.open('lantern-last-known')).match('/')) !== undefined,
    );
  }
  // The floor: the same DOM as a static page, with the styles it needs and no script; kept in the same cache.
  await page.evaluate(async () => {
    const cache = await caches.open('lantern-last-known');
    const text = (await (await cache.match('/'))?.text()) ?? '';
    const still = text
      .replace(/<script[^>]*><\/script>/g, '')
      .replace(/<link rel="modulepreload"[^>]*>/g, '')
      .replace('id="last-known"', 'id="still"');
    await cache.put('/static-floor', new Response(still, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }));
  });
  await server.stop();
  await page.close();

  const start = async (path: string): Promise<{ lcp: number; usable: number }> => {
    const tab = await context.newPage();
    const cdp = await context.newCDPSession(tab);
    await stopWorkers(context, tab);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await tab.addInitScript(() => {
      const facts = { lcp: 0, answered: 0, tapped: false };
      (window as unknown as { facts: typeof facts }).facts = facts;
      new PerformanceObserver((list) => {
        facts.lcp = list.getEntries().at(-1)?.startTime ?? facts.lcp;
      }).observe({ type: 'largest-contentful-paint', buffered: true });
      const tick = () => {
        const second = document.querySelectorAll<HTMLElement>('fieldset button')[1];
        if (second && !facts.tapped) {
          second.click();
          // A tap before anything listens is one that a person repeats.
          facts.tapped = !second.closest('#last-known') || document.getElementById('last-known')?.dataset.tapped !== undefined;
        }
        if (document.querySelectorAll('#root:not([hidden]) fieldset button')[1]?.getAttribute('aria-pressed') === 'true')
          facts.answered = performance.now();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    await tab.goto(server.url + path);
    if (path === '/')
      await tab.waitForFunction(() => (window as unknown as { facts: { answered: number } }).facts.answered > 0, undefined, { timeout: 30_000 });
    await tab.waitForFunction(() => (window as unknown as { facts: { lcp: number } }).facts.lcp > 0);
    await tab.waitForTimeout(300);
    const facts = await tab.evaluate(() => (window as unknown as { facts: { lcp: number; answered: number } }).facts);
    await tab.close();
    return { lcp: facts.lcp, usable: facts.answered };
  };
  const floor: number[] = [];
  const lcp: number[] = [];
  const usable: number[] = [];
  const ratios = { lcp: [] as number[], usable: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    const [f, a] =
      i % 2 === 0
        ? [await start('/static-floor'), await start('/')]
        : await start('/').then(async (app) => [await start('/static-floor'), app] as const);
    floor.push(f.lcp);
    lcp.push(a.lcp);
    usable.push(a.usable);
    ratios.lcp.push(a.lcp / f.lcp);
    ratios.usable.push(a.usable / f.lcp);
  }
  report('offline start, static page', median(floor), 'ms', 1, 'floor');
  report('offline start, largest contentful paint', median(lcp), 'ms', median(ratios.lcp), 'static page, target 1.3');
  report('offline start, first tap answered', median(usable), 'ms', median(ratios.usable), 'static page, target 2.6');
  await browser.close();
  await server.close();
};

const stopWorkers = async (context: BrowserContext, page: Page) => {
  const cdp = await context.newCDPSession(page);
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.stopAllWorkers');
  await cdp.detach();
};
