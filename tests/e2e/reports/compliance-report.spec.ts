import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

test('the trend of a year, and who is behind a number, with the keyboard alone and a server that takes its time @online', async ({
  page,
  server,
}) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.clock.install();
  // The answers say that it is still being computed.
  let counting = true;
  let polls = 0;
  await page.route(/api\/reports\/compliance$/, (route) => {
    const data = { months: [], courses: [], entities: [], chosen: { entities: [], roles: [], tags: [], users: [], courses: [] } };
    return !counting ? route.continue() : route.fulfill({ status: 202, json: { data }, headers: { 'X-Lantern': '1' } });
  });
  await page.route(/drill-down\/[^/]+\/roles/, async (route) => {
    polls += 1;
    if (polls > 2) return route.continue();
    const real = await route.fetch();
    return route.fulfill({ response: real, status: 202, json: { data: [] } });
  });
  await goTo(page, 'Compliance report');
  await expect(page.getByRole('status', { name: 'Counting the compliance report' })).toBeVisible();
  counting = false;
  await page.clock.runFor(5100);
  const byMonth = page.getByRole('table', { name: 'Service by month' }).or(page.getByRole('table', { name: 'Entity by month' }));
  await expect(byMonth).toBeVisible();
  await expect(byMonth.getByRole('columnheader')).toHaveCount(14);
  await expect(page.getByRole('img', { name: /In date by month. All: from \d+ to \d+ per cent/ })).toBeVisible();
  await page.clock.resume();
  await lookOnDesktop(page, 'compliance-report');
  await look(page, 'compliance-report');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectLargeTargets(page, 'compliance-report');
  await page.setViewportSize(desktop);

  // The scores are counted by the server when they are asked for.
  const scores = page.getByRole('region', { name: 'Scores of Willowbrook Care Group' });
  await expect(scores.getByText(/\d+ % \((green|amber|red)\)/).first()).toBeVisible({ timeout: 60_000 });

  // From a number to the job roles behind it, which the server counts for a while, to a person, by the keyboard.
  await byMonth.getByRole('link', { name: /^Willowbrook House, now: / }).press('Enter');
  await expect(page).toHaveURL(/own=1/);
  const behind = page.getByRole('region', { name: 'Who is behind it' });
  await expect(behind.getByRole('status', { name: 'Counting who is behind it' })).toBeVisible();
  await expect(behind.getByRole('link', { name: /Cook/ })).toBeVisible({ timeout: 60_000 });
  expect(polls).toBeGreaterThan(2);
  await behind.getByRole('link', { name: /Cook/ }).press('Enter');
  await expect(behind.getByRole('link', { name: /Derek Holloway/ })).toBeVisible();
  await lookOnDesktop(page, 'compliance-report-people');
  const address = page.url();
  await behind.getByRole('link', { name: /Derek Holloway/ }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Derek Holloway' })).toBeVisible();
  // A link shows a colleague the same.
  await page.goto(address);
  await expect(behind.getByRole('link', { name: /Derek Holloway/ })).toBeVisible();
  // A past month leads to the people behind it: those who were counted then.
  await byMonth
    .getByRole('link', { name: /^Willowbrook House, end of / })
    .last()
    .press('Enter');
  await expect(behind.getByText(/^As it stood at the end of /)).toBeVisible();
  await expect(behind.getByText('These numbers were counted for that month', { exact: false })).toBeVisible();
  await behind.getByRole('link', { name: /Cook/ }).press('Enter');
  await expect(behind.getByText('These are the people who were counted for that month', { exact: false })).toBeVisible();
  await expect(behind.getByRole('link', { name: /Derek Holloway/ })).toBeVisible();
  await lookOnDesktop(page, 'compliance-report-month-people');
  await behind.getByRole('link', { name: 'How it is now' }).press('Enter');
  await expect(behind.getByText('As it is now', { exact: false })).toBeVisible();
  await expect(behind.getByRole('link', { name: /Derek Holloway/ })).toBeVisible();
});

test('a report that is too large says so, one that fails can be tried again, and the plain table has the same numbers @reading', async ({
  page,
  server,
}) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  let answer: 'too large' | 'broken' | 'right' = 'too large';
  const tooLarge =
    'This report is too large to wait for: it covers 9,000 people, and at most 3,000 are counted at once. It may take up to a minute. Choose fewer people or tags.';
  await page.route(/api\/reports\/compliance$/, async (route) => {
    if (answer === 'right') return route.continue();
    const large = answer === 'too large';
    const real = await route.fetch();
    const error = large ? { code: 'report_too_large', message: tooLarge } : { code: 'internal', message: 'It broke.' };
    return route.fulfill({ response: real, status: large ? 300 : 500, json: { ...error, request_id: 'x', retry: 'never' } });
  });
  await goTo(page, 'Compliance report');
  await expect(page.getByRole('alert')).toContainText(tooLarge);
  await lookOnDesktop(page, 'compliance-too-large');
  await page.getByRole('alert').getByRole('button', { name: 'E-mail me the Excel workbook' }).press('Enter');
  await expect(page.getByText('Report requested. You will receive an email soon.')).toBeVisible();
  answer = 'broken';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('The compliance report failed to load.');
  answer = 'right';
  await page.getByRole('button', { name: 'Try again' }).click();
  const numbers = async () => page.getByRole('table').first().locator('tbody').innerText();
  await expect(page.getByRole('table').first()).toBeVisible();
  const shown = await numbers();
  await page.getByRole('link', { name: 'As a plain table' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Compliance report as a table' })).toBeVisible();
  await expect(page.getByRole('table').first()).toBeVisible();
  expect((await numbers()).replace(/\s+/g, ' ')).toBe(shown.replace(/\s+/g, ' '));
  await page.emulateMedia({ media: 'print' });
  await lookOnDesktop(page, 'compliance-legacy-print');
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
