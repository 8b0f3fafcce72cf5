import type { DashboardLayout, Figures } from '#contract/entities/dashboard.ts';
import { api, appIsKept, expect, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

test('a manager sees who needs them, and goes from the number to the people by keyboard @reading', async ({ page, server }) => {
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

test('a manager arranges their dashboard by keyboard, and a second tab does not overwrite it unseen @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await page.goto(`${server.url}/manager-dashboard`);
  const other = await page.context().newPage();
  await other.goto(`${server.url}/manager-dashboard`);
  const arranging = (tab: typeof page) => tab.getByRole('form', { name: 'Arrange this dashboard' });
  const parts = () => page.locator('main section > div:first-child > h2').allTextContents();
  for (const tab of [page, other]) await tab.getByRole('button', { name: 'Arrange' }).click();
  const down = arranging(page).getByRole('button', { name: 'Overdue: down' });
  await down.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(down).toBeFocused();
  await expect(arranging(page).getByRole('status')).toHaveText(/^Overdue is now 4 of/);
  await arranging(page).getByRole('checkbox', { name: 'New starters' }).press('Space');
  await look(page, 'dashboard-arrange');
  await lookOnDesktop(page, 'dashboard-arrange');
  await expectLargeTargets(page, 'dashboard-arrange');
  await arranging(page).getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(arranging(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Overdue', exact: true })).toBeVisible();
  expect(await parts()).toEqual(['Today', 'At risk', 'People who turn red if nothing is done', 'Overdue', 'Unsent work', 'Saved views']);
  await arranging(other).getByRole('button', { name: 'Today: down' }).click();
  await arranging(other).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(arranging(other).getByText('arranged somewhere else in the meantime')).toBeVisible();
  await arranging(other).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(arranging(other)).toBeHidden();
  await other.getByRole('button', { name: 'Arrange' }).click();
  await arranging(other).getByRole('button', { name: 'Back to the standard arrangement' }).click();
  await expect(arranging(other)).toBeHidden();
  expect((await api<DashboardLayout>(page, 'GET', '/dashboards/manager-dashboard/layout')).from).toBe('standard');
});

test('an administrator compares houses and sees who signs in; a learner’s dashboard is there without a connection', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/management-dashboard`);
  const figures = await api<Figures>(page, 'GET', '/dashboards/figures');
  await expect(page.getByRole('list', { name: 'How we stand' }).getByRole('link', { name: new RegExp(`^${figures.score} %`) })).toBeVisible();
  await page.getByText('Show as a table').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'In date at the end of each month, in per cent as a table' }).getByRole('row')).toHaveCount(13);
  await look(page, 'management-dashboard');
  await lookOnDesktop(page, 'management-dashboard');
  await page.getByRole('link', { name: 'Side by side' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /Willowbrook House/ })).toBeVisible();
  await lookOnDesktop(page, 'management-area');
  await page.getByRole('link', { name: 'Willowbrook House', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Willowbrook House' })).toBeVisible();
  // A month and the number of people lead to those of this house alone.
  const house = await api<Figures>(page, 'GET', '/dashboards/figures?entity=willowbrook-house');
  await page.getByRole('link', { name: new RegExp(`^${house.overdue} of `) }).click();
  await expect(page.getByRole('status').filter({ hasText: `${house.overdue} people` })).toBeVisible();
  await expect(page.getByText('Only people of Willowbrook House and below it.')).toBeVisible();
  await lookOnDesktop(page, 'area-people');
  await page.getByRole('button', { name: 'Show everybody' }).click();
  await expect(page.getByRole('status').filter({ hasText: `${figures.overdue} people` })).toBeVisible();
  await page.goto(`${server.url}/management-area?entity=willowbrook-house`);
  await page.getByText('Show as a table').click();
  const months = page.getByRole('region', { name: 'In date at the end of each month, in per cent as a table' });
  await months.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Compliance report' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Where you look' }).getByText('Willowbrook House')).toBeVisible();
  await expect(page.getByText(/^As it stood at the end of /)).toBeVisible();
  await page.goto(`${server.url}/active-users`);
  // The previous numbers stay visible until the next have loaded, and are marked as outdated.
  const signIns = page.getByRole('region', { name: 'Sign-ins', exact: true });
  const numbers = signIns.getByRole('list', { name: 'Sign-ins in numbers' });
  await expect(numbers).toBeVisible();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/auth-events\/[^/]+\/metrics/, async (route) => {
    await answered;
    await route.continue();
  });
  await page.getByText('7 days', { exact: true }).click();
  await expect(signIns.locator('[aria-busy="true"]')).toContainText('signed in');
  await expect(numbers).toBeVisible();
  answer();
  await expect(signIns.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(numbers).toBeVisible();
  await page.unroute(/auth-events\/[^/]+\/metrics/);
  await expect(page.getByRole('list', { name: 'Sign-ins in numbers' })).toContainText('signed in');
  await lookOnDesktop(page, 'active-users');
  const widgets = [
    { id: 'year', hidden: false },
    { id: 'next', hidden: true },
  ];
  await api(page, 'PATCH', '/dashboards/learner-dashboard/layout', { widgets, rev: null });
  await page.goto(`${server.url}/learner-dashboard`);
  const next = page.getByRole('list', { name: 'My year' }).getByRole('listitem').first();
  await expect(next).toBeVisible();
  await lookOnDesktop(page, 'learner-dashboard');
  await appIsKept(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText('No connection: as this device last received it.')).toBeVisible();
  await expect(next).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Do next' })).toBeHidden();
  await expect(page.getByText('Arranging needs a connection.')).toBeVisible();
});
