import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { serverMark } from '#contract/protocol.ts';
import { appIsKept, chip, course, courseSaved, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { RealServer } from '#tests/support/real-server.ts';

test('a new version waits for the person, and unsent work goes through it', async ({ page, context }) => {
  const app = mkdtempSync(join(tmpdir(), 'lantern-app-'));
  cpSync(new URL('../../../dist', import.meta.url).pathname, app, { recursive: true });
  const server = await RealServer.create({ APP_DIR: app });
  try {
    await signIn(page, server, 'learner@willowbrook.test');
    await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
    await expect(courseSaved(page)).toHaveText('Received');
    await appIsKept(page);
    appendFileSync(join(app, 'sw.js'), '\n// the next version\n');
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect(offer(page)).toBeVisible();

    await context.setOffline(true);
    await page.getByRole('button', { name: 'Next' }).click();
    // One for the page that was finished, one for the next that was begun.
    await expect(chip(page)).toContainText('2 saved on this device');
    await page.getByRole('button', { name: 'Update' }).click();
    // A busy browser may need another request and another reload.
    await expect(offer(page)).toHaveCount(0, { timeout: 60_000 });
    await expect(chip(page)).toContainText('2 saved on this device');
    await context.setOffline(false);
    await expect(courseSaved(page)).toHaveText('Received');
    await expect(chip(page)).toContainText('All sent');
  } finally {
    await server.close();
    rmSync(app, { recursive: true, force: true });
  }
});

const offer = (page: Page) => page.getByText('A new version is ready. Your work stays as it is.');
const differs = (page: Page) => page.getByText('The app on this device and the server are of different versions');

/** From now on, every answer comes from a server with another contract. Answers how many did. */
const changeContract = async (page: Page) => {
  let many = 0;
  await page.route('**/api/**', async (route) => {
    // A stream has no end that could be waited for.
    if (route.request().headers().accept === 'text/event-stream') return route.fallback();
    const response = await route.fetch();
    many++;
    await route.fulfill({ response, headers: { ...response.headers(), [serverMark.contractHeader.toLowerCase()]: 'another' } });
  });
  return () => many;
};

test('a server with another contract has the app look for a newer version, and it is offered', async ({ page }) => {
  const app = mkdtempSync(join(tmpdir(), 'lantern-app-'));
  cpSync(new URL('../../../dist', import.meta.url).pathname, app, { recursive: true });
  const server = await RealServer.create({ APP_DIR: app });
  try {
    const answered = page.waitForResponse('**/api/login');
    await signIn(page, server, 'learner@willowbrook.test');
    const contract = (await answered).headers()[serverMark.contractHeader.toLowerCase()] ?? 'none';
    const scripts = readdirSync(join(app, 'assets')).filter((name) => name.endsWith('.js'));
    expect(
      scripts.filter((name) => readFileSync(join(app, 'assets', name), 'utf8').includes(contract)),
      'the app is built with the contract of its server',
    ).toHaveLength(1);
    await appIsKept(page);
    appendFileSync(join(app, 'sw.js'), '\n// the next version\n');
    await changeContract(page);
    await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
    await expect(offer(page)).toBeVisible();
    // Nothing is reloaded automatically.
    await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
    await expect(courseSaved(page)).toHaveText('Received');
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(offer(page)).toHaveCount(0, { timeout: 60_000 });
    await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
    await expect(differs(page)).toHaveCount(0);
  } finally {
    await server.close();
    rmSync(app, { recursive: true, force: true });
  }
});

test('where there is no newer version, the person is told once that the app and the server differ', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await appIsKept(page);
  await expect(differs(page)).toHaveCount(0);
  const answers = await changeContract(page);
  await page.evaluate(() => {
    const { update } = ServiceWorkerRegistration.prototype;
    Object.assign(window, { looks: 0 });
    ServiceWorkerRegistration.prototype.update = function () {
      (window as unknown as { looks: number }).looks++;
      return update.call(this);
    };
  });
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await expect(differs(page)).toContainText('no newer app could be loaded yet. What you have done is kept.');
  await expect(courseSaved(page)).toHaveText('Received');
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(differs(page)).toHaveCount(0);

  // Neither the next answers nor the next start tell it again.
  const before = answers();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(answers).toBeGreaterThan(before);
  expect(await page.evaluate(() => (window as unknown as { looks: number }).looks)).toBe(1);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
  await expect(chip(page)).toContainText('All sent');
  await expect(differs(page)).toHaveCount(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a page of the former build opens a screen that it has not loaded, and one that is nowhere loads the app anew @online', async ({ page }) => {
  const app = mkdtempSync(join(tmpdir(), 'lantern-app-'));
  cpSync(new URL('../../../dist', import.meta.url).pathname, app, { recursive: true });
  const server = await RealServer.create({ APP_DIR: app });
  try {
    await signIn(page, server, 'manager@willowbrook.test');
    // The next build has other names for all of its parts.
    const assets = join(app, 'assets');
    const names = readdirSync(assets);
    await server.stop();
    for (const name of names) renameSync(join(assets, name), join(assets, `next-${name}`));
    await server.start();
    await goTo(page, 'Training matrix');
    await expect(page.getByRole('grid', { name: 'Training matrix' })).toBeVisible();

    rmSync(join(server.folder, 'app-files'), { recursive: true });
    await goTo(page, 'People');
    await expect(page.getByText('This page could not be loaded from the server. What you have saved is safe.')).toBeVisible({ timeout: 30_000 });
    for (const name of names) renameSync(join(assets, `next-${name}`), join(assets, name));
    await server.stop();
    await server.start();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible({ timeout: 30_000 });
  } finally {
    await server.close();
    rmSync(app, { recursive: true, force: true });
  }
});
