import { expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

test('a manager asks for places with a training company, and the office approves them, sees who is booked and cancels @online', async ({
  page,
  browser,
  server,
}) => {
  await signIn(page, server, 'manager@willowbrook.test');
  await page.goto(`${server.url}/manage-bookings`);
  await page.getByRole('link', { name: 'Request places' }).click();
  await page.getByRole('button', { name: 'Request the booking' }).click();
  await expect(page.getByText('Choose at least one person.').first()).toBeVisible();
  const people = page.getByRole('combobox', { name: 'People' });
  await people.fill('grace');
  await page.getByRole('option', { name: /Grace Adeyemi/ }).click();
  const training = page.getByRole('combobox', { name: 'Training' });
  await training.fill('health and safety');
  await page.getByRole('option', { name: 'Health and safety awareness' }).click();
  await page
    .getByRole('checkbox', { name: /^Health and safety awareness/ })
    .last()
    .check();
  await expect(page.getByText('Costs £35.00 + £7.00 VAT = £42.00, if everyone gets a place.')).toBeVisible();
  await look(page, 'booking-create');
  await page.getByRole('button', { name: 'Request the booking' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^BP-/ })).toBeVisible();
  await expect(page.getByText('Waits for approval').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Estimated cost' })).toContainText('£42.00');
  const reference = (await page.getByRole('heading', { level: 1 }).innerText()).trim();

  const { page: office } = await newDevice(browser);
  await signIn(office, server, 'admin@willowbrook.test');
  await goTo(office, 'Bookings');
  await expect(office.getByText('Confirmed').first()).toBeVisible();
  await look(office, 'bookings');
  await lookOnDesktop(office, 'bookings');
  await office.getByRole('link', { name: 'Calendar' }).click();
  await expect(office.getByText('Basic life support').first()).toBeVisible();
  await look(office, 'booking-calendar');
  await lookOnDesktop(office, 'booking-calendar');
  await office.getByRole('link', { name: 'All bookings' }).click();
  await office.getByText('To approve', { exact: true }).click();
  await office
    .getByRole('link', { name: new RegExp(reference) })
    .first()
    .click();
  await office.getByRole('button', { name: 'Approve …' }).click();
  await expect(office.getByRole('dialog')).toContainText('£42.00, if everyone gets a place.');
  await office.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
  const session = office.getByRole('region', { name: /^Health and safety awareness/ });
  await expect(session.getByRole('listitem')).toContainText('Has not answered');
  await expect(office.getByRole('region', { name: 'Cost', exact: true })).toContainText('£42.00');
  await look(office, 'booking');
  await lookOnDesktop(office, 'booking');
  await office.getByRole('button', { name: 'Cancel the booking …' }).click();
  await office.getByRole('dialog').getByLabel('Reason').fill('Not needed any more.');
  await office.getByRole('dialog').getByRole('button', { name: 'Cancel the booking' }).click();
  await expect(session.getByRole('listitem')).toContainText('No longer booked');
  await expect(office.getByRole('region', { name: 'Cost', exact: true })).toBeHidden();
  await expect(office.getByText('Cancelled: Not needed any more.')).toBeVisible();
});
