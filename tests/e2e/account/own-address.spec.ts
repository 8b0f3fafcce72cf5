import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { expect, goTo, openMailedLink, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('somebody changes their own e-mail address: it counts when the link that is sent to it is opened @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'sophie.turner@willowbrook.test');
  await page.goto(`${server.url}/sign-in-ways`);
  const part = page.getByRole('region', { name: 'E-mail address' });
  await part.getByRole('button', { name: 'Change e-mail address' }).click();
  await part.getByRole('button', { name: 'Send link' }).click();
  await expect(part.getByRole('alert')).toBeFocused();
  await part.getByLabel('New e-mail address').fill('sophie@turner.test');
  await part.getByLabel('Your password', { exact: true }).fill('wrong');
  await part.getByRole('button', { name: 'Send link' }).click();
  await expect(part.getByRole('alert')).toContainText('Your password');
  await look(page, 'own-address');
  await part.getByLabel('Your password', { exact: true }).fill('Lantern-demo-1');
  await part.getByRole('button', { name: 'Send link' }).click();
  await expect(part.getByRole('status')).toContainText('We have sent a link to sophie@turner.test');
  await expect(part.getByText('sophie.turner@willowbrook.test', { exact: true })).toBeVisible();

  await openMailedLink(page, server, /verify-email/);
  await expect(page.getByText('Your e-mail address has been confirmed.')).toBeVisible();
  await page.goto(`${server.url}/sign-in-ways`);
  await expect(page.getByRole('region', { name: 'E-mail address' }).getByText('sophie@turner.test', { exact: true })).toBeVisible();
});

test('an address with a #place is kept through signing in @reading', async ({ page, server }) => {
  await page.goto(`${server.url}/sign-in-ways?a=1#place`);
  await expect(page).toHaveURL(`${server.url}/login?redirect=${encodeURIComponent('/sign-in-ways?a=1#place')}`);
});

test('whose sign-in ends meanwhile is told so where they sign in again, and goes on where they were @reading', async ({ page, server, context }) => {
  await page.goto(`${server.url}/login`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  const told = page.getByText('You have been signed out. Sign in again to go on where you were.');
  await expect(told).toHaveCount(0);
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'People');
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await context.clearCookies({ name: /session/ });
  // Unless a request in the background has learned of it already.
  await page.reload();
  await expect(told).toBeVisible();
  await page.getByLabel('E-mail address').fill('manager@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
});
