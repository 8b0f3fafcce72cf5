import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoId } from '#server/db/demo/authoring.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { appIsKept, chip, course, expect, goTo, signIn, test, wake } from '#tests/support/browser-test.ts';
import { RealServer } from '#tests/support/real-server.ts';

test('“Available offline” is said when the app and the course are here, and then it is true', async ({ page }) => {
  const app = mkdtempSync(join(tmpdir(), 'lantern-app-'));
  cpSync(new URL('../../../dist', import.meta.url).pathname, app, { recursive: true });
  // A part of the app cannot be had for now.
  const lacking = join(app, 'assets', readdirSync(join(app, 'assets')).find((name) => /^care-.*\.js$/.test(name)) as string);
  renameSync(lacking, join(app, 'put-away'));
  const server = await RealServer.create({ APP_DIR: app });
  try {
    await signIn(page, server, 'learner@willowbrook.test');
    const card = course(page, 'Fire safety');
    await card.getByRole('button', { name: /Make available offline/ }).click();
    await card.getByRole('button', { name: /^Download/ }).click();
    await expect(card).toContainText(/Keeping the app: \d+ of \d+ files/);
    await expect(card).not.toContainText('Available offline');
    await page.getByRole('button', { name: 'Ready for tomorrow' }).click();
    const ready = page.getByRole('dialog', { name: 'Ready for tomorrow' });
    await expect(ready).toContainText(/Keeping the app: \d+ of \d+ files/);
    await expect(ready).not.toContainText('Everything for your next shift is on this device');
    await page.keyboard.press('Escape');

    await server.stop();
    renameSync(join(app, 'put-away'), lacking);
    await server.start();
    await wake(page);
    await expect(card).toContainText('Available offline');
    await expect(chip(page)).toContainText('All sent');
    await appIsKept(page);
    await server.stop('SIGKILL');
    await page.reload();
    await expect(chip(page)).toContainText('Offline · all sent');
    await expect(chip(page)).not.toHaveAttribute('data-state', 'all-sent');
    await expect(card).toContainText('Available offline');
    await card.getByRole('button', { name: /^(Renew|Start|Continue)/ }).click();
    await expect(page.getByRole('button', { name: 'Next' })).toBeVisible();
    // So is every page that was never opened: with what it keeps, or saying that it needs a connection once.
    for (const path of [`/users/${demoId('user:learner@willowbrook.test')}`, '/results/historical/submit', '/your-bookings', '/care-certificate']) {
      await page.goto(server.url + path);
      await expect(page.getByRole('navigation', { name: 'Main' }).or(page.getByRole('alert'))).toBeVisible();
      await expect(page.getByText('That did not work')).toHaveCount(0);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    }
  } finally {
    await server.close();
    rmSync(app, { recursive: true, force: true });
  }
});

test('a browser that takes no worker says that it cannot keep the app, and not that it is keeping it', async ({ page, server }) => {
  await page.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'));
  });
  await signIn(page, server, 'learner@willowbrook.test');
  await page.getByRole('button', { name: 'Ready for tomorrow' }).click();
  await expect(page.getByRole('dialog', { name: 'Ready for tomorrow' })).toContainText('This browser cannot store the app for offline use');
});

test('the browser’s offer to install is kept until it is wanted, and the loading bar runs with each navigation', async ({ page, server }) => {
  await page.goto(`${server.url}/login`);
  // The browser offers once, as soon as it knows the app.
  await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt')));
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Install on this device' })).toBeVisible();
  await page.keyboard.press('Escape');

  const bar = page.getByRole('progressbar', { name: 'Loading page', includeHidden: true });
  await expect(bar).toHaveAttribute('data-state', 'idle');
  await bar.evaluate((element) => {
    const seen: (string | null)[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => seen.push(element.getAttribute('data-state'))).observe(element, { attributeFilter: ['data-state'] });
  });
  const states = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  await goTo(page, 'Messages');
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await expect.poll(states).toEqual(['running', 'done', 'idle']);
});
