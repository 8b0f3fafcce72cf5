import type { Page } from '@playwright/test';
import { demoId } from '#server/db/demo/authoring.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import {
  api,
  appIsKept,
  chip,
  expect,
  keepCourse,
  newOffice,
  passwordIsKnown,
  signIn,
  takeBack,
  test,
  wake,
  withoutPin,
} from '#tests/support/browser-test.ts';

const learner = 'learner@willowbrook.test';
const trainer = 'trainer@willowbrook.test';
const session = demoId('session:moving');

const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
/** Fills in the sign-in form that is open. */
const typeIn = async (page: Page, email: string, password = demoPassword) => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
const isIn = (page: Page, name: string) => expect(page.getByRole('button', { name: new RegExp(`account of ${name}`) })).toBeVisible();
const startOffline = async (page: Page) => {
  const card = page.getByRole('article', { name: 'Fire safety' });
  await card.getByRole('button', { name: /Start|Renew|Continue/ }).click();
  await expect(chip(page)).toContainText('saved on this device');
};

/** Everything that this origin stores, as text: a name that stands anywhere in clear is found in it. */
const everythingStored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const latin = (bytes: Uint8Array) => {
      let text = '';
      for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
      return text;
    };
    const utf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes) + latin(bytes);
    const parts: string[] = [document.cookie, ...Object.entries(localStorage).flat(), ...Object.entries(sessionStorage).flat()];
    const textOf = (value: unknown): string =>
      value instanceof Uint8Array
        ? utf8(value)
        : value instanceof ArrayBuffer
          ? utf8(new Uint8Array(value))
          : typeof value === 'object' && value !== null
            ? Object.entries(value)
                .map(([key, inner]) => `${key} ${textOf(inner)}`)
                .join(' ')
            : String(value);
    for (const { name } of await indexedDB.databases()) {
      if (!name) continue;
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of db.objectStoreNames) {
        const reading = db.transaction(store).objectStore(store);
        for (const request of [reading.getAll(), reading.getAllKeys()])
          parts.push(
            `${name}/${store}: ${await new Promise<string>((resolve, reject) => {
              request.onsuccess = () => resolve(textOf(request.result));
              request.onerror = () => reject(request.error);
            })}`,
          );
      }
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        parts.push(`${name} ${request.url} ${answer ? utf8(new Uint8Array(await answer.arrayBuffer())) : ''}`);
      }
    }
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const entry of (folder as unknown as { values(): AsyncIterable<FileSystemHandle> }).values()) {
        if (entry.kind === 'directory') await walk(entry as FileSystemDirectoryHandle, `${path}/${entry.name}`);
        else {
          const file = await (entry as FileSystemFileHandle).getFile();
          parts.push(`${path}/${entry.name}: ${utf8(new Uint8Array(await file.arrayBuffer()))}`);
        }
      }
    };
    await walk(await navigator.storage.getDirectory(), 'files');
    return parts.join('\n');
  });
/** Where a text stands in what is stored, for the message of a failure. */
const around = (stored: string, text: string) => {
  const at = stored.toLowerCase().indexOf(text.toLowerCase());
  return at < 0 ? null : stored.slice(Math.max(0, at - 120), at + 120);
};

