import type { Page } from '@playwright/test';
import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

/** Presses Save where it is, and finds the summary in sight and under the focus; each link leads to its field. */
const leadsTo = async (page: Page, links: Record<string, string>) => {
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.scrollIntoViewIfNeeded();
  await save.click();
  const summary = page.getByRole('alert').filter({ hasText: /problem/ });
  await expect(summary).toBeFocused();
  await expect(summary).toBeInViewport({ ratio: 1 });
  for (const [link, field] of Object.entries(links)) {
    await summary.getByRole('button', { name: link }).click();
    await expect(page.getByLabel(field).first()).toBeFocused();
    await expect(page.getByLabel(field).first()).toBeInViewport();
  }
};

test('a form that cannot be saved takes the person to what is wrong, wherever on the page they are @online', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize({ width: 390, height: 700 });
  await signIn(page, server, 'admin@willowbrook.test');

  await page.goto(`${server.url}/entities/create`);
  await leadsTo(page, { 'Name: Enter a name.': 'Name' });
  // What the server refuses is said at its field as well.
  await page.getByLabel('Name').fill('Willowbrook Annexe');
  await page.getByLabel('Website').fill('willowbrook');
  await leadsTo(page, { 'Website: Enter a web address that starts with https://.': 'Website' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await look(page, 'form-errors');
  await page.getByLabel('Website').fill('https://willowbrook.test');
  await expect(page.getByRole('alert').filter({ hasText: /problem/ })).toHaveCount(0);

  await page.goto(`${server.url}/users/create`);
  await leadsTo(page, { 'Enter a name.': 'Name', 'E-mail address': 'E-mail address' });

  await page.goto(`${server.url}/content-creator/content/scorm/create`);
  await leadsTo(page, { 'Title: Enter a title.': 'Title' });
});
