import { demoId } from '#server/db/demo/authoring.ts';
import { appIsKept, expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('what one opened about oneself is there without a connection, with the day it is from', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'rhys.evans@willowbrook.test');
  const record = `${server.url}/users/${demoId('user:rhys.evans@willowbrook.test')}?tab=record`;
  await page.goto(record);
  await expect(page.getByRole('region', { name: 'Training record' })).toBeVisible();
  await page.goto(`${server.url}/pathways`);
  await expect(page.getByRole('link', { name: /The first twelve weeks/ })).toBeVisible();
  await page.getByRole('link', { name: /The first twelve weeks/ }).click();
  await expect(page.getByRole('heading', { name: 'Your steps' })).toBeVisible();
  // Only the list: the certificate itself comes with it.
  await page.goto(`${server.url}/care-certificate`);
  await expect(page.getByRole('link', { name: /Rhys Evans/ })).toBeVisible();
  await appIsKept(page);
  const stored = (key: string) =>
    page.evaluate(
      (key) =>
        new Promise<boolean>((found) => {
          void indexedDB.databases().then((all) => {
            const name = all.find((d) => d.name?.startsWith('lantern-') && d.name.length > 30)?.name ?? '';
            const opening = indexedDB.open(name);
            opening.onsuccess = () => {
              const db = opening.result;
              const asked = db.transaction('kv').objectStore('kv').getAllKeys();
              asked.onsuccess = () => {
                db.close();
                found(asked.result.some((k) => String(k).startsWith(key)));
              };
            };
          });
        }),
      key,
    );
  for (const key of ['page:own-record', 'page:own-pathways', 'page:pathway:', 'care-standards:']) await expect.poll(() => stored(key)).toBe(true);

  await page.context().setOffline(true);
  const asOf = page.getByText(/^No connection\. Last updated on \d\d\/\d\d\/\d{4}, \d\d:\d\d\.$/);
  await page.goto(record);
  await expect(asOf).toBeVisible();
  await expect(page.getByRole('region', { name: 'Training record' })).toBeVisible();
  await look(page, 'own-record-kept');
  await page.goto(`${server.url}/pathways`);
  await expect(asOf).toBeVisible();
  await look(page, 'pathways-kept');
  await page.getByRole('link', { name: /The first twelve weeks/ }).click();
  await expect(asOf).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your steps' })).toBeVisible();
  await page.goto(`${server.url}/care-certificate`);
  await page.getByRole('link', { name: /Rhys Evans/ }).click();
  await expect(page.getByText('16 of 16 standards')).toBeVisible();
});

test('the contents of a course are closed on a phone by Escape, by a tap on the course and by going on', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, server, 'learner@willowbrook.test');
  await page
    .getByRole('article', { name: 'Infection prevention and control' })
    .getByRole('button', { name: /Start|Continue|Renew/ })
    .click();
  const contents = page.getByRole('navigation', { name: 'Contents of the course' });
  const button = page.getByRole('button', { name: 'Contents of the course' });
  await expect(button).toBeVisible();
  await button.click();
  await expect(contents).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(contents).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(contents).toBeHidden();
  await button.click();
  await expect(contents).toBeVisible();
  await button.click();
  await expect(contents).toBeHidden();
});
