import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appIsKept, chip, course, courseSaved, expect, signIn, test } from '#tests/support/browser-test.ts';
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
    const offer = page.getByText('A new version is ready. Your work stays as it is.');
    await expect(offer).toBeVisible();

    await context.setOffline(true);
    await page.getByRole('button', { name: 'Next' }).click();
    // One for the page that was finished, one for the next that was begun.
    await expect(chip(page)).toContainText('2 saved on this device');
    await page.getByRole('button', { name: 'Update' }).click();
    // A browser under load may have to be asked again, and the page loaded once more.
    await expect(offer).toHaveCount(0, { timeout: 30_000 });
    await expect(chip(page)).toContainText('2 saved on this device');
    await context.setOffline(false);
    await expect(courseSaved(page)).toHaveText('Received');
    await expect(chip(page)).toContainText('All sent');
  } finally {
    await server.close();
    rmSync(app, { recursive: true, force: true });
  }
});
