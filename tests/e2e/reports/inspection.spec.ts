import { readFileSync } from 'node:fs';
import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

test('a manager freezes a pack, reads it without a connection, and anybody can check a file of it', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'Inspection packs');
  await expect(page.getByRole('heading', { name: 'There are no inspection packs yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Freeze a pack' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Inspection in November');
  await look(page, 'inspection-create');
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Inspection in November' })).toBeVisible();
  await expect(page.getByText(/^Unchanged: its fingerprint .*kept on this device/)).toBeVisible({ timeout: 60_000 });
  await page.getByLabel('Find in this pack').fill('amara fire');
  await expect(page.getByText('0 lines')).toBeVisible();
  await page.getByLabel('Find in this pack').fill('amara');
  await expect(page.getByRole('row', { name: /Amara Okafor/ }).first()).toBeVisible();
  await look(page, 'inspection');
  await lookOnDesktop(page, 'inspection');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: /^PDF/ }).click();
  const file = await (await saving).path();

  await server.stop();
  await page.reload();
  await expect(page.getByText(/^Unchanged: its fingerprint/)).toBeVisible();
  await page.getByRole('tab', { name: /^People/ }).click();
  await expect(page.getByRole('row', { name: /Amara Okafor/ })).toBeVisible();
  await page.getByRole('button', { name: /^PDF/ }).click();
  await expect(page.getByText('There is no connection. What is on this device can be read below.')).toBeVisible();
  await goTo(page, 'Inspection packs');
  await expect(page.getByText('1 pack is on this device and can be read.')).toBeVisible();
  await look(page, 'inspections-offline');
  await server.start();

  await page.goto(`${server.url}/verify-inspection`);
  const choose = page.locator('input[type=file]');
  await choose.setInputFiles({ name: 'pack.pdf', mimeType: 'application/pdf', buffer: readFileSync(file) });
  await expect(page.getByText(/^pack\.pdf: Unchanged\. .*“Inspection in November” of Willowbrook/)).toBeVisible();
  await look(page, 'verify-inspection');
  await choose.setInputFiles({ name: 'other.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([readFileSync(file), Buffer.from('x')]) });
  await expect(page.getByText(/^other\.pdf: This is not a file of an inspection pack/)).toBeVisible();
});
