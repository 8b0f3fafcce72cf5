import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look } from '#tests/support/look.ts';

test('an administrator manages the venues, and somebody who plans a session chooses one with its room @online', async ({ page, server, context }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'Venues');
  await expect(page.getByRole('row', { name: /Willowbrook House/ })).toContainText('Lounge (20 people)');
  await page.getByRole('button', { name: 'Add a venue' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a name.').first()).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Mill Hall');
  await page.getByLabel('Address').fill('2 Mill Lane');
  await page.getByLabel('Hearing loop').check();
  await page.getByRole('button', { name: 'Add a room' }).click();
  await page.getByLabel('Room 1', { exact: true }).fill('Blue room');
  await page.getByLabel('Capacity').fill('18');
  await look(page, 'venue-add');
  await expectLargeTargets(page, 'venue-add');
  // By the keyboard alone.
  await page.getByRole('button', { name: 'Save', exact: true }).focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /Mill Hall/ });
  await expect(row).toContainText('Blue room (18 people)');
  await look(page, 'venues');
  await row.getByRole('link').click();
  await page.getByLabel('Capacity').fill('16');
  await look(page, 'venue');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(row).toContainText('Blue room (16 people)');

  await page.goto(`${server.url}/training-sessions/update/${demoId('session:children')}`);
  await page.getByRole('combobox', { name: 'Venue' }).fill('Mill');
  await page.getByRole('option', { name: 'Mill Hall' }).click();
  await page.getByRole('combobox', { name: 'Room' }).fill('');
  await page.getByRole('option', { name: 'Blue room' }).click();
  await expect(page.getByLabel('Maximum number of delegates')).toHaveValue('16');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/Mill Hall, Blue room/)).toBeVisible();

  // Sessions are to come there, and none at the head office.
  await goTo(page, 'Venues');
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Training sessions are to come at this venue.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Close message' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await page
    .getByRole('row', { name: /head office/ })
    .getByRole('link')
    .click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row).toBeVisible();
  await expect(page.getByRole('row', { name: /head office/ })).toHaveCount(0);

  await context.setOffline(true);
  await page.getByRole('searchbox', { name: 'Find a venue' }).fill('Mill');
  await expect(page.getByText('The list of venues needs a connection.')).toBeVisible();
  await context.setOffline(false);
});

test('an organisation without venues is told what to do; who may not keep them sees no way to @online', async ({ page, server, browser }) => {
  await signIn(page, server, 'admin@brightpath.test');
  const planned = await api<{ id: string; venue_id: string | null; cancelled: unknown }[]>(page, 'GET', '/training-sessions?per_page=100');
  for (const { id, venue_id, cancelled } of planned)
    if (venue_id && !cancelled) await api(page, 'PATCH', `/training-sessions/${id}`, { venue: 'A hall', venue_id: null });
  for (const { id } of await api<{ id: string }[]>(page, 'GET', '/venues')) await api(page, 'DELETE', `/venues/${id}`);
  await goTo(page, 'Venues');
  await expect(page.getByText('There are no venues yet')).toBeVisible();
  await look(page, 'venues-none');
  const other = await browser.newPage();
  await signIn(other, server, 'trainer@willowbrook.test');
  await other.goto(`${server.url}/venues`);
  await expect(other.getByRole('row', { name: /Willowbrook House/ })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Add a venue' })).toHaveCount(0);
  await other.close();
});
