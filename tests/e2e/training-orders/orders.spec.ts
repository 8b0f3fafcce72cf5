import { readFileSync } from 'node:fs';
import { expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

test('a manager tries e-learning, orders it, and assigns its licences once the budget holder has approved @online', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await page.goto(`${server.url}/marketplace`);
  await expect(page.getByRole('heading', { name: 'Marketplace', level: 1 })).toBeVisible();
  await expect(page.getByText('£45.50 + VAT').first()).toBeVisible();
  await look(page, 'marketplace');
  await page.getByRole('link', { name: 'Nutrition and hydration, 5 licences' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  const course = page.frameLocator('iframe[title="Enough to eat and drink"]').frameLocator('iframe');
  await expect(course.getByRole('heading', { level: 1 })).toBeVisible();
  await look(page, 'marketplace-package');
  await page.getByRole('link', { name: 'Marketplace' }).first().click();
  await page.getByRole('link', { name: 'Fire safety, 10 licences' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  const preview = page.getByRole('region', { name: 'Try it' });
  await expect(preview.getByLabel(/^Page 1 of/)).toBeVisible();
  await preview.getByRole('button', { name: 'Next page' }).click();
  await expect(preview.getByLabel(/^Page 2 of/)).toBeVisible();
  await look(page, 'marketplace-item');
  await page.getByRole('button', { name: 'Add to an order' }).click();

  const draft = page.getByRole('form', { name: 'Draft' });
  await draft.getByLabel('How many of Fire safety, 10 licences').fill('');
  await draft.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a whole number.').first()).toBeVisible();
  await draft.getByLabel('How many of Fire safety, 10 licences').fill('2');
  await draft.getByLabel('Your reference').fill('WH-2001');
  await expect(page.getByRole('button', { name: 'Submit for approval' })).toBeDisabled();
  await draft.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('£237.60').first()).toBeVisible();
  await look(page, 'order-draft');
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.getByText('Waiting for approval').first()).toBeVisible();
  await expect(page.getByText('Orders are approved by the budget holder.')).toBeVisible();

  const { page: office } = await newDevice(browser);
  await signIn(office, server, 'admin@willowbrook.test');
  await office.goto(`${server.url}/training-orders?filter=waiting`);
  await expect(office.getByText(/Willowbrook Care Group: £6,000\.00\./)).toBeVisible();
  await lookOnDesktop(office, 'training-orders');
  await office.goto(page.url());
  await office.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(office.getByText('Fulfilled').first()).toBeVisible();

  await page.reload();
  await expect(page.getByText('0 of 20 licences assigned, 20 free', { exact: false })).toBeVisible();
  const picker = page.getByRole('combobox', { name: 'Assign to' });
  await picker.fill('rhys');
  await page.getByRole('option', { name: /Rhys Evans/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText('1 of 20 licences assigned, 19 free', { exact: false })).toBeVisible();
  await look(page, 'order-licences');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('237.60');
  await page.getByRole('button', { name: 'Release the licence of Rhys Evans' }).click();
  await expect(page.getByText('0 of 20 licences assigned, 20 free', { exact: false })).toBeVisible();
});

test('a training company offers places, and sees what was ordered of it @online', async ({ page, server }) => {
  await signIn(page, server, 'admin@brightpath.test');
  await page.goto(`${server.url}/marketplace?filter=own`);
  await page.getByRole('button', { name: 'Add an item' }).click();
  const form = page.getByRole('form', { name: 'Add an item' });
  await form.getByText('Face to face').click();
  const course = form.getByRole('combobox', { name: 'Course' });
  await course.fill('food');
  await page.getByRole('option', { name: 'Food hygiene · Face to face' }).click();
  await form.getByLabel('Title').fill('Food hygiene in your kitchen');
  await form.getByLabel('Price without VAT').fill('twelve');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter an amount, for example 12.50.').first()).toBeVisible();
  await form.getByLabel('Price without VAT').fill('1,250');
  await expect(form.getByText('With VAT £1,500.00. Of £1,250.00, £1,000.00 is yours and £250.00 the platform’s.')).toBeVisible();
  await look(page, 'marketplace-add');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Food hygiene in your kitchen', level: 1 })).toBeVisible();
  await expect(page.getByText('Not published')).toBeVisible();
});
