import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, look, lookOnDesktop } from '#tests/support/look.ts';

test('a manager reads who is behind, narrows it, takes it as a file, and a link that leads nowhere says so @online', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'Job role report');
  const table = page.getByRole('table', { name: 'Job role report' });
  await expect(table).toBeVisible();
  await expect(page.getByText(/^\d+ people, \d+ courses?$/)).toBeVisible();
  await lookOnDesktop(page, 'report-role');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV table' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^job roles .*\d\d-\d\d-\d{4}\.csv$/);

  await page.getByRole('button', { name: 'Choose people and courses' }).click();
  await look(page, 'report-choices');
  await page.setViewportSize(desktop);
  for (const [name, path] of [
    ['Staff report', 'staff'],
    ['Certificate report', 'certificate'],
    ['Results report', 'results?period=all_time'],
  ] as const) {
    await page.goto(`${server.url}/reports/${path}`);
    await expect(page.getByRole('table', { name })).toBeVisible();
    await lookOnDesktop(page, `report-${name.split(' ')[0]?.toLowerCase()}`);
  }
  await page.goto(`${server.url}/reports/results?period=all_time&page=9999`);
  await expect(page.getByText('There is no page 9,999')).toBeVisible();
  await page.goto(`${server.url}/reports/staff?entities=00000000-0000-4000-8000-000000000001`);
  await expect(page.getByText(/Some of the chosen organisations do not exist any more/)).toBeVisible();
});
