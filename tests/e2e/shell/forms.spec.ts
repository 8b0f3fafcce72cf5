import type { Page } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

const add = async (page: Page, url: string) => {
  await page.goto(`${url}/users/create`);
  await expect(page.getByRole('heading', { level: 1, name: 'Add a person' })).toBeVisible();
};
const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });

test('a form with something unsaved asks before it is left; what was typed is offered again, until it is saved or discarded @online', async ({
  page,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await add(page, server.url);
  // Nothing typed: no question.
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'People' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await page.getByRole('link', { name: 'Add a person' }).click();
  await page.getByLabel('Name').fill('Rosa Mendes');
  // A link: the person stays, and the input is kept.
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'People' }).click();
  await expect(leaving(page)).toContainText('kept on this device');
  await look(page, 'form-leaving');
  await leaving(page).getByRole('button', { name: 'Stay' }).click();
  await expect(leaving(page)).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('Rosa Mendes');
  // The back button: the person leaves.
  await page.goBack();
  await leaving(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  // Offered, not filled in.
  await page.getByRole('link', { name: 'Add a person' }).click();
  await expect(page.getByText(/You began this on .* and did not save it/)).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('');
  await look(page, 'form-draft');
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Rosa Mendes');
  // The browser asks before the page is closed.
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await page.getByLabel('E-mail address').fill('rosa@willowbrook.test');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rosa Mendes' })).toBeVisible();
  await add(page, server.url);
  await expect(page.getByLabel('Name')).toBeVisible();
  await expect(page.getByText(/You began this on/)).toHaveCount(0);
});

test('a session that ends while a form is filled in says so, and what was typed is offered after signing in @online', async ({
  page,
  server,
  context,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/branding`);
  await page.getByLabel('Name', { exact: true }).fill('Willowbrook and friends');
  const logo = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>') };
  await page.locator('input[type=file]').first().setInputFiles(logo);
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('You have been signed out. Sign in again to go on where you were.')).toBeVisible();
  await page.getByLabel('E-mail address').fill('admin@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Willowbrook and friends');
  // A file is not part of it: it has to be chosen again, and saving does not send another thing in its place.
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Successfully updated.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Willowbrook and friends, start page' })).toBeVisible();
});

test('of two people who have the same form open, the second is told what the first saved before it is replaced @online', async ({
  page,
  server,
  context,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const address = `${server.url}/entities/willowbrook-house/update`;
  const other = await context.newPage();
  for (const one of [page, other]) {
    await one.goto(address);
    await expect(one.getByLabel('Telephone')).toBeVisible();
  }
  await other.getByLabel('Telephone').fill('01233 000111');
  await other.getByLabel('Code').fill('WH1');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(other.getByText('Successfully updated.')).toBeVisible();
  await page.getByLabel('Telephone').fill('01233 000222');
  await page.getByLabel('Website').fill('https://willowbrook.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Telephone: Somebody changed this to “01233 000111” while you had it open/)).toBeVisible();
  await expect(page.getByLabel('Telephone')).toHaveValue('01233 000222');
  await expect(page.getByLabel('Code')).toHaveValue('WH1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Successfully updated.')).toBeVisible();
  // What only the first changed is still there.
  await page.goto(address);
  await expect(page.getByLabel('Telephone')).toHaveValue('01233 000222');
  await expect(page.getByLabel('Code')).toHaveValue('WH1');
  await expect(page.getByLabel('Website')).toHaveValue('https://willowbrook.example');
  // The same change by both is nothing to decide.
  await other.goto(address);
  for (const one of [other, page]) {
    await one.getByLabel('Code').fill('WH2');
    await one.getByRole('button', { name: 'Save' }).click();
    await expect(one.getByText('Successfully updated.')).toBeVisible();
  }
});

test('who follows a link while a form is being saved gets there once it is saved, and stays where it could not be @online', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/courses`);
  let answers = Promise.withResolvers<'goes on' | 'breaks'>();
  await page.route('**/entities/*/courses/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    return (await answers.promise) === 'breaks' ? route.abort() : route.fallback();
  });
  const saveAndLeave = async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Categories' }).click();
    await expect(page.getByRole('dialog', { name: 'Saving' })).toContainText('You go on as soon as it is saved.');
  };
  await page.getByRole('button', { name: 'Change Fire safety' }).click();
  const fire = page.getByRole('form', { name: 'Fire safety' });
  await fire.getByRole('combobox', { name: 'For job roles' }).click();
  await page.getByRole('option', { name: 'Cook' }).click();
  await page.keyboard.press('Escape');
  await saveAndLeave();
  // Not saved: it is asked about like everything else that is not.
  answers.resolve('breaks');
  await leaving(page).getByRole('button', { name: 'Stay' }).click();
  await expect(fire.getByRole('alert')).toBeVisible();
  answers = Promise.withResolvers();
  await saveAndLeave();
  answers.resolve('goes on');
  await expect(page.getByText('No categories yet')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('row', { name: /^Fire safety/ })).toContainText('Cook');
});

