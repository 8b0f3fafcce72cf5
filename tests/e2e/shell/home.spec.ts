import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

test('a learner sees what to do next, first what can be started, and what is done as a table', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await expect(page.getByRole('button', { name: /^Do next \d+/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(
    page
      .getByRole('article')
      .first()
      .getByRole('button', { name: /Start|Continue|Renew/ }),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'My learning' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Done \d+/ }).click();
  await expect(page.getByRole('table', { name: 'Completed courses' }).getByRole('rowheader').first()).toBeVisible();
});

test('a manager sees people who need something before their own courses, also without a connection', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  const people = page.getByRole('region', { name: 'People who need something' });
  await expect(people.getByRole('link', { name: /overdue/ }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: /people with overdue training/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'My learning' })).toBeVisible();
  await look(page, 'home-manager');
  await lookOnDesktop(page, 'home-manager');
  await server.stop();
  await page.reload();
  await expect(people.getByRole('link', { name: /overdue/ }).first()).toBeVisible();
});

test('a trainer sees their sessions and whom they assess, with the way to record', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'trainer@willowbrook.test');
  await expect(
    page
      .getByRole('region', { name: 'Your sessions' })
      .getByRole('link', { name: /Take register|Open/ })
      .first(),
  ).toBeVisible();
  await page.getByRole('region', { name: 'People you assess' }).getByRole('link', { name: 'Record' }).first().click();
  await expect(page).toHaveURL(/\/record$/);
});

test('an administrator sees the steps of the set-up that are left until they are dismissed, and the people below', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@brightpath.test');
  const steps = page.getByRole('region', { name: 'Set up your organisation' });
  await expect(steps.getByText(/\d of 5 steps done/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'People who need something' })).toBeVisible();
  await look(page, 'home-administrator');
  await lookOnDesktop(page, 'home-administrator');
  await steps.getByRole('link', { name: 'Start' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Good');
  await page.goBack();
  await steps.getByRole('button', { name: 'Dismiss the set-up steps' }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('region', { name: 'People who need something' })).toBeVisible();
  await expect(steps).toHaveCount(0);
});
