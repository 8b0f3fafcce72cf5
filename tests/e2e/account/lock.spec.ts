import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { appIsKept, chip, course, expect, newOffice, signIn, test, wake } from '#tests/support/browser-test.ts';

const learner = 'learner@willowbrook.test';
const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const setPin = async (page: Page, pin: string) => {
  await menu(page, 'Lock my work');
  const dialog = page.getByRole('dialog', { name: 'Lock my work on this device' });
  await dialog.getByLabel('PIN', { exact: true }).fill(pin);
  await dialog.getByLabel('Repeat PIN').fill(pin);
  await dialog.getByRole('button', { name: 'Lock with this PIN' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove the lock' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
};
const locked = (page: Page, name: string) => page.getByRole('heading', { name: `Locked for ${name}` });
const unlock = async (page: Page, pin: string) => {
  await page.getByLabel('PIN', { exact: true }).fill(pin);
  await page.getByRole('button', { name: 'Unlock' }).click();
};
/** Leaves unsent work: a course that was started offline. */
const workOffline = async (page: Page) => {
  await course(page, 'Fire safety')
    .getByRole('button', { name: /Start|Renew|Continue/ })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/Good/);
  await expect(chip(page)).toContainText('saved on this device');
};
const keepCourse = async (page: Page) => {
  const card = course(page, 'Fire safety');
  await card.getByRole('button', { name: /available offline/ }).click();
  await card.getByRole('button', { name: /^Download/ }).click();
  await expect(card).toContainText('Available offline');
};

test('a PIN locks what a person did: a reload asks for it, a wrong one opens nothing, the right one brings everything back', async ({
  page,
  server,
}) => {
  await signIn(page, server, learner);
  await appIsKept(page);
  await keepCourse(page);
  await setPin(page, '271828');
  await server.stop();
  await workOffline(page);
  await page.goto(server.url);
  await expect(locked(page, 'Amara Okafor')).toBeVisible();
  await expect(page.getByText(/unsent items? (is|are) on this device, encrypted/)).toBeVisible();
  await unlock(page, '314159');
  await expect(page.getByRole('alert')).toContainText('PIN is incorrect');
  await unlock(page, '271828');
  await expect(chip(page)).toContainText('saved on this device');
  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText('All sent');
  // Locking manually also locks the server session.
  await menu(page, 'Lock now');
  await expect(locked(page, 'Amara Okafor')).toBeVisible();
  await expect.poll(async () => (await page.request.get(`${server.url}/api/auth/user`)).status()).toBe(401);
  await unlock(page, '271828');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(async () => (await page.request.get(`${server.url}/api/auth/user`)).status()).toBe(200);
});

test('a device whose browser loses the record of the lock still asks for the PIN, and the PIN still opens', async ({ page, server }) => {
  await signIn(page, server, learner);
  await appIsKept(page);
  await keepCourse(page);
  await setPin(page, '271828');
  await server.stop();
  await workOffline(page);
  await page.goto(server.url);
  await expect(locked(page, 'Amara Okafor')).toBeVisible();
  const left = await page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('lantern-device');
        opening.onsuccess = () => {
          const records = opening.result.transaction('keys', 'readwrite').objectStore('keys');
          records.clear();
          const count = records.count();
          count.onsuccess = () => {
            opening.result.close();
            resolve(count.result);
          };
        };
        opening.onerror = () => reject(opening.error);
      }),
  );
  expect(left).toBe(0);
  await page.goto(server.url);
  await expect(locked(page, 'Amara Okafor')).toBeVisible();
  await unlock(page, '314159');
  await expect(page.getByRole('alert')).toContainText('PIN is incorrect');
  await unlock(page, '271828');
  await expect(chip(page)).toContainText('saved on this device');
  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText('All sent');
});

test('a forgotten PIN loses nothing: the password opens what waits, also without a connection', async ({ page, server }) => {
  await signIn(page, server, learner);
  await appIsKept(page);
  await keepCourse(page);
  await setPin(page, '271828');
  await server.stop();
  await workOffline(page);
  await page.goto(server.url);
  await page.getByRole('button', { name: 'I have forgotten my PIN' }).click();
  await page.getByLabel('Password', { exact: true }).fill('Lantern-demo-2');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('alert')).toContainText('That password is incorrect.');
  await page.getByLabel('Password', { exact: true }).fill('Lantern-demo-1');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(chip(page)).toContainText('saved on this device');
  await server.start();
  await wake(page);
  await expect(chip(page)).toContainText('All sent');
});

test('a passkey of the device opens the lock without a network', async ({ page, server }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, server, learner);
  await appIsKept(page);
  await menu(page, 'Lock my work');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Add another passkey' })).toBeVisible();
  await server.stop();
  await page.goto(server.url);
  await expect(locked(page, 'Amara Okafor')).toBeVisible();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Good');
});

test('a colleague who takes the device over sees that work waits, and never sees it; a manager hands in its sealed copy', async ({
  page,
  server,
  browser,
}) => {
  await signIn(page, server, learner);
  await appIsKept(page);
  await keepCourse(page);
  await server.stop();
  await workOffline(page);
  await page.getByRole('link', { name: /start page/ }).click();
  await menu(page, 'Sign out');
  const dialog = page.getByRole('dialog', { name: 'Not everything has been sent' });
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save a sealed copy' }).click();
  const copy = readFileSync(await (await download).path(), 'utf8');
  expect(copy).toContain('lantern-sealed-work');
  expect(copy).not.toContain('Fire safety');
  await dialog.getByRole('button', { name: 'Sign out, keep it here' }).click();
  await expect(page).toHaveURL(/login/);
  await expect(page.getByText(/items? of a colleague waits? on this device/)).toBeVisible();
  await server.start();
  await signIn(page, server, 'manager@willowbrook.test');
  await expect(chip(page)).toContainText('All sent');
  await chip(page).click();
  await expect(page.getByText(/items? of another colleague waits? on this device/)).toBeVisible();

  const office = await newOffice(browser);
  await signIn(office.page, server, 'manager@willowbrook.test');
  await office.page.goto(`${server.url}/devices`);
  await expect(office.page.getByRole('row', { name: /Amara Okafor/ })).toBeVisible();
  const handIn = (text: string) =>
    office.page.locator('input[type=file]').setInputFiles({ name: 'copy.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  // An unsigned copy is shown and not accepted.
  await handIn(JSON.stringify({ ...JSON.parse(copy), signed: undefined }));
  await expect(office.page.getByText('Nothing was received: nothing proves that Amara Okafor made this.')).toBeVisible();
  await expect(office.page.getByRole('status').getByText('Not received').first()).toBeVisible();
  await expect(office.page.getByRole('status').getByText('Received', { exact: true })).toHaveCount(0);
  await handIn(copy);
  await expect(office.page.getByText(/^Signed on device .*, where Amara Okafor has signed in since/)).toBeVisible();
  await expect(office.page.getByRole('heading', { name: 'Handed in for Amara Okafor' })).toBeVisible();
  await expect(office.page.getByRole('status').getByText('Received').first()).toBeVisible();
  await office.context.close();

  // Her password opens what was sealed at sign-out, and what the manager handed in is not sent twice.
  await page.goto(`${server.url}/`);
  await page.keyboard.press('Escape');
  await menu(page, 'Sign out');
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await signIn(page, server, learner);
  await expect(chip(page)).toContainText('All sent');
});
