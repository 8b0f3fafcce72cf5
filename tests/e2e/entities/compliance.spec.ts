import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator says what a job role has to do and for how long, and a person’s page says why they stand as they do', async ({
  page,
  server,
}) => {
  // Every screen is looked at in four ways; the largest of them holds several hundred boxes.
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/roles/`);
  await page.getByRole('link', { name: 'Courses of Care assistant' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care assistant' })).toBeVisible();
  const count = page.getByText(/^Required: \d+ courses of/);
  await expect(count).toBeVisible();
  const before = Number(/Required: (\d+)/.exec((await count.textContent()) ?? '')?.[1]);
  await look(page, 'role-courses');

  await page.getByLabel('Find a course').fill('fire');
  const choice = page.getByRole('radiogroup', { name: 'Fire safety: whether it is required' });
  await choice.getByText('No', { exact: true }).click();
  await expect(page.getByText('Compliance has been updated.')).toBeVisible();
  await expect(count).toHaveText(new RegExp(`^Required: ${before - 1} courses`));
  await choice.getByText('Mandatory', { exact: true }).click();
  await expect(count).toHaveText(new RegExp(`^Required: ${before} courses`));

  await page.getByRole('link', { name: 'Rule for Fire safety' }).click();
  await page.getByLabel('Valid for, in months').fill('999');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter no more than 240 months.', { exact: true })).toBeVisible();
  await page.getByLabel('Valid for, in months').fill('36');
  await page.getByLabel('Time for new starters, in days').fill('28');
  // What it would do to people is said before it is done.
  await expect(page.getByRole('status').filter({ hasText: /changes? colour|If you save this/ })).toBeVisible();
  await page.getByRole('combobox', { name: 'Renewed' }).click();
  await page.getByRole('option', { name: 'by the same day each year' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Choose the day of the year.', { exact: true })).toBeVisible();
  await page.getByLabel('Valid until this day, whoever you are: day').fill('31');
  await page.getByRole('combobox', { name: 'Valid until this day, whoever you are: month' }).click();
  await page.getByRole('option', { name: 'March' }).click();
  await look(page, 'compliance-rule');
  await page.getByRole('button', { name: 'Save' }).click();
  // There are results by the old rule: what is to become of them is asked.
  await expect(page.getByRole('dialog', { name: 'Existing results' })).toBeVisible();
  await look(page, 'compliance-dialog');
  await page.getByRole('button', { name: 'Recalculate their dates' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care assistant' })).toBeVisible();
  await page.getByLabel('Find a course').fill('fire');
  await expect(page.getByText('Lasts 36 months (by 31 March, whoever you are), warns 60 days before; new starters have 28 days')).toBeVisible();

  await page.goto(`${server.url}/users`);
  await page.getByLabel('Find a person').fill('Amara');
  await page.getByRole('link', { name: /Amara Okafor/ }).click();
  const must = page.getByRole('region', { name: 'Required training' });
  await expect(must.getByRole('listitem').first()).toContainText(/(Expired|Missing)$/);
  await expect(must.getByRole('listitem').first()).toContainText(/It must be completed again\.|It was due on/);
  await look(page, 'person-must-do');
});
