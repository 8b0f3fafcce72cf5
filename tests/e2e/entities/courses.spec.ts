import { readFileSync } from 'node:fs';
import { expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator says for whom a course is, under which heading, and marks places with tags; a learner finds what is open to them @online', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'super@lantern.test');
  // The platform's own course is given to the group by who sees both.
  await page.goto(`${server.url}/entities/willowbrook`);
  await page.getByRole('main').getByRole('link', { name: 'Courses' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Courses' })).toBeVisible();
  await look(page, 'entity-courses');
  await page.getByRole('button', { name: 'Change Fire safety' }).click();
  const fire = page.getByRole('form', { name: 'Fire safety' });
  await fire.getByRole('combobox', { name: 'For job roles' }).click();
  await page.getByRole('option', { name: 'Cook' }).click();
  await page.keyboard.press('Escape');
  await look(page, 'entity-course-change');
  await fire.getByRole('button', { name: 'Save' }).click();
  await expect(fire).toHaveCount(0);
  await expect(page.getByRole('row', { name: /^Fire safety/ })).toContainText('Cook');

  await page.getByRole('link', { name: 'Categories' }).click();
  await expect(page.getByText('No categories yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add a category' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Give the category a name.', { exact: true })).toBeVisible();
  await page.getByLabel('Name').fill('Looking after yourself');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change Looking after yourself' }).click();
  await page.getByRole('combobox', { name: 'Courses' }).fill('Infection');
  await page.getByRole('option', { name: /Infection/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/1 course: Infection/)).toBeVisible();
  await look(page, 'course-categories');

  await page.goto(`${server.url}/entities/willowbrook/tags`);
  await page.getByRole('button', { name: 'Add a tag' }).click();
  await page.getByLabel('Name').fill('North');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change North' }).click();
  await page.getByRole('combobox', { name: /^(Entities|Services|Organisations)$/ }).fill('House');
  await page.getByRole('option', { name: 'Willowbrook House' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'People' }).fill('learner@willowbrook');
  await page.getByRole('option', { name: /Amara/ }).click();
  await page.keyboard.press('Escape');
  await look(page, 'tag-change');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Willowbrook House · 1 person')).toBeVisible();

  const { context, page: tablet } = await newDevice(browser);
  await signIn(tablet, server, 'learner@willowbrook.test');
  await tablet.getByRole('button', { name: /account of/ }).click();
  await tablet.getByRole('menuitem', { name: 'My training record' }).click();
  await tablet.getByRole('button', { name: 'Download', exact: true }).click();
  const [download] = await Promise.all([tablet.waitForEvent('download'), tablet.getByRole('menuitem', { name: 'Training record (PDF)' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^Amara Okafor training record/);
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  await context.close();
});