test('a device in another hand opens nothing of its owner: not by Escape, going back, reloading, another tab or a link', async ({
  page,
  server,
  context,
}) => {
  test.setTimeout(240_000);
  await signIn(page, server, trainer);
  await appIsKept(page);
  await passwordIsKnown(page);
  await page.goto(`${server.url}/training-sessions`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(`${server.url}/training-sessions/${session}`);
  await page.getByRole('button', { name: 'Here: Grace Adeyemi' }).click();
  await page.getByRole('button', { name: 'Sign: Grace Adeyemi' }).click();
  // Nothing has been handed over before the owner has chosen how to take it back.
  await expect(page.getByRole('heading', { name: 'Before you hand it over' })).toBeVisible();
  await withoutPin(page);
  const handed = page.getByRole('dialog', { name: 'For Grace Adeyemi' });
  await expect(handed.getByRole('heading', { name: 'Grace Adeyemi, is this so?' })).toBeVisible();
  await server.stop();

  const closed = (on: Page) => expect(on.getByRole('heading', { level: 1, name: 'This device was handed over' })).toBeVisible();
  const nothingOpen = async (on: Page) => {
    await expect(on.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
    await expect(on.getByRole('button', { name: /account of/ })).toHaveCount(0);
  };
  // The back gesture of a phone closes dialogs as Escape does, and twice closes also those that refuse once.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
  await expect(handed.getByRole('heading', { name: 'Grace Adeyemi, is this so?' })).toBeVisible();
  expect(await handed.evaluate((dialog) => dialog.matches(':modal'))).toBe(true);

  const second = await context.newPage();
  for (const path of ['/', '/users', '/login', `/training-sessions/${session}`]) {
    await second.goto(`${server.url}${path}`);
    await closed(second);
    await nothingOpen(second);
  }
  await second.close();

  await page.goBack();
  await closed(page);
  await nothingOpen(page);
  await page.reload();
  await closed(page);
  await nothingOpen(page);
  await page.goto(`${server.url}/`);
  await closed(page);
  await nothingOpen(page);
  const reopened = await context.newPage();
  await page.close();
  await reopened.goto(`${server.url}/training-sessions/${session}`);
  await closed(reopened);

  // Guesses are slowed down, and the owner's password is checked without a connection.
  await takeBack(reopened, 'Tomasz Zielinski', 'not the password');
  await expect(reopened.getByText('The password is incorrect.')).toBeVisible();
  await nothingOpen(reopened);
  await takeBack(reopened, 'Tomasz Zielinski');
  await expect(reopened.getByRole('button', { name: /account of/ })).toBeVisible();
  await reopened.reload();
  await expect(reopened.getByRole('button', { name: /account of/ })).toBeVisible();
});

test('a device marked as shared offers a PIN at the first use, and the PIN ends a hand-over', async ({ page, server }) => {
  test.setTimeout(240_000);
  await signIn(page, server, learner);
  await menu(page, 'Lock my work');
  await page.getByLabel('Other people use this device too').check();
  await page.keyboard.press('Escape');
  await menu(page, 'Sign out');
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await signIn(page, server, trainer);
  const offer = page.getByRole('dialog', { name: 'Choose a PIN for this device' });
  await offer.getByLabel('PIN', { exact: true }).fill('271828');
  await offer.getByLabel('Repeat PIN').fill('271828');
  await offer.getByRole('button', { name: 'Use this PIN' }).click();
  await expect(offer).toBeHidden();
  await page.goto(`${server.url}/training-sessions/${session}`);
  await page.getByLabel('PIN', { exact: true }).fill('271828');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('button', { name: 'Here: Grace Adeyemi' }).click();
  await page.getByRole('button', { name: 'Sign: Grace Adeyemi' }).click();
  const handed = page.getByRole('dialog', { name: 'For Grace Adeyemi' });
  await expect(handed.getByRole('heading', { name: 'Grace Adeyemi, is this so?' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'This device was handed over' })).toBeVisible();
  await page.getByLabel('PIN of Tomasz Zielinski').fill('314159');
  await page.getByRole('button', { name: 'Take the device back' }).click();
  await expect(page.getByText('The PIN is incorrect.')).toBeVisible();
  await page.getByLabel('PIN of Tomasz Zielinski').fill('271828');
  await page.getByRole('button', { name: 'Take the device back' }).click();
  // One proof is enough: the lock is open as well.
  await expect(page.getByRole('button', { name: 'Here: Grace Adeyemi' })).toBeVisible();
});

test('two people use one tablet one after the other without a connection, and what each did arrives under their own name', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(300_000);
  for (const email of [trainer, learner]) {
    await signIn(page, server, email);
    if (email === learner) await keepCourse(page, 'Fire safety');
    else await appIsKept(page);
    await passwordIsKnown(page);
    if (email === trainer) {
      await menu(page, 'Sign out');
      await expect(page.getByLabel('E-mail address')).toBeVisible();
    }
  }
  await server.stop();
  await startOffline(page);
  await page.getByRole('link', { name: /start page/ }).click();
  await menu(page, 'Sign out');
  const dialog = page.getByRole('dialog', { name: 'Not everything has been sent' });
  await expect(dialog).toContainText('You can sign in again on this device without one');
  await dialog.getByRole('button', { name: 'Sign out, keep it here' }).click();

  await expect(page.getByText(/items? of a colleague waits? on this device/)).toBeVisible();
  await typeIn(page, trainer, 'not the password');
  await expect(page.getByRole('alert')).toContainText('There is no connection.');
  await typeIn(page, trainer);
  await isIn(page, 'Tomasz Zielinski');
  // Of the person before, nothing is shown.
  await expect(page.getByText('Amara')).toHaveCount(0);
  await menu(page, 'Sign out');
  await expect(page.getByRole('dialog', { name: 'Sign out without a connection?' })).toContainText(
    'You can sign in again on this device without one',
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await typeIn(page, learner);
  await isIn(page, 'Amara Okafor');
  await expect(chip(page)).toContainText('saved on this device');

  await server.start();
  await wake(page);
  await expect(chip(page)).toContainText('All sent');
  expect((await api<{ name: string }>(page, 'GET', '/auth/user')).name).toBe('Amara Okafor');
  const office = await newOffice(browser);
  await signIn(office.page, server, learner);
  await expect(office.page.getByRole('article', { name: 'Fire safety' }).getByRole('button', { name: /Continue/ })).toBeVisible();
  await office.context.close();
});

test('somebody whose account was closed meanwhile is signed out at the next connection, and their work is kept, encrypted', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(300_000);
  await signIn(page, server, learner);
  await keepCourse(page, 'Fire safety');
  await passwordIsKnown(page);
  await menu(page, 'Sign out');
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  const office = await newOffice(browser);
  await signIn(office.page, server, 'admin@willowbrook.test');
  const people = await api<{ uuid: string; email: string }[]>(office.page, 'GET', '/users?search=Amara');
  const amara = people.find(({ email }) => email === learner);
  await page.context().setOffline(true);
  await typeIn(page, learner);
  await isIn(page, 'Amara Okafor');
  await api(office.page, 'PATCH', `/users/${amara?.uuid}`, { disabled: true });
  await page.context().setOffline(false);
  await wake(page);
  await expect(page).toHaveURL(/login/);
  await expect(page.getByRole('alert')).toContainText('Your account at Willowbrook');
  await expect(page.getByRole('alert')).toContainText('has been deactivated');
  await page.context().setOffline(true);
  // The device no longer knows them.
  await typeIn(page, learner);
  await expect(page.getByRole('alert')).toContainText('There is no connection.');
  await office.context.close();
});

test('after signing out, no name or address of anybody stands in clear on the device, with unsent work and without', async ({ page, server }) => {
  test.setTimeout(300_000);
  await signIn(page, server, trainer);
  await appIsKept(page);
  await passwordIsKnown(page);
  // People they look at.
  await page.goto(`${server.url}/training-sessions/${session}`);
  await expect(page.getByText('Liam Murphy').first()).toBeVisible();
  await page.goto(`${server.url}/care-certificate`);
  await expect(page.getByText('Megan Davies').first()).toBeVisible();
  const names = ['Tomasz', 'Zielinski', trainer, 'Liam Murphy', 'Megan Davies'];
  const expectNone = async () => {
    await expect(async () => {
      const stored = await everythingStored(page);
      for (const name of names) expect(around(stored, name), name).toBeNull();
    }).toPass({ timeout: 20_000 });
  };
  // The search finds what stands in clear.
  expect(around(await everythingStored(page), 'Tomasz')).not.toBeNull();
  await menu(page, 'Sign out');
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await expectNone();

  await signIn(page, server, trainer);
  await passwordIsKnown(page);
  await page.goto(`${server.url}/training-sessions/${session}`);
  await expect(page.getByRole('button', { name: 'Here: Liam Murphy' })).toBeVisible();
  await server.stop();
  await page.getByRole('button', { name: 'Here: Liam Murphy' }).click();
  await expect(chip(page)).toContainText('saved on this device');
  await menu(page, 'Sign out');
  await page.getByRole('dialog', { name: 'Not everything has been sent' }).getByRole('button', { name: 'Sign out, keep it here' }).click();
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await expectNone();
});

test('a person whose session was ended finds their own work named, their address filled in, and learns whom to ask', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(300_000);
  await signIn(page, server, learner);
  await keepCourse(page, 'Fire safety');
  await passwordIsKnown(page);
  await page.context().setOffline(true);
  await startOffline(page);
  const office = await newOffice(browser);
  await signIn(office.page, server, 'admin@willowbrook.test');
  const people = await api<{ uuid: string; email: string }[]>(office.page, 'GET', '/users?search=Amara');
  const amara = people.find(({ email }) => email === learner);
  await api(office.page, 'PATCH', `/users/${amara?.uuid}`, { disabled: true });
  await page.context().setOffline(false);
  await page.goto(`${server.url}/messages`);
  await expect(page).toHaveURL(/login/);
  const own = page.getByText(/Amara Okafor, \d+ things? you did waits? on this device\. Sign in to send/);
  await expect(own).toBeInViewport();
  await expect(page.getByLabel('E-mail address')).toHaveValue(learner);
  await expect(page.getByText(/of a colleague/)).toHaveCount(0);
  await typeIn(page, learner, 'not the password');
  await expect(page.getByRole('alert')).toContainText('password is incorrect');
  await typeIn(page, learner);
  await expect(page.getByRole('alert')).toContainText('Your account at Willowbrook');
  await expect(page.getByText(/They stay on this device, encrypted|It stays on this device, encrypted/)).toBeVisible();
  await office.context.close();
});
