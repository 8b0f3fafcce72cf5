import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { api, expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

const rows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });
const names = (page: Page) => page.getByRole('rowheader').getByRole('link').allTextContents();
const count = (page: Page) => page.getByText(/^\d+ (people|person)$/);

test('the list of people is sorted by its heads, and is so again after a reload @reading', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users`);
  const table = page.getByRole('table', { name: 'People' });
  const head = (name: string) => table.getByRole('columnheader', { name });
  await expect(rows(page).first()).toBeVisible();
  const before = await names(page);
  await head('Name').getByRole('button').click();
  await expect(page).toHaveURL(/[?&]sort=name/);
  await expect(head('Name')).toHaveAttribute('aria-sort', 'ascending');
  await head('Name').getByRole('button').click();
  await expect(page).toHaveURL(/[?&]sort=-name/);
  await expect(head('Name')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(async () => (await names(page))[0]).not.toBe(before[0]);
  const down = await names(page);
  expect(down).toEqual([...down].sort((a, b) => b.localeCompare(a)));
  await page.reload();
  await expect(head('Name')).toHaveAttribute('aria-sort', 'descending');
  expect(await names(page)).toEqual(down);
  // An order that nobody knows is none.
  await page.goto(`${server.url}/users?sort=shoe-size`);
  await expect(rows(page).first()).toBeVisible();
  expect(await names(page)).toEqual(before);
  await head('Job role').getByRole('button').click();
  await expect(head('Job role')).toHaveAttribute('aria-sort', 'ascending');
  // The second of its cells, after the one to select it.
  const jobs = () => Promise.all([0, 1, 2, 3, 4].map((i) => rows(page).nth(i).getByRole('cell').nth(1).textContent()));
  await expect.poll(jobs).toEqual(Array(5).fill('Care assistant'));
  await lookOnDesktop(page, 'people');
});

test('rows of an earlier choice say so until those of the new one are there @reading', async ({ page, server }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page, server, 'manager@willowbrook.test');
  await page.goto(`${server.url}/manager-dashboard/people`);
  const table = page.getByRole('table', { name: 'People who need something' });
  const shown = page.locator('[aria-busy]').filter({ has: table });
  await expect(shown).toHaveAttribute('aria-busy', 'false');
  const held = Promise.withResolvers<void>();
  await page.route(/dashboards\/people\?.*need=starters/, async (route) => {
    await held.promise;
    await route.continue();
  });
  const before = await names(page);
  await page.getByText('New starters', { exact: true }).click();
  await expect(shown).toHaveAttribute('aria-busy', 'true');
  expect(await names(page)).toEqual(before);
  await expect.poll(() => table.evaluate((element) => getComputedStyle(element.parentElement as Element).opacity)).toBe('0.5');
  held.resolve();
  await expect(shown).toHaveAttribute('aria-busy', 'false');
  await expect(count(page)).toHaveText('2 people');
});

test('columns are chosen and made wider, and rows put closer; the device knows it for this person @reading', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users`);
  const head = (name: string) => page.getByRole('columnheader', { name });
  await expect(head('E-mail address')).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await menu.getByRole('checkbox', { name: 'E-mail address' }).check();
  await menu.getByRole('checkbox', { name: 'Job role' }).uncheck();
  const width = async () => (await head('Name').boundingBox())?.width ?? 0;
  const wide = await width();
  for (let i = 0; i < 8; i++) await menu.getByRole('button', { name: 'Name: wider' }).click();
  await menu.getByRole('checkbox', { name: 'Rows close together' }).check();
  await page.keyboard.press('Escape');
  await expect(head('E-mail address')).toBeVisible();
  await expect(head('Job role')).toHaveCount(0);
  await expect.poll(width).toBeGreaterThan(wide);
  const chosen = await width();
  await lookOnDesktop(page, 'people-columns');
  await page.reload();
  await expect(head('E-mail address')).toBeVisible();
  await expect(head('Job role')).toHaveCount(0);
  expect(await width()).toBe(chosen);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await menu.getByRole('button', { name: 'As it was' }).click();
  await expect(head('Job role')).toBeVisible();
});

