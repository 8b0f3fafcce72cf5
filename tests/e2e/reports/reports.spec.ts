import { api, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
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

  // A row leads to its people, with the report's filter: as many as it says are required to do the course.
  const houses = await api<{ id: string; name: string }[]>(page, 'GET', '/entities?search=Willowbrook%20House');
  await page.goto(`${server.url}/reports/role?entities=${houses[0]?.id}&compliance_type=primary`);
  const cooks = table.getByRole('row', { name: /Cook.*COSHH/ });
  const people = Number(await cooks.getByRole('cell').nth(1).textContent());
  expect(people).toBeGreaterThan(0);
  await cooks.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Staff report' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`entities=${houses[0]?.id}`));
  await expect(page.getByText(`${people} people`, { exact: true })).toBeVisible();
  await page.goto(`${server.url}/reports/role`);
  await expect(table).toBeVisible();

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
  // What is sent by e-mail is in the order in which it is read.
  await page.goto(`${server.url}/reports/staff?sort=-expiring`);
  const asked = page.waitForRequest(
    (r) => r.method() === 'POST' && /reports\/staff\?/.test(r.url()) && r.postData()?.includes('emailFormat') === true,
  );
  await page.getByRole('button', { name: 'E-mail me the Excel workbook' }).click();
  expect(new URL((await asked).url()).searchParams.get('sort')).toBe('-expiring');
  // A missing thing is not reported as a failure, and is not requested again.
  for (const path of ['reports/schedules/new', 'reports/schedules/00000000-0000-4000-8000-000000000001']) {
    await page.goto(`${server.url}/${path}`);
    await expect(page.getByRole('alert').getByRole('heading', { name: 'This could not be found' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
  }
});
