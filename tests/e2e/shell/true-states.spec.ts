import type { Page } from '@playwright/test';
import { personDbPrefix } from '#src/offline/store/person-db-name.ts';
import { chip, course, courseSaved, expect, signIn, test } from '#tests/support/browser-test.ts';

const begin = async (page: Page) => {
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await expect(courseSaved(page)).toHaveText('Received');
};

/** Holds the person's database in another connection, as a busy or failing disk does. */
const hold = (page: Page, forMs: number) =>
  page.evaluate(
    async ({ prefix, until }) => {
      const about = (await indexedDB.databases()).find(({ name }) => name?.startsWith(prefix));
      const open = indexedDB.open(about?.name ?? '');
      await new Promise((done) => {
        open.onsuccess = done;
      });
      const names = [...open.result.objectStoreNames];
      const begun = open.result.transaction(names, 'readwrite');
      const keep = () => {
        const get = begun.objectStore('kv').get('nothing');
        get.onsuccess = () => performance.now() < until && keep();
      };
      const start = performance.now();
      until += start;
      keep();
    },
    { prefix: personDbPrefix, until: forMs },
  );

test('a write that is not yet on the disk is called Saving, and leaving the page then asks @online', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await begin(page);
  await expect(chip(page)).toContainText('All sent');
  await hold(page, 9000);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(chip(page)).toContainText('Saving on this device …');
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(chip(page)).toContainText('All sent', { timeout: 20_000 });
  await expect(courseSaved(page)).toHaveText('Received');
});

test('a store that never answers is named within ten seconds, with a way on @online', async ({ page, server }) => {
  await page.addInitScript(() => {
    if (localStorage.getItem('silent-store') === null) return;
    // A known fault of tablets: neither success nor error.
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await signIn(page, server, 'manager@willowbrook.test');
  await expect(chip(page)).toContainText('All sent');
  await page.evaluate(() => localStorage.setItem('silent-store', '1'));
  await page.reload();
  const problem = page.getByRole('heading', { name: 'The storage of this device does not answer' });
  await expect(problem).toBeVisible({ timeout: 12_000 });
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(chip(page)).toContainText('The storage of this device does not answer');
  // What needs only a connection can be used.
  await page.goto(`${server.url}/reports/results`);
  await page.getByRole('button', { name: 'Go on without it' }).click({ timeout: 12_000 });
  await expect(page.getByRole('heading', { level: 1, name: 'Results report' })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('silent-store'));
  await page.goto(server.url);
  await expect(chip(page)).toContainText('All sent');
  await expect(problem).toHaveCount(0);
});

test('a slow server is called slow, and not a lost connection @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'learner@willowbrook.test');
  await begin(page);
  await page.route('**/api/attempts/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 14_000));
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(chip(page)).toContainText('the server is slow', { timeout: 12_000 });
  await expect(chip(page)).not.toContainText('Offline');
  await expect(chip(page)).toContainText('All sent', { timeout: 30_000 });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('what an open page holds is saved again when the browser empties the storage under it', async ({ page, context, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await begin(page);
  await expect(chip(page)).toContainText('All sent');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(chip(page)).toContainText('2 saved on this device');
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: server.url,
    storageTypes: 'indexeddb,cache_storage,service_workers,file_systems,storage_buckets',
  });
  await expect(page.getByText('The browser lost the data stored on this device. 2 unsent items were recovered.')).toBeVisible();
  await expect(chip(page)).toContainText('2 saved on this device');
  await context.setOffline(false);
  await expect(chip(page)).toContainText('All sent');
  const attempt = await page.evaluate(async () => (await fetch(`/api/attempts/${location.pathname.split('/').at(-1)}`)).json());
  expect(attempt.data.progress.filter(({ state }: { state: string }) => state === 'completed').length).toBeGreaterThan(0);
});
