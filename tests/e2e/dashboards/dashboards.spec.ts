import type { Figures } from '#contract/entities/dashboard.ts';
import { api, expect, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

test('a manager sees who needs them, and goes from the number to the people by keyboard', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await page.getByRole('navigation', { name: 'Dashboards' }).getByRole('link', { name: 'Manager dashboard' }).click();
  const figures = await api<Figures>(page, 'GET', '/dashboards/figures');
  const overdue = page.getByRole('list', { name: 'What needs you' }).getByRole('link', { name: new RegExp(`^${figures.overdue} of `) });
  await expect(overdue).toBeVisible();
  await expect(page.getByRole('list', { name: 'Overdue' }).getByRole('listitem').first()).toBeVisible();
  await look(page, 'manager-dashboard');
  await lookOnDesktop(page, 'manager-dashboard');
  await expectLargeTargets(page, 'manager-dashboard');
  await overdue.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'People who need something' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: `${figures.overdue} people` })).toBeVisible();
  await look(page, 'manager-dashboard-people');
});
