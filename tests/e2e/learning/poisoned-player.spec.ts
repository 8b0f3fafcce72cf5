import type { Page } from '@playwright/test';
import { scormManifest, zip } from '#tests/support/archives.ts';
import { appIsKept } from '#tests/support/app-is-kept.ts';
import { course, courseSaved, expect, keepCourse, signIn, test } from '#tests/support/browser-test.ts';
import { playInstead } from '#tests/support/play-instead.ts';

/** Overwrites, fills and deletes every store of its origin, and registers workers. */
const attack = `
const html = '<!doctype html><title>Taken over</title><h1>Taken over</h1>';
const evil = (url) => /[.]js$/.test(url)
  ? new Response('document.documentElement.innerHTML = "<h1>Taken over</h1>"', { headers: { 'Content-Type': 'text/javascript' } })
  : new Response(html, { headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': 'default-src *' } });
(async () => {
  const attempt = (work) => Promise.resolve().then(work).catch(() => undefined);
  for (const name of await caches.keys()) await attempt(async () => {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) await cache.put(url, evil(new URL(url).pathname));
    for (const page of ['/', '/index.html', '/player/scorm.html', '/player/h5p.html', '/player/keeper.html', '/player/p/x']) await cache.put(page, evil(page));
  });
  await attempt(async () => (await caches.open('mine')).put('/player/mine', new Response('x'.repeat(100000))));
  await attempt(() => new Promise((done) => { indexedDB.open('mine').onsuccess = done; }));
  await attempt(async () => (await navigator.storage.getDirectory()).getFileHandle('mine', { create: true }));
  await attempt(() => localStorage.setItem('mine', 'x'));
  const worker = navigator.serviceWorker;
  await attempt(() => worker.register('/player/content-sw.js', { scope: '/player/scorm.html' }));
  await attempt(() => worker.register('/player/content-sw.js?old', { scope: '/player/h5p.html' }));
  await attempt(() => fetch('own-worker.js'));
  const own = await worker.register('own-worker.js', { updateViaCache: 'all' }).then(() => 'registered', () => 'refused');
  document.getElementById('results').textContent = own;
})();
`;
const hostile = () =>
  zip({
    'imsmanifest.xml': scormManifest(),
    'index.html':
      '<!doctype html><title>Before you lift</title><p id="results">trying</p><script>parent.API.LMSInitialize("")</script><script src="attack.js"></script>',
    'attack.js': attack,
    'own-worker.js': 'self.addEventListener("fetch", () => undefined)',
  });
const playHostile = async (page: Page) => {
  await course(page, 'Data protection').getByRole('button').first().click();
  const shown = page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]').locator('#results');
  await expect(shown).toHaveText(/registered|refused/);
  return shown.textContent();
};
/** A file as a page of its origin gets it. */
const textsOf = (page: Page, paths: string[]) =>
  page.evaluate(
    (all) => Promise.all(all.map((path) => fetch(path).then(async (r) => `${r.status} ${r.headers.get('content-type')} ${await r.text()}`))),
    paths,
  );
const players = ['/player/scorm.html', '/player/h5p.html', '/player/keeper.html'];

test('a package that overwrites the players has not done so for the next person, with and without the server', async ({ page, browser, server }) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await playInstead(browser, server, await hostile());
  await page.goto(server.url);
  await keepCourse(page, 'Data protection');
  expect(await playHostile(page)).toBe('refused');

  // The next start.
  await page.goto(server.url);
  await expect(course(page, 'Data protection')).toBeVisible();
  const look = await page.context().newPage();
  await look.goto(`${server.contentUrl}/player/keeper.html`);
  const left = () =>
    look.evaluate(async () => ({
      caches: (await caches.keys()).sort(),
      databases: (await indexedDB.databases()).map((d) => d.name),
      values: Object.keys(localStorage),
      workers: (await navigator.serviceWorker.getRegistrations()).map((r) => new URL(r.scope).pathname),
    }));
  await expect.poll(left, { timeout: 30_000 }).toEqual({
    caches: ['lantern-packages', 'lantern-players'],
    databases: [],
    values: [],
    workers: ['/player/'],
  });
  const scripts = await look.evaluate(() => [...document.scripts].map((s) => new URL(s.src).pathname));
  for (const running of [true, false]) {
    if (!running) await server.stop();
    const texts = await textsOf(look, [...players, ...scripts]);
    for (const text of texts) expect(text).toMatch(/^200 text\/(html|javascript)/);
    expect(texts.join()).not.toContain('Taken over');
    await look.goto(`${server.contentUrl}/player/scorm.html`);
    await expect(look).toHaveTitle('Course');
  }
});

test.describe('with one origin', () => {
  test.use({ settings: { ONE_ORIGIN: 'true' } });
  test('a package that overwrites the files of the app has not done so for the next start', async ({ page, server }) => {
    await signIn(page, server, 'aisha.khan@willowbrook.test');
    await keepCourse(page, 'Data protection');
    await appIsKept(page);
    await course(page, 'Data protection').getByRole('button').first().click();
    await expect(courseSaved(page)).toBeVisible();
    const item = page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]');
    await item.locator('body').evaluate((body, code) => {
      body.innerHTML = '<p id="results">trying</p>';
      // biome-ignore lint/security/noGlobalEval: as the code of a package
      globalThis.eval(code);
    }, attack);
    await expect(item.locator('#results')).toHaveText(/registered|refused/);
    await page.goto('about:blank');

    for (const running of [true, false]) {
      if (!running) {
        // What was stored anew is complete before the server goes.
        await appIsKept(page);
        await server.stop();
      }
      await page.goto(server.url);
      await expect(course(page, 'Data protection')).toBeVisible();
      await expect(page.getByText('Taken over')).toHaveCount(0);
    }
  });
});
