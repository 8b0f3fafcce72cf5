import { demoId } from '#server/db/demo/authoring.ts';
import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, lookOnDesktop } from '#tests/support/look.ts';

test('on a desktop the list stands beside the page of one: what was looked for stays, also on the way back @reading', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users?filter=active`);
  await page.getByRole('searchbox', { name: 'Find a person' }).fill('an');
  await expect(page).toHaveURL(/search=an/);
  const first = page.getByRole('rowheader').first();
  const name = await first.innerText();
  await first.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const list = page.getByRole('navigation', { name: 'People', exact: true });
  await expect(list.getByRole('searchbox', { name: 'Find a person' })).toHaveValue('an');
  await expect(list.getByRole('combobox', { name: 'Which people' })).toHaveValue('active');
  await expect(list.locator('[aria-current=page]')).toContainText(name);
  await lookOnDesktop(page, 'person-beside-list');

  const other = list.getByRole('listitem').filter({ hasNot: page.locator('[aria-current]') });
  const otherName = await other.first().getByRole('strong').innerText();
  await other.first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: otherName })).toBeVisible();
  await expect(list.locator('[aria-current=page]')).toContainText(otherName);
  await list.getByRole('searchbox').fill('nobody of this name');
  await expect(list.getByText('Nothing found for “nobody of this name”.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: otherName })).toBeVisible();
  await list.getByRole('searchbox').fill('an');
  await expect(list.locator('[aria-current=page]')).toContainText(otherName);
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'People' }).click();
  await expect(page).toHaveURL(/\/users\?(?=.*search=an)(?=.*filter=active)/);
  await expect(page.getByRole('rowheader').first()).toHaveText(name);

  // A tablet shows one thing at a time.
  await page.goBack();
  await expect(list).toBeVisible();
  await page.setViewportSize({ width: 820, height: 1180 });
  await expect(page.getByRole('heading', { level: 1, name: otherName })).toBeVisible();
  await expect(list).toHaveCount(0);

  await page.setViewportSize(desktop);
  for (const [path, title] of [
    [`/training-sessions/${demoId('session:life-support')}`, 'Registers'],
    ['/entities/willowbrook', 'Services'],
  ] as const) {
    await page.goto(server.url + path);
    await expect(page.getByRole('navigation', { name: title, exact: true }).locator('[aria-current=page]')).toBeVisible();
    await lookOnDesktop(page, `${title.toLowerCase()}-beside-list`);
  }
});

test('what was looked for in a report is not taken to another list @reading', async ({ page, server }) => {
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/reports/care-certificate?search=Sophie`);
  await page.getByRole('rowheader', { name: 'Sophie Turner' }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: /Sophie Turner/ })).toBeVisible();
  await expect(page).toHaveURL(/\/care-certificate\/[^?]+$/);
  await expect(page.getByRole('navigation', { name: 'Care Certificate', exact: true }).getByRole('searchbox')).toHaveValue('');
});

test('a learner, who has few things, has no list beside them @reading', async ({ page, server }) => {
  await page.setViewportSize(desktop);
  await signIn(page, server, 'learner@willowbrook.test');
  await page.goto(`${server.url}/pathways`);
  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeVisible();
  await expect(page.locator('#main nav')).toHaveCount(1);
});
