import { scormManifest, zip } from '#tests/support/archives.ts';
import { courseSaved, expect, keepCourse, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test.use({ settings: { ONE_ORIGIN: 'true' } });

test('where there is one origin only, a kept course plays without the server, and only a super administrator adds one', async ({
  page,
  browser,
  server,
}) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  const card = await keepCourse(page, 'Data protection');

  const refused = await newDevice(browser);
  await signIn(refused.page, server, 'admin@willowbrook.test');
  await refused.page.goto(`${server.url}/content-creator/content/scorm/create`);
  await expect(refused.page.getByText('On this server only a super administrator can upload packages.')).toBeVisible();
  const status = await refused.page.evaluate(async () => {
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
    const headers = { 'Content-Type': 'application/zip', 'X-XSRF-TOKEN': token };
    return (await fetch('/api/packages?kind=scorm', { method: 'POST', headers, body: 'x' })).status;
  });
  expect(status).toBe(403);
  await refused.context.close();
  const taken = await newDevice(browser);
  await signIn(taken.page, server, 'super@lantern.test');
  await taken.page.goto(`${server.url}/content-creator/content/scorm/create`);
  await expect(taken.page.getByText('a package runs with the rights of the person who plays it')).toBeVisible();
  const [chooser] = await Promise.all([taken.page.waitForEvent('filechooser'), taken.page.getByRole('button', { name: 'Choose a file' }).click()]);
  const buffer = await zip({ 'imsmanifest.xml': scormManifest(), 'index.html': '<!doctype html><title>Before you lift</title>' });
  await chooser.setFiles({ name: 'moving.zip', mimeType: 'application/zip', buffer });
  await expect(taken.page.getByLabel('Title')).toHaveValue('Moving people safely');
  await look(taken.page, 'scorm-form-one-origin');
  await taken.context.close();

  await server.stop();
  await page.reload();
  await card.getByRole('button').first().click();
  await expect(courseSaved(page)).toBeVisible();
  const item = page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]');
  await item.getByRole('button', { name: 'Next page' }).click();
  await expect(item.getByText('Page 2 of 4')).toBeVisible();
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  // The app's own worker still answers for the app, the content's for the content alone.
  const scopes = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map((r) => new URL(r.scope).pathname).sort());
  expect(scopes).toEqual(['/', '/player/']);
  // Its policy lets a package ask for nothing but what lies with the content.
  await server.start();
  const call = await item.locator('body').evaluate(() =>
    fetch('/api/auth/user').then(
      (r) => r.status,
      (e: Error) => e.name,
    ),
  );
  expect(call).toBe('TypeError');
});
