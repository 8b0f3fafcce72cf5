import { api, appIsKept, expect, newDevice, openMailedLink, signIn, test, wake } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('a protected page leads to signing in, and back to where one wanted to go @reading', async ({ page, server }) => {
  await page.goto(`${server.url}/users?search=a`);
  await expect(page).toHaveURL(/\/login\?redirect=%2Fusers%3Fsearch%3Da/);
  await page.getByLabel('E-mail address').fill('admin@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill('not this');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('The e-mail address or password is incorrect.');
  await expect(page.getByLabel('E-mail address')).toHaveValue('admin@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill('Lantern-demo-1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/users\?search=a/);
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible();
});

test('a forgotten password is reset with the link of the mail @online', async ({ page, server }) => {
  await page.goto(`${server.url}/forgot-password`);
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'If there is an account' })).toBeVisible();
  await openMailedLink(page, server, /reset-password/);
  await page.getByLabel('New password', { exact: true }).fill('Something-new-7');
  await page.getByLabel('Repeat new password').fill('Something-new-7');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill('Something-new-7');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Amara');
});

test('without permission one is told so, without a page one is told so, and an unknown address is a page not found @reading', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await expect(page.getByRole('link', { name: 'People', exact: true })).toHaveCount(0);
  await page.goto(`${server.url}/users`);
  await expect(page.getByRole('heading', { name: 'You do not have permission to see this' })).toBeVisible();
  await page.goto(`${server.url}/nowhere/at/all`);
  await expect(page).toHaveURL(/\/404\?resource=page/);
  await expect(page.getByRole('heading', { name: 'This page could not be found' })).toBeVisible();
});

test('a temp_token signs out the present user only after asking: any site can link to it @online', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await page.goto(`${server.url}/login?temp_token=abc`);
  await page.getByRole('link', { name: 'Stay signed in' }).click();
  await expect(page.getByRole('button', { name: /account of/ })).toBeVisible();
  await page.goto(`${server.url}/login?temp_token=abc`);
  await page.getByRole('button', { name: /^Sign .+ out$/ }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('authUser'))).toBeNull();
});

test('somebody sees where they are signed in, and signs out a device that they have left behind @online', async ({ page, browser, server }) => {
  test.slow();
  const { context, page: left } = await newDevice(browser);
  await signIn(left, server, 'learner@willowbrook.test');
  await signIn(page, server, 'learner@willowbrook.test');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Where I am signed in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Where I am signed in' });
  await expect(dialog.getByText('This device', { exact: true })).toBeVisible();
  await look(page, 'my-sessions');
  await dialog.getByRole('button', { name: /^Sign out / }).click();
  await expect(dialog.getByRole('button', { name: /^Sign out / })).toHaveCount(0);
  await left.goto(`${server.url}/messages`);
  await left.reload();
  await expect(left.getByLabel('E-mail address')).toBeVisible();
  await context.close();
});

test('signing out holds: in every tab, without a line, and where the page goes in the middle of it', async ({ page, context, server }) => {
  const learner = 'learner@willowbrook.test';
  const signOut = async () => {
    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  const status = () => page.evaluate(async () => (await fetch('/api/auth/user', { headers: { Accept: 'application/json' } })).status);
  const stores = () => page.evaluate(async () => (await indexedDB.databases()).filter((d) => d.name?.startsWith('lantern-person')).length);
  await signIn(page, server, learner);
  await appIsKept(page);
  const second = await context.newPage();
  await second.goto(`${server.url}/messages`);
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await stores()).toBe(1);
  await server.stop();
  await signOut();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(second).toHaveURL(/\/login\?redirect=%2Fmessages/);
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(stores).toBe(0);
  await server.start();
  // The earlier session has ended, even for somebody who knows the address to which an identity provider returns.
  await second.close();
  await page.goto(`${server.url}/login?signed_in=1`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(status).toBe(401);
  expect(await page.evaluate(() => localStorage.getItem('authUser'))).toBeNull();

  await signIn(page, server, learner);
  await wake(page);
  expect(await api<{ email: string }>(page, 'GET', '/auth/user')).toMatchObject({ email: learner });
  // The answer to signing out never comes, and the page is reloaded before the rest is done.
  await context.route('**/api/logout', () => undefined);
  await signOut();
  await expect(page.getByRole('button', { name: /account of/ })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(stores).toBe(0);
  await context.unroute('**/api/logout');
  await wake(page);
  await expect.poll(status).toBe(401);
});