test('several people are deactivated and taken back, or written to, at once; who may not deactivate can still write @online', async ({
  page,
  server,
  browser,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users?filter=active`);
  await expect(page.getByRole('radio', { name: /^Left \d+$/ })).toBeAttached();
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  const bar = page.getByRole('region', { name: 'What is selected' });
  // All of the list, not only its first page; and those who are overdue, as the home page counts them.
  const total = Number(
    (
      await page
        .getByRole('status')
        .filter({ hasText: /^\d+ people$/ })
        .textContent()
    )?.split(' ')[0],
  );
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await bar.getByRole('button', { name: `Select all ${total}` }).click();
  await expect(bar.getByRole('status')).toHaveText(`${total} selected`);
  await expect(bar.getByRole('button', { name: `Select all ${total}` })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('combobox', { name: 'Training' }).click();
  await page.getByRole('option', { name: 'Overdue' }).click();
  await expect(page).toHaveURL(/standing=overdue/);
  const figures = await api<{ overdue: number }>(page, 'GET', '/dashboards/figures');
  await expect(count(page)).toHaveText(`${figures.overdue} people`);
  await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=standing/);
  await look(page, 'people-overdue');
  // Each is reminded of their own courses, after one's own words.
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await bar.getByRole('button', { name: /^Remind/ }).click();
  const reminder = page.getByRole('dialog', { name: /^Remind / });
  await expect(reminder.getByRole('status')).toContainText('each get a message with their own courses');
  await reminder.getByLabel('Your words before it').fill('Please do these this week.');
  await expect(reminder).toContainText(/Please do these this week\.\s+Overdue:/);
  await look(page, 'people-remind');
  await reminder.getByRole('button', { name: 'Send reminder' }).click();
  await expect(page.getByText(/^\d+ people have been reminded\.$/)).toBeVisible();
  await expect(reminder).toHaveCount(0);
  await page.goto(`${server.url}/users?filter=active`);
  await expect(page.getByRole('radio', { name: /^Left \d+$/ })).toBeAttached();
  const [first, second, third] = (await names(page)) as [string, string, string];
  await select(first).check();
  await select(second).check();
  await expect(bar.getByRole('status')).toHaveText('2 selected');
  await look(page, 'people-selected');
  await bar.getByRole('button', { name: 'Deactivate' }).click();
  await expect(bar).toContainText('2 people will be signed out everywhere.');
  await bar.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('2 people deactivated.')).toBeVisible();
  await expect(page.getByRole('link', { name: first })).toHaveCount(0);
  await expect(page.getByRole('link', { name: third })).toBeVisible();
  await page.getByText(/^Left \d+$/).click();
  await select(first).check();
  await select(second).check();
  await bar.getByRole('button', { name: 'Activate' }).click();
  await bar.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('2 people activated.')).toBeVisible();
  // Oneself cannot be deactivated: it says so, and the other is.
  await page.goto(`${server.url}/users?search=Priya Raman`);
  await select('Priya Raman').check();
  await bar.getByRole('button', { name: 'Deactivate' }).click();
  await bar.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText(/Priya Raman: .*yourself/)).toBeVisible();

  const { page: trainer } = await newDevice(browser);
  await signIn(trainer, server, 'trainer@willowbrook.test');
  await trainer.goto(`${server.url}/users`);
  await expect(rows(trainer).first()).toBeVisible();
  const [one, two] = (await names(trainer)) as [string, string];
  for (const name of [one, two]) await trainer.getByRole('checkbox', { name: `Select ${name}` }).check();
  const theirs = trainer.getByRole('region', { name: 'What is selected' });
  await expect(theirs.getByRole('button', { name: 'Deactivate' })).toHaveCount(0);
  await theirs.getByRole('button', { name: 'Message' }).click();
  await theirs.getByRole('button', { name: 'Send' }).click();
  await expect(theirs.getByText('Enter a message.')).toBeVisible();
  await theirs.getByRole('textbox', { name: 'Message' }).fill('The fire drill is at ten.');
  await look(trainer, 'people-message');
  await theirs.getByRole('button', { name: 'Send' }).click();
  await expect(trainer.getByText('Your message to 2 people is saved on this device, and sent when there is a connection.')).toBeVisible();
  for (const name of [one, two]) {
    await trainer.goto(`${server.url}/messages`);
    await trainer.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(trainer.getByRole('region', { name: `Messages with ${name}` })).toContainText('The fire drill is at ten.');
  }
});

test('an export holds every row that was found in the columns that are seen, and no formula @online', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page, server, 'admin@willowbrook.test');
  const token = decodeURIComponent((await page.context().cookies()).find((c) => c.name === 'XSRF-TOKEN')?.value ?? '');
  await page.goto(`${server.url}/users?search=Amara`);
  const id = (await page.getByRole('link', { name: 'Amara Okafor' }).getAttribute('href'))?.split('/').at(-1);
  await page.request.fetch(`${server.url}/api/users/${id}`, {
    method: 'PATCH',
    data: { name: '=HYPERLINK("http://x.test","Amara")' },
    headers: { 'X-XSRF-TOKEN': token },
  });
  await page.goto(`${server.url}/users?filter=active`);
  const total = Number.parseInt((await count(page).textContent()) ?? '', 10);
  expect(total).toBeGreaterThan(25);
  const save = async (kind: string) => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: kind }).click();
    return download;
  };
  const csv = await save('CSV file');
  expect(csv.suggestedFilename()).toMatch(/^People \d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await csv.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines[0]).toBe('\uFEFF"Name","Job role","Workplace","Start date","Status"');
  expect(lines).toHaveLength(total + 1);
  expect(lines.filter((l) => l.includes('HYPERLINK'))).toEqual([expect.stringMatching(/^"'=HYPERLINK/)]);
  const workbook = await save('Excel workbook');
  expect(
    readFileSync(await workbook.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
});

test('the arrow keys go from row to row, and Enter opens the one that is met @reading', async ({ page, server }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users`);
  const links = page.getByRole('rowheader').getByRole('link');
  await links.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(links.last()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await expect(links.first()).toBeFocused();
  const name = await links.first().textContent();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: name ?? '' })).toBeVisible();
});

test('on a phone each row is a card with the same columns, and the order can be chosen @reading', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users`);
  const amara = page.getByRole('row', { name: /Amara Okafor/ });
  await expect(amara).toContainText('Care assistant');
  await expect(amara).toContainText('Willowbrook House');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'Name, descending' });
  await expect(page).toHaveURL(/sort=-name/);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
