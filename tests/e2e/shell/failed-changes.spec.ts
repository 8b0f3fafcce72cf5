import { chip, course, expect, newOffice, signIn, test } from '#tests/support/browser-test.ts';

test('a change at which the server always fails is given up, shown to its person, and listed for those who look after the devices', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'learner@willowbrook.test');
  let failed = 0;
  await page.context().route('**/api/attempts/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    failed++;
    await route.fulfill({
      status: 500,
      headers: { 'Content-Type': 'application/json', 'X-Lantern': '1' },
      body: JSON.stringify({ message: 'Something went wrong.', code: 'internal' }),
    });
  });
  await course(page, 'Fire safety')
    .getByRole('button', { name: /Renew|Continue/ })
    .click();
  await expect.poll(() => failed).toBeGreaterThan(0);

  // As after nine failures in two hours.
  await page.goto(`${server.url}/`);
  await page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name } of await indexedDB.databases()) {
      const db = await asked(indexedDB.open(name as string));
      if (db.objectStoreNames.contains('outbox')) {
        const outbox = db.transaction('outbox', 'readwrite').objectStore('outbox');
        for (const row of await asked(outbox.getAll()))
          await asked(outbox.put({ ...row, nextAt: 0, failing: { since: Date.now() - 7_200_000, times: 9 } }));
      }
      db.close();
    }
  });
  await page.reload();
  await expect(chip(page)).toContainText('1 thing needs you', { timeout: 60_000 });

  const office = await newOffice(browser);
  await signIn(office.page, server, 'super@lantern.test');
  await office.page.goto(`${server.url}/devices`);
  const told = office.page.getByRole('region', { name: 'Server errors' });
  await expect(told).toContainText('Amara');
  await expect(told).toContainText(/Failed 1\d times since .*; device [0-9a-f-]+ has stopped trying/);
  // It was answered in front of the server, which therefore knows of nothing.
  await expect(told).toContainText('The server itself has noted no failure');
  await office.context.close();

  const elsewhere = await newOffice(browser);
  await signIn(elsewhere.page, server, 'admin@brightpath.test');
  await elsewhere.page.goto(`${server.url}/devices`);
  await expect(elsewhere.page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
  await expect(elsewhere.page.getByRole('heading', { name: 'Last connection of each device' })).toBeVisible();
  await expect(elsewhere.page.getByRole('region', { name: 'Server errors' })).toBeHidden();
  await elsewhere.context.close();
});
