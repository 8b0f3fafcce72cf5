import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator records a morning of training for everybody of a service, and takes it back @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/results/historical/create`);
  await page.getByRole('link', { name: /^Record group training/ }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('Choose a course.').first()).toBeVisible();
  await expect(page.getByText('Choose at least one person.').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Course' }).fill('Basic life');
  await page.getByRole('option', { name: 'Basic life support' }).click();
  await page.getByLabel('Note').fill('In the lounge, with Brightpath.');
  await page.getByRole('combobox', { name: /Add everybody of/ }).fill('house');
  await page.getByRole('option', { name: 'Willowbrook House' }).click();
  await expect(page.getByText(/^\d+ people$/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove Amara Okafor' }).click();
  // Their group asks for something that proves it.
  await page.request.fetch(`${server.url}/api/entities/willowbrook`, {
    method: 'PATCH',
    data: { require_training_record_evidence: true },
    headers: { 'X-XSRF-TOKEN': decodeURIComponent((await page.context().cookies()).find((c) => c.name === 'XSRF-TOKEN')?.value ?? '') },
  });
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('Evidence is asked for by Willowbrook House: add a file.').first()).toBeVisible();
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'register.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') });
  await expect(page.getByText('This file cannot be used.')).toBeVisible();
  await file.setInputFiles({ name: 'register.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF') });
  await expect(page.getByText('register.pdf')).toBeVisible();
  await look(page, 'bulk-add');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText(/^Recorded for \d+ people\./)).toBeVisible();
  await page.getByRole('link', { name: 'History' }).click();
  const record = page.getByRole('row', { name: /^Basic life support/ });
  await record.getByRole('button', { name: 'Show the people' }).click();
  await expect(record.getByText('Recorded', { exact: true }).first()).toBeVisible();
  await look(page, 'bulk-history');
  const download = page.waitForEvent('download');
  await record.getByRole('button', { name: 'Evidence: register.pdf' }).click();
  expect((await download).suggestedFilename()).toBe('register.pdf');
  await record.getByRole('button', { name: 'Undo …' }).click();
  await record.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(record.getByText('Undone').first()).toBeVisible();
});