test('a dialog with something unsaved asks before it is closed, and takes nothing else with it @online', async ({ page, server }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/content-designer/create`);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Safe bathing');
  await page.getByRole('button', { name: 'Make a new course' }).click();
  const made = page.getByRole('dialog', { name: 'Make a new course' });
  // Nothing typed, nothing asked.
  await page.keyboard.press('Escape');
  await expect(made).toHaveCount(0);
  await page.getByRole('button', { name: 'Make a new course' }).click();
  await made.getByLabel('Title of the course').fill('Bathing');
  await page.keyboard.press('Escape');
  await expect(leaving(page)).toContainText('What you typed here will be lost.');
  // Escape closes only the question.
  await page.keyboard.press('Escape');
  await expect(leaving(page)).toHaveCount(0);
  await expect(made.getByLabel('Title of the course')).toHaveValue('Bathing');
  await made.getByRole('button', { name: 'Close' }).click();
  await leaving(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('Safe bathing');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').first().click();
  await leaving(page).getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('Safe bathing');
});

test('what was typed and not saved goes from the device when its person signs out, who is asked first @online', async ({ page, server }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await add(page, server.url);
  await page.getByLabel('Name').fill('Rosa Mendes');
  const signOut = async () => {
    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  const asked = page.getByRole('dialog', { name: 'Sign out without saving?' });
  await signOut();
  await expect(asked).toContainText('deleted from this device');
  await look(page, 'form-sign-out');
  await asked.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Rosa Mendes');
  // Also from another page: what is kept to be offered again would go as well.
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'People' }).click();
  await leaving(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await signOut();
  await asked.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await signIn(page, server, 'admin@willowbrook.test');
  await add(page, server.url);
  await expect(page.getByLabel('Name')).toBeVisible();
  await expect(page.getByText(/You began this on/)).toHaveCount(0);
});

test('a date is typed as people write it or chosen from a calendar, and a wrong one is said in words @online', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, server, 'admin@willowbrook.test');
  await add(page, server.url);
  await page.getByLabel('Name').fill('Rosa Mendes');
  await page.getByLabel('E-mail address').fill('rosa@willowbrook.test');
  const day = page.getByLabel('Started on', { exact: true });
  await day.fill('31/02/2026');
  await page.getByRole('button', { name: 'Save' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  await summary.getByRole('button', { name: 'Started on: Enter a date, for example 21/11/2026.' }).click();
  await expect(day).toBeFocused();
  await expect(day).toHaveValue('31/02/2026');
  await day.fill('3.5.26');
  await day.blur();
  await expect(day).toHaveValue('03/05/2026');
  await page.getByRole('button', { name: 'Choose a date: Started on' }).click();
  const calendar = page.getByRole('dialog', { name: 'Started on' });
  await expect(calendar.getByRole('button', { name: 'May 2026', exact: true })).toBeVisible();
  await look(page, 'form-calendar');
  await page.setViewportSize({ width: 360, height: 740 });
  const box = await calendar.boundingBox();
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 360, 'the calendar fits a phone').toBe(true);
  // From the keyboard: the focus is in the calendar.
  await calendar.getByRole('button', { name: '3 May 2026', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(calendar).toHaveCount(0);
  await expect(day).toHaveValue('04/05/2026');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rosa Mendes' })).toBeVisible();
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await expect(page.getByLabel('Started on', { exact: true })).toHaveValue('04/05/2026');
  await lookOnDesktop(page, 'form-desktop');
});

test('a double tap sends once; what the server refuses is said at its field @online', async ({ page, server }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await add(page, server.url);
  await page.getByLabel('Name').fill('Rosa Mendes');
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && /\/users$/.test(request.url()) && sent.push(request.url()));
  await page.getByRole('button', { name: 'Save' }).dblclick();
  await expect(page.getByRole('button', { name: 'E-mail address: This address cannot be used' })).toBeVisible();
  expect(sent).toHaveLength(1);
  await expect(page.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Name')).toHaveValue('Rosa Mendes');
});

test('a field that picks somebody says that it looks, that there is nobody, that there is no connection, and looks again @online', async ({
  page,
  server,
  context,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/care-certificate/historical`);
  await page.getByRole('button', { name: 'Add one' }).click();
  const who = page.getByRole('combobox', { name: 'Who' });
  await who.fill('Nobody like this');
  await expect(page.getByText('Searching …')).toBeVisible();
  await expect(page.getByText('No matching person')).toBeVisible();
  await context.setOffline(true);
  await who.fill('Sunita');
  await expect(page.getByText('There is no connection to the server.').first()).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('option', { name: 'Sunita Patel' }).click();
  await expect(who).toHaveValue('Sunita Patel');
});
