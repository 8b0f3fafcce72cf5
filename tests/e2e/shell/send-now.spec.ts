import { appIsKept, chip, course, courseSaved, expect, signIn, test } from '#tests/support/browser-test.ts';

test('Send now says at once that it sends, on a silent line within ten seconds so, and asks for nothing where all was received', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await appIsKept(page);
  const centre = page.getByRole('dialog', { name: 'Your work on this device' });
  await expect(chip(page)).toContainText('All sent');
  await chip(page).click();
  await expect(centre).toContainText('Everything has been received');
  await expect(centre).not.toContainText('send it as soon as you can');
  // Private files that are open do not count as the 4 GB that the browser reserves for them.
  await expect(centre).toContainText(/This device uses \d{1,2}\.\d MB for Lantern/);
  await page.keyboard.press('Escape');

  // The server takes requests and never answers.
  const hung: (() => void)[] = [];
  await page
    .context()
    .route(/\/api\/(devices|attempts|check)/, (route) => new Promise<void>((go) => hung.push(() => void route.continue().then(go, go))));
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await expect(courseSaved(page)).toHaveText(/Saved on this device|Sending/);
  await chip(page).click();
  await centre.getByRole('button', { name: 'Send now' }).click();
  await expect(centre.getByText('Sending …', { exact: true })).toBeVisible({ timeout: 1000 });
  await expect(centre).toContainText('The server does not answer yet. Your work stays on this device', { timeout: 10_000 });
  await page.context().unroute(/\/api\/(devices|attempts|check)/);
  for (const go of hung) go();
  await expect(centre).toContainText('Everything has been received', { timeout: 60_000 });
});
