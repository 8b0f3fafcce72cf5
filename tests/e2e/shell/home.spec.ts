import type { Route } from '@playwright/test';
import { serverMark } from '#contract/protocol.ts';
import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

/** The server's own answer that it failed. */
const fails = (route: Route) =>
  route.fulfill({
    status: 500,
    headers: { [serverMark.header]: serverMark.value },
    json: { code: 'internal', message: 'It failed.' },
  });

test('a learner sees what to do next, first what can be started, and what is done as a table @reading', async ({ page, server }) => {
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
  await expect(page.getByRole('button', { name: /people with overdue training/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(people.getByText(/As it stood on \d/)).toBeVisible();
  // The figures count everybody, and the list behind them is as long as its figure.
  const soon = page.getByRole('button', { name: /people red within 30 days/ });
  await expect(soon.locator('strong')).not.toHaveText('–');
  const many = Number(await soon.locator('strong').textContent());
  await soon.click();
  await expect(people.getByRole('link', { name: /to renew within 30 days/ })).toHaveCount(Math.min(many, 6));
  await page.getByRole('button', { name: /people with overdue training/ }).click();
  await expect(page.getByRole('heading', { name: 'My learning' })).toBeVisible();
  const late = Number(
    await page
      .getByRole('button', { name: /people with overdue training/ })
      .locator('strong')
      .textContent(),
  );
  await people.getByRole('link', { name: `Show all ${late} people` }).click();
  await expect(page.getByText(`${late} people`).first()).toBeVisible();
  await page.goBack();
  await expect(people.getByRole('link', { name: /overdue/ }).first()).toBeVisible();
  await look(page, 'home-manager');
  await lookOnDesktop(page, 'home-manager');
  await server.stop();
  await page.reload();
  await expect(people.getByRole('link', { name: /overdue/ }).first()).toBeVisible();
});

test('what the server cannot answer is not said to be nobody or nothing, and can be asked for again @reading', async ({ page, server }) => {
  await page.route('**/api/dashboards/figures', fails);
  await signIn(page, server, 'manager@willowbrook.test');
  const people = page.getByRole('region', { name: 'People who need something' });
  await expect(people.getByText('The people could not be loaded.')).toBeVisible();
  await page.unroute('**/api/dashboards/figures');
  await people.getByRole('button', { name: 'Try again' }).click();
  await expect(people.getByRole('link', { name: /overdue/ }).first()).toBeVisible();
});

test('a trainer sees their sessions and the certificates in progress, with the way to record @reading', async ({ page, server }) => {
  test.slow();
  await page.route('**/api/registers', fails);
  await signIn(page, server, 'trainer@willowbrook.test');
  const sessions = page.getByRole('region', { name: 'Your sessions' });
  await expect(sessions.getByText('The sessions could not be loaded.')).toBeVisible();
  await page.unroute('**/api/registers');
  const again = sessions.getByRole('button', { name: 'Try again' });
  // Unless the device has tried again by itself meanwhile.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1000 });
    await expect(sessions.getByRole('link', { name: /Take register|Open/ }).first()).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 30_000 });
  await page
    .getByRole('region', { name: /in progress$/ })
    .getByRole('link', { name: 'Record' })
    .first()
    .click();
  await expect(page).toHaveURL(/\/record$/);
});

test('an administrator sees the steps of the set-up that are left until they are dismissed, and the people below @online', async ({
  page,
  server,
}) => {
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
