import { appIsKept, course, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator adds a service, changes it, restricts it, and reads who has changed what', async ({ page, browser, server }) => {
  // Every screen is looked at in four ways; the largest of them holds several hundred boxes.
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await appIsKept(page);
  // The organisation's own word for them.
  await goTo(page, 'Services');
  await expect(page.getByText('3 services')).toBeVisible();
  await look(page, 'entity-list');
  await page.getByRole('radiogroup').getByText('Organisations (level A)', { exact: true }).click();
  await expect(page.getByText('1 service', { exact: true })).toBeVisible();
  await page.getByText('Training companies', { exact: true }).click();
  await expect(page.getByText('None of these')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(page.getByText('3 services')).toBeVisible();

  await page.getByRole('link', { name: 'Add a service' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a name.').first()).toBeVisible();
  await page.getByLabel('Name').fill('Willowbrook Lodge');
  await page.getByLabel('Website').fill('willowbrook');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a web address that starts with https://.').first()).toBeVisible();
  await look(page, 'entity-create');
  await page.getByLabel('Website').fill('https://willowbrook.test');
  await page.getByLabel('Starter period').fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Willowbrook Lodge' })).toBeVisible();
  await expect(page.getByText('30 days for what a new starter must do')).toBeVisible();

  // Nobody works there yet: counted, and nothing to do.
  await expect(page.getByRole('region', { name: 'Scores' }).getByText('No required training').first()).toBeVisible({ timeout: 60_000 });

  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('combobox', { name: 'Belongs to' }).fill('house');
  await page.getByRole('option', { name: 'Willowbrook House' }).click();
  await page.getByLabel('Notes').fill('Ring before you come.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Successfully updated.')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Where it belongs' })).toHaveText('Willowbrook Care GroupWillowbrook House');
  await expect(page.getByText('Ring before you come.')).toBeVisible();
  await page.getByRole('link', { name: 'Change the password requirements' }).click();
  await page.getByLabel('Minimum number of characters').fill('4');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter 8 or more.', { exact: true })).toBeVisible();
  await page.getByLabel('Minimum number of characters').fill('14');
  await page.getByLabel('Expires after, in months').fill('6');
  await look(page, 'entity-passwords');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('At least 14 characters with lower-case and capital letters and a digit. Changed every 6 months.')).toBeVisible();
  await look(page, 'entity-detail');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('3 changes')).toBeVisible();
  await expect(page.getByRole('rowheader').first()).toContainText('Priya Raman changed the service Willowbrook Lodge');
  await expect(page.getByRole('row').nth(2)).toContainText('Willowbrook Care Group → Willowbrook House');
  await look(page, 'audit-log');

  // The house is restricted: its people are told, and get in with the access password.
  await page.goto(`${server.url}/entities/willowbrook-house/update`);
  await page.getByLabel('From: date', { exact: true }).fill('01/01/2026');
  await page.getByLabel('From: time', { exact: true }).fill('00:00');
  await page.getByLabel('Message to them').fill('We are moving to a new system.');
  await page.getByLabel('Access password').fill('the new system');
  await page.getByLabel('Link to show').fill('https://news.example.org/july');
  await page.getByLabel('Text of the link').fill('News of July');
  await page.getByRole('combobox', { name: 'Courses in focus' }).fill('Health and');
  await page.getByRole('option', { name: 'Health and safety awareness' }).click();
  await page.keyboard.press('Escape');
  await look(page, 'entity-update');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Access is restricted since 01/01/2026, 00:00.')).toBeVisible();
  await expect(page.getByText('Health and safety awareness', { exact: true })).toBeVisible();
  const { page: tablet, context } = await newDevice(browser);
  await tablet.goto(`${server.url}/login`);
  await tablet.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await tablet.getByLabel('Password', { exact: true }).fill('Lantern-demo-1');
  await tablet.getByRole('button', { name: 'Sign in' }).click();
  await expect(tablet.getByText('We are moving to a new system.')).toBeVisible();
  await look(tablet, 'login-restricted');
  await tablet.getByLabel('Access password', { exact: true }).fill('a guess');
  await tablet.getByRole('button', { name: 'Sign in' }).click();
  await expect(tablet.getByText('The access password is incorrect.')).toBeVisible();
  await tablet.getByLabel('Access password', { exact: true }).fill('the new system');
  await tablet.getByRole('button', { name: 'Sign in' }).click();
  // And is shown once what the house wants them to see.
  await expect(tablet.getByRole('dialog', { name: 'News of July' })).toBeVisible();
  await look(tablet, 'login-popup');
  await tablet.getByRole('button', { name: 'Not now' }).click();
  await tablet.reload();
  await expect(tablet.getByRole('heading', { level: 1 })).toContainText('Good');
  await expect(tablet.getByRole('dialog')).toHaveCount(0);
  await tablet.getByRole('button', { name: /^Do next/ }).click();
  await expect(course(tablet, 'Health and safety awareness')).toContainText('Priority');
  await look(tablet, 'home-in-focus');
  await context.close();

  // Without the server the pages say so.
  await server.stop();
  await page.goto(`${server.url}/entities`);
  await expect(page.getByText('The list of services needs a connection.')).toBeVisible();
  await page.goto(`${server.url}/entities/willowbrook-house`);
  await expect(page.getByText('This page needs a connection.')).toBeVisible();
});
