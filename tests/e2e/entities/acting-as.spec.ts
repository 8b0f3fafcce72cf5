import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator acts for a service: always in sight, in its place only, and ended with one press @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Act for another service' }).click();
  const dialog = page.getByRole('dialog', { name: 'Act for another service' });
  // A dialog takes the focus once it is open.
  await expect(dialog.locator(':focus')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Service' }).fill('house');
  await page.getByRole('option', { name: 'Willowbrook House' }).click();
  await look(page, 'acting-as-choice');
  await dialog.getByRole('button', { name: 'Act for it' }).click();
  const banner = page.getByText('You act for Willowbrook House.');
  await expect(banner).toBeVisible();

  await goTo(page, 'Services');
  await expect(page.getByRole('link', { name: 'Willowbrook House' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Willowbrook Home Care' })).toHaveCount(0);
  await look(page, 'acting-as');
  await page.reload();
  await expect(banner).toBeVisible();

  await page.goto(`${server.url}/entities/willowbrook-house`);
  // Polled until it has been computed.
  await expect(page.getByRole('region', { name: 'Scores' }).getByText(/^\d+ %/)).toHaveCount(2, { timeout: 60_000 });
  await look(page, 'entity-scores');
  // The form would save for another organisation: it asks before it is removed.
  await page.goto(`${server.url}/users/create`);
  // Who is added belongs to the organisation that is acted for.
  await expect(page.getByRole('combobox', { name: 'Belongs to' })).toHaveValue('Willowbrook House');
  await page.getByLabel('Name').fill('Rosa Mendes');
  await page.getByRole('button', { name: 'Stop' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Stay' }).click();
  await expect(leaving).toHaveCount(0);
  await expect(banner).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Rosa Mendes');
  await page.getByRole('button', { name: 'Stop' }).click();
  await leaving.getByRole('button', { name: 'Leave' }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'People' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await expect(leaving).toHaveCount(0);
  await page.goto(`${server.url}/entities`);
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Willowbrook Home Care' })).toBeVisible();
  // From the list, too; one's own organisation is no other.
  await expect(page.getByRole('button', { name: /^Act for Willowbrook/ })).toHaveCount(2);
  await look(page, 'act-for-in-list');
  await page.getByRole('button', { name: 'Act for Willowbrook Home Care' }).click();
  await expect(page.getByText('You act for Willowbrook Home Care.')).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
});

test('who may no longer act for others goes on as themselves, and is told @online', async ({ page, server }) => {
  await signIn(page, server, 'manager@willowbrook.test');
  await page.evaluate(() =>
    localStorage.setItem('actingAs', JSON.stringify({ id: '00000000-0000-4000-8000-000000000001', name: 'Elsewhere', slug: 'elsewhere' })),
  );
  await page.goto(`${server.url}/users`);
  await expect(page.getByText('You cannot act for this organisation. You are now working as yourself.')).toBeVisible();
  await expect(page.getByText('You act for Elsewhere.')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /Amara/ })).toBeVisible();
});
