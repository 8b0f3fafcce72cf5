import { Secret, TOTP } from 'otpauth';
import { demoId } from '#server/db/demo/authoring.ts';
import { expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { IdentityProvider } from '#tests/support/identity-provider.ts';
import { look } from '#tests/support/look.ts';

const learner = 'learner@willowbrook.test';
const password = 'Lantern-demo-1';
const codeOf = (key: string, secondsLater = 0) =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp: Date.now() + secondsLater * 1000 });

test('a person switches the second step on, signs in with it, and with a recovery code when the phone is gone @online', async ({
  page,
  server,
  browser,
}) => {
  test.slow();
  await signIn(page, server, learner);
  await page.goto(`${server.url}/sign-in-ways`);
  await expect(page.getByRole('heading', { level: 1, name: 'How I sign in' })).toBeVisible();
  const part = page.getByRole('region', { name: 'Two-step verification' });
  await part.getByRole('button', { name: 'Turn on' }).click();
  await part.getByLabel('Your password').fill('wrong');
  await part.getByRole('button', { name: 'Continue' }).click();
  await expect(part.getByText('The password is incorrect.', { exact: true })).toBeVisible();
  await part.getByLabel('Your password').fill(password);
  await part.getByRole('button', { name: 'Continue' }).click();
  await expect(part.getByRole('img', { name: /authenticator/ })).toBeVisible();
  await look(page, 'second-step-key');
  const key = (await part.locator('strong').textContent()) ?? '';
  await part.getByLabel('Code from the app').fill(codeOf(key));
  await part.getByRole('button', { name: 'Turn on' }).click();
  const list = part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allTextContents();
  await part.getByRole('button', { name: 'I have saved them' }).click();
  await expect(part.getByText('10 of your recovery codes are left.')).toBeVisible();

  const { page: other } = await newDevice(browser);
  await other.goto(`${server.url}/login`);
  await other.getByLabel('E-mail address').fill(learner);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other.getByLabel('Code')).toBeFocused();
  await look(other, 'sign-in-code');
  await other.getByLabel('Code').fill('000000');
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other.getByText('This code is incorrect or has already been used.')).toBeVisible();
  await other.getByLabel('Code').fill(codeOf(key, 30));
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other.getByRole('heading', { level: 1 })).toContainText('Good');

  const { page: third } = await newDevice(browser);
  await third.goto(`${server.url}/login`);
  await third.getByLabel('E-mail address').fill(learner);
  await third.getByLabel('Password', { exact: true }).fill(password);
  await third.getByRole('button', { name: 'Sign in', exact: true }).click();
  await third.getByLabel('Code').fill(codes[0] ?? '');
  await third.getByLabel('Code').press('Enter');
  await expect(third.getByRole('heading', { level: 1 })).toContainText('Good');

  // Their administrator sees it, and can switch it off for somebody who has lost both.
  const { page: desk } = await newDevice(browser);
  await signIn(desk, server, 'admin@willowbrook.test');
  await desk.goto(`${server.url}/users/${demoId(`user:${learner}`)}?tab=access`);
  const activity = desk.getByRole('region', { name: 'Account activity' });
  await expect(activity.getByText(/Two-step verification: on/)).toBeVisible();
  await expect(activity.getByText('Refused').first()).toBeVisible();
  await look(desk, 'account-activity');
  await activity.getByRole('button', { name: 'Turn off two-step verification …' }).click();
  await activity.getByRole('button', { name: 'Turn off' }).click();
  await expect(activity.getByText(/Two-step verification: off/)).toBeVisible();
});

test('a passkey signs in, also where another one opens the lock of the device @online', async ({ page, server }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ hasPrf: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await signIn(page, server, learner);
  await page.goto(`${server.url}/sign-in-ways`);
  const part = page.getByRole('region', { name: 'Passkeys' });
  await part.getByRole('button', { name: 'Add a passkey' }).click();
  await part.getByLabel('Passkey name').fill('The house tablet');
  await part.getByLabel('Your password').fill(password);
  await part.getByRole('button', { name: 'Add passkey' }).click();
  await expect(part.getByText('The house tablet').first()).toBeVisible();
  await look(page, 'sign-in-ways');
  await page.getByRole('button', { name: /Amara Okafor/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/login/);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Good');
  await page.goto(`${server.url}/sign-in-ways`);
  await expect(part.getByText(/last used/)).toBeVisible();
  await part.getByRole('button', { name: 'Remove The house tablet' }).click();
  await part.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(part.getByText('The house tablet')).toHaveCount(0);
  // A passkey that the server does not know signs nobody in.
  await page.getByRole('button', { name: /Amara Okafor/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('This passkey cannot be used to sign in');
});

test.describe('with a provider', () => {
  let provider: IdentityProvider;
  test.beforeAll(async () => {
    provider = await IdentityProvider.start();
  });
  test.afterAll(() => provider.stop());
  test.use({
    settings: async ({ browserName: _ }, use) => {
      await use(provider.settings);
    },
  });
  test('an organisation switches Google on, a person connects their account, and signs in with it', async ({ page, server, browser }) => {
    await signIn(page, server, 'admin@willowbrook.test');
    await page.goto(`${server.url}/entities/willowbrook-house/update`);
    await page.getByLabel('Sign in with Google').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Successfully updated.').first()).toBeVisible();

    const { page: tablet } = await newDevice(browser);
    provider.claims = { sub: 'google-1', email: 'amara@home.test', email_verified: true };
    await tablet.goto(`${server.url}/login`);
    await tablet.getByRole('link', { name: 'Sign in with Google' }).click();
    await expect(tablet.getByRole('alert')).toContainText('That account is not connected yet');
    await look(tablet, 'sign-in-unknown');
    await signIn(tablet, server, learner);
    await tablet.goto(`${server.url}/sign-in-ways`);
    await tablet.getByRole('link', { name: 'Connect Google' }).click();
    await expect(tablet.getByText('Google is now connected. You can sign in with it.')).toBeVisible();
    await tablet.getByRole('button', { name: /Amara Okafor/ }).click();
    await tablet.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(tablet).toHaveURL(/login/);
    await tablet.getByRole('link', { name: 'Sign in with Google' }).click();
    await expect(tablet.getByRole('heading', { level: 1 })).toContainText('Good');
    await expect(tablet).toHaveURL(`${server.url}/`);
    // It does not matter who was signed in before: it is now the person who came back.
    await tablet.getByRole('button', { name: /Amara Okafor/ }).click();
    await tablet.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(tablet).toHaveURL(/login/);
    await signIn(tablet, server, 'aisha.khan@willowbrook.test');
    await tablet.goto(`${server.url}/api/auth/openid/google`);
    await expect(tablet.getByRole('button', { name: /Amara Okafor/ })).toBeVisible();
    await expect(tablet).toHaveURL(`${server.url}/`);
  });
});
