import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';
import { workbook } from '#tests/support/workbook.ts';

test('an administrator brings people in a table: chooses columns, sees every problem first, and deals with what is left @online', async ({
  page,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('link', { name: 'Imports' }).click();
  await expect(page.getByText('Nothing has been imported yet')).toBeVisible();
  await page.getByRole('link', { name: 'Import a table' }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]) });
  await expect(page.getByText(/neither a CSV file nor an Excel workbook/)).toBeVisible();
  await look(page, 'import-create');
  // An old export does not name its character encoding: somebody who knows the names checks them.
  const polish = Buffer.concat([Buffer.from('name,email\n'), Buffer.from('a3756b61737a2057f36a63696b', 'hex'), Buffer.from(',l@example.org\n')]);
  await page.locator('input[type=file]').setInputFiles({ name: 'payroll.csv', mimeType: 'text/csv', buffer: polish });
  await expect(page.getByText('Łukasz Wójcik')).toBeVisible();
  await look(page, 'import-letters');
  await page.getByRole('combobox', { name: 'Character encoding' }).click();
  await page.getByRole('option', { name: 'Western European (Windows)' }).click();
  await expect(page.getByText('£ukasz Wójcik')).toBeVisible();
  await page.getByRole('combobox', { name: 'Character encoding' }).click();
  await page.getByRole('option', { name: /Polish/ }).click();
  await page.getByRole('button', { name: 'They are correct: continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'payroll.csv' })).toBeVisible();
  await expect(page.getByText('Łukasz Wójcik', { exact: true })).toBeVisible();
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Imports' }).click();
  await page.getByRole('link', { name: 'Import a table' }).click();
  const table = workbook([
    ['Who', 'Write to', 'Site', 'Job role', 'Payroll'],
    ['Zoë Müller', 'zoe@example.org', 'Willowbrook House', 'Care assistant', 7],
    ['Ben Ode', 'ben@example', '', '', 8],
    ['Cara Ode', 'cara@example.org', 'Elsewhere', '', 9],
  ]);
  await page.locator('input[type=file]').setInputFiles({ name: 'staff.xlsx', mimeType: 'application/octet-stream', buffer: table });
  await expect(page.getByRole('heading', { level: 1, name: 'staff.xlsx' })).toBeVisible();
  await expect(page.getByText('No column holds “Name”.').first()).toBeVisible();
  const choose = async (field: string, column: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: column }).click();
  };
  await choose('E-mail address', 'Write to');
  await expect(page.getByText('No column holds “E-mail address”.')).toHaveCount(0);
  await choose('Name', 'Who');
  await expect(page.getByText('Not imported: Payroll.')).toBeVisible();
  await expect(page.getByText('“ben@example” is not a valid value.')).toBeVisible();
  await expect(page.getByText('There is no organisation “Elsewhere” here.')).toBeVisible();
  await look(page, 'import-plan');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByText('2 rows still to resolve.')).toBeVisible();
  await page.getByRole('button', { name: 'Row 3 is resolved' }).click();
  await expect(page.getByText('1 row still to resolve.')).toBeVisible();
  await look(page, 'import-done');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Imports' }).click();
  await expect(page.getByText('1 row with problems')).toBeVisible();
  await look(page, 'import-list');
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByLabel('Find a person').fill('zoe@example.org');
  await expect(page.getByRole('row', { name: /Zoë Müller/ })).toContainText('Willowbrook House');
});
