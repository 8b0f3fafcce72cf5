import { chip, course, courseSaved, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';

test('work that was reported as waiting and never came is named to the person and to the manager @online', async ({
  page,
  context,
  browser,
  server,
}) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await expect(courseSaved(page)).toHaveText('Received');
  // The server takes check-ins, and nothing else.
  await page.route('**/api/attempts/*', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback()));
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(chip(page)).toContainText('2 saved on this device');
  const told = page.waitForResponse(
    (response) => response.url().endsWith('/devices/check-in') && (response.request().postDataJSON().unsent?.ids.length ?? 0) === 2,
  );
  await page.reload();
  await told;
  // Emptied while no page is open: nothing holds it any more. There is no worker either, which would be woken to send it.
  await page.goto('about:blank');
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.clearDataForOrigin', {
    origin: server.url,
    storageTypes: 'indexeddb,cache_storage,service_workers,file_systems,storage_buckets',
  });
  await expect.poll(async () => (await devtools.send('Storage.getUsageAndQuota', { origin: server.url })).usage).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(server.url);
  await expect(chip(page)).toContainText('2 items saved here are no longer on this device');
  await chip(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('2 items saved on this device have not arrived.');
  await dialog.getByRole('button', { name: 'I have read this' }).first().click();
  await expect(chip(page)).toContainText('All sent');

  const office = await newDevice(browser);
  await signIn(office.page, server, 'manager@willowbrook.test');
  await goTo(office.page, 'Devices');
  await expect(office.page.getByText('2 never came', { exact: true })).toBeVisible();
  await office.context.close();
});
