import { answerFireQuiz, appIsKept, chip, course, courseSaved, expect, newDevice, readToQuiz, signIn, test } from '#tests/support/browser-test.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';

const open = async (page: import('@playwright/test').Page) => {
  await course(page, 'Fire safety')
    .getByRole('button', { name: /Renew|Continue/ })
    .click();
  await expect(courseSaved(page)).toBeVisible();
};

test('two devices hand in the same quiz: the second is explained, and becomes a new try', async ({ page, browser, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await open(page);
  await expect(courseSaved(page)).toHaveText('Received');
  const phone = await newDevice(browser);
  await signIn(phone.page, server, 'learner@willowbrook.test');
  await open(phone.page);
  await expect(courseSaved(phone.page)).toHaveText('Received');
  await appIsKept(phone.page);
  await readToQuiz(phone.page, 'Fire safety check');
  await phone.context.setOffline(true);

  await readToQuiz(page, 'Fire safety check');
  await page.getByRole('button', { name: 'Hand in' }).click();
  await page.getByRole('button', { name: 'Hand in anyway' }).click();
  await expect(page.getByText(/Not passed yet/)).toBeVisible();

  await answerFireQuiz(phone.page);
  await phone.page.getByRole('button', { name: 'Hand in' }).click();
  await expect(phone.page.getByText('Handed in and saved on this device.')).toBeVisible();
  await phone.context.setOffline(false);
  await expect(chip(phone.page)).toContainText('1 thing needs you');
  await chip(phone.page).click();
  const dialog = phone.page.getByRole('dialog');
  await expect(dialog).toContainText('You handed this quiz in on another device first.');
  await expect(dialog).toContainText('On this device');
  await dialog.getByRole('button', { name: 'Hand mine in as a new try' }).click();
  await expect(chip(phone.page)).toContainText('All sent');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(phone.page.getByText('Passed: 100 %')).toBeVisible();
  await phone.context.close();
});

test('an answer that is lost on the way back does no harm: the server did it once, the device asks again @online', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  let cut = 0;
  await page.route('**/api/attempts/*', async (route) => {
    if (route.request().method() === 'PATCH' && cut < 2) {
      cut++;
      await route.fetch();
      await route.abort();
      return;
    }
    await route.continue();
  });
  await open(page);
  await expect(courseSaved(page)).toHaveText('Received');
  expect(cut).toBe(2);
  const attempts = await page.evaluate(async () => {
    const me = JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string };
    return ((await (await fetch(`/api/users/${me.uuid}/attempts`)).json()) as { data: { progress: unknown[] }[] }).data;
  });
  expect(attempts).toHaveLength(1);
  expect(attempts[0]?.progress).toHaveLength(1);
});

test('a session that ends in the middle loses nothing: the device asks once, and sends after signing in @online', async ({
  page,
  context,
  server,
}) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await open(page);
  await expect(courseSaved(page)).toHaveText('Received');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(chip(page)).toContainText(/Sign in to send \d+/);
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  await chip(page).click();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(courseSaved(page)).toHaveText('Received');
  await expect(chip(page)).toContainText('All sent');
});

test('two people share a device: what one did is never sent under the other’s name, and waits for them', async ({ page, context, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await open(page);
  await expect(courseSaved(page)).toHaveText('Received');
  await appIsKept(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  await page.getByRole('button', { name: /account of Amara Okafor/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('dialog')).toContainText('under your name only');
  await page.getByRole('button', { name: 'Sign out, keep it here' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await context.setOffline(false);

  await signIn(page, server, 'manager@willowbrook.test');
  await expect(chip(page)).toContainText('All sent');
  await expect(page.getByText('Amara')).toHaveCount(0);
  await page.getByRole('button', { name: /account of Helen Marsh/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  // The sign-in page is shown at once; the data is deleted behind it, and then the page is loaded again.
  await expect(async () => {
    const left = await page.evaluate(
      async () => (await indexedDB.databases()).map((d) => d.name).filter((n) => n?.startsWith('lantern-person')).length,
    );
    expect(left).toBe(1);
  }).toPass({ timeout: 30_000 });

  await signIn(page, server, 'learner@willowbrook.test');
  await expect(chip(page)).toContainText(/All sent · /);
  const done = await page.evaluate(async () => {
    const me = JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string };
    return ((await (await fetch(`/api/users/${me.uuid}/attempts`)).json()) as { data: { progress: { state: string }[] }[] }).data[0]?.progress.filter(
      (p) => p.state === 'completed',
    ).length;
  });
  expect(done).toBe(1);
});

test('a full disk keeps the answers on the screen and says so', async ({ page, context, server }) => {
  test.setTimeout(120_000);
  await signIn(page, server, 'learner@willowbrook.test');
  await open(page);
  await readToQuiz(page, 'Fire safety check');
  await expect(courseSaved(page)).toHaveText('Received');
  const cdp = await context.newCDPSession(page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 });
  const full = page.getByText('This device is full. Your answer is still shown but not saved.');
  const first = page.getByRole('radio', { name: 'Raise the alarm' });
  const second = page.getByRole('radio', { name: 'Fetch an extinguisher' });
  // The browser believes an old figure of the free space for up to half a minute.
  await expect(async () => {
    await second.check();
    await first.check();
    await expect(full).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await expect(first).toBeChecked();
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: server.url });
  await expect(async () => {
    await second.check();
    await expect(full).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expect(second).toBeChecked();
  await expect(courseSaved(page)).toHaveText('Received');
});

test('a store that a newer version has written is explained and left as it is @online', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  const name = await page.evaluate(() => `lantern-person-${(JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string }).uuid}`);
  await page.goto(`${server.url}/api/check`);
  await page.evaluate(
    (db) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open(db, 990);
        request.onupgradeneeded = () => request.result.createObjectStore('from-the-future').put('kept', 'key');
        request.onsuccess = () => {
          request.result.close();
          resolve();
        };
        request.onerror = () => reject(request.error);
      }),
    name,
  );
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'This device has newer work than this version can read' })).toBeVisible();
  const kept = await page.evaluate(
    (db) =>
      new Promise((resolve) => {
        const request = indexedDB.open(db);
        request.onsuccess = () => {
          const get = request.result.transaction('from-the-future').objectStore('from-the-future').get('key');
          get.onsuccess = () => resolve(get.result);
        };
      }),
    name,
  );
  expect(kept).toBe('kept');
});

test('a database that the browser loses is filled again from the second journal, and the person is told', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await appIsKept(page);
  const card = course(page, 'Fire safety');
  await card.getByRole('button', { name: /available offline/ }).click();
  await card.getByRole('button', { name: /^Download/ }).click();
  await expect(card).toContainText('Available offline');
  await server.stop();
  await card.getByRole('button', { name: 'Renew' }).click();
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  const devtools = await page.context().newCDPSession(page);
  await page.goto('about:blank');
  await devtools.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'indexeddb' });
  await page.goto(server.url);
  await expect(page.getByText('The browser lost the data stored on this device.')).toBeVisible();
  // Leaving the page may have noted the time spent on it too.
  await expect(chip(page)).toContainText(/[1-9] saved on this device/);
  await chip(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your work on this device' });
  await expect(dialog.getByText(/Fire safety.*: started/)).toBeVisible();
  await dialog
    .getByText(/^(All \d+ changes|Details)$/)
    .first()
    .click();
  await expect(dialog.getByText(/Started “/)).toBeVisible();
  await dialog.getByRole('button', { name: 'I have read this' }).click();
  await page.keyboard.press('Escape');
  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText('All sent');
});
