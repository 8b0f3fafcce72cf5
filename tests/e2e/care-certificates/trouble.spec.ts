import sharp from 'sharp';
import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, appIsKept, chip, expect, newOffice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';
import type { Page } from '@playwright/test';

const certificateOf = (who: string) => demoId(`certificate:${who}@willowbrook.test`);
/** A record of somebody, as far as Save. */
const fill = async (page: Page, url: string, who: string, seen: string) => {
  await page.goto(`${url}/care-certificate/${certificateOf(who)}/record`);
  await page.getByRole('button', { name: /^Offering drinks/ }).click();
  await page.getByRole('list', { name: 'Criteria' }).getByRole('radiogroup').first().getByText('Not yet', { exact: true }).click();
  await page.getByLabel(/^What is to be done about/).fill('Show it again');
  await page.getByLabel('What you saw or heard').fill(seen);
};
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
};

test('somebody who left meanwhile, and a permission that is gone: what was recorded is kept, and said in a sentence', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(180_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  for (const who of ['megan.davies', 'daniel.osei']) {
    await page.goto(`${server.url}/care-certificate/${certificateOf(who)}`);
    await expect(page.getByRole('link', { name: 'Record an observation' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Record an observation' }).click();
  await expect(page.getByRole('button', { name: /^Offering drinks/ })).toBeVisible();
  await appIsKept(page);
  await page.context().setOffline(true);
  await fill(page, server.url, 'megan.davies', 'Seen on her last shift.');
  await save(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign the record of Megan Davies' })).toBeVisible();

  // She leaves while the trainer has no signal.
  const office = await newOffice(browser);
  await signIn(office.page, server, 'admin@willowbrook.test');
  await api(office.page, 'PATCH', `/users/${demoId('user:megan.davies@willowbrook.test')}`, { disabled: true });
  await page.context().setOffline(false);
  await wake(page);
  await expect(chip(page)).toContainText('All sent');
  const kept = await api<CareCertificate>(office.page, 'GET', `/care-certificates/${certificateOf('megan.davies')}`);
  expect(kept.observations.at(-1)?.record?.seen).toBe('Seen on her last shift.');

  // In the middle of the next record the trainer loses the permission to observe.
  await fill(page, server.url, 'daniel.osei', 'Half of it was written before.');
  await page.context().setOffline(true);
  await api(office.page, 'PATCH', `/users/${demoId('user:trainer@willowbrook.test')}`, { type_id: demoId('type:group:learner') });
  await save(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign the record of Daniel Osei' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(async () => {
    await wake(page);
    await expect(chip(page)).toContainText(/need(s)? you/i, { timeout: 3000 });
  }).toPass({ timeout: 60_000 });
  await chip(page).click();
  const centre = page.getByRole('dialog');
  await expect(centre).toContainText('You do not see this certificate any more');
  await look(page, 'permission-gone');
  await page.keyboard.press('Escape');
  // Once it is granted again, the record is sent.
  await api(office.page, 'PATCH', `/users/${demoId('user:trainer@willowbrook.test')}`, { type_id: demoId('type:group:trainer') });
  await expect(async () => {
    if (!(await centre.isVisible())) await chip(page).click();
    const again = centre.getByRole('button', { name: 'Try again' }).first();
    if (await again.isVisible()) await again.click();
    await expect(chip(page)).toContainText('All sent', { timeout: 3000 });
  }).toPass({ timeout: 60_000 });
  const daniel = await api<CareCertificate>(office.page, 'GET', `/care-certificates/${certificateOf('daniel.osei')}`);
  expect(daniel.observations.filter((o) => o.record?.seen === 'Half of it was written before.')).toHaveLength(1);
  await office.context.close();
});

/** The browser caches the free space for up to half a minute: write something else until it is updated. */
const untilFull = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(
          () =>
            new Promise<boolean>((full) => {
              const opening = indexedDB.open('something-else', 1);
              opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true });
              opening.onerror = () => full(true);
              opening.onsuccess = () => {
                const tx = opening.result.transaction('rows', 'readwrite');
                tx.objectStore('rows').add(new Uint8Array(100_000));
                tx.oncomplete = () => full(false);
                tx.onabort = () => full(true);
              };
            }),
        ),
      { timeout: 60_000, intervals: [1000] },
    )
    .toBe(true);

test('a full device and a picture that is too large: a sentence, and the record goes on', async ({ page, server }) => {
  test.setTimeout(180_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  await fill(page, server.url, 'daniel.osei', 'A long morning.');
  const choose = async (name: string, side: number) =>
    page
      .locator('input[type=file]')
      .last()
      .setInputFiles({
        name,
        mimeType: 'image/jpeg',
        buffer: await sharp({ create: { width: side, height: side, channels: 3, background: '#374' } })
          .jpeg({ quality: 30 })
          .toBuffer(),
      });
  await choose('huge.jpg', 10_000);
  await expect(
    page.getByText('This picture is too large for a device: use one of up to 50 megapixels. Nothing of your record is lost.'),
  ).toBeVisible();
  await choose('table.jpg', 1600);
  const file = page.getByRole('listitem', { name: 'Photograph 1' });
  await file.getByText('Nobody', { exact: true }).click();

  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 });
  await untilFull(page);
  await save(page);
  await expect(page.getByText(/^This device is full: the record is not saved yet/)).toBeVisible();
  await expect(page.getByLabel('What you saw or heard')).toHaveValue('A long morning.');
  await expect(file).toBeVisible();
  await look(page, 'tablet-full');
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: server.url });
  await expect(async () => {
    await save(page);
    await expect(page.getByRole('heading', { level: 1, name: 'Sign the record of Daniel Osei' })).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 60_000 });
  await expect(chip(page)).toContainText('All sent');
  const daniel = await api<CareCertificate>(page, 'GET', `/care-certificates/${certificateOf('daniel.osei')}`);
  expect(daniel.observations.filter((o) => o.record?.seen === 'A long morning.').map((o) => o.record?.evidence?.length)).toEqual([1]);
});
