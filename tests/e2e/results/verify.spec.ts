import type { Result } from '#contract/entities/result.ts';
import { certificateNumberWords } from '#contract/rules/certificate-number.ts';
import { dayWords } from '#contract/rules/days.ts';
import { lastValidDay } from '#contract/rules/result-dates.ts';
import { api, expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look } from '#tests/support/look.ts';

test('anybody verifies a certificate by its number, on a phone, without an account', async ({ page, server, browser }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  const me = await api<{ uuid: string }>(page, 'GET', '/auth/user');
  const results = await api<Result[]>(page, 'GET', `/users/${me.uuid}/training-records`);
  const now = new Date().toISOString();
  const valid = results.find((r) => r.certificate_number && r.counts && r.expires_at && r.expires_at > now);
  if (!valid?.certificate_number || !valid.expires_at) throw new Error('no valid certificate among the demo data');
  const until = `Valid until ${dayWords(lastValidDay(valid.expires_at, valid.zone))}.`;
  const number = certificateNumberWords(valid.certificate_number);

  const { context, page: phone } = await newDevice(browser);
  await phone.setViewportSize({ width: 320, height: 640 });
  const asked: string[] = [];
  const received: string[] = [];
  phone.on('request', (request) => asked.push(new URL(request.url()).pathname));
  phone.on('response', async (response) => {
    if (response.url().includes('/api/certificates/')) received.push(await response.text());
  });
  await phone.goto(`${server.url}/verify-certificate`);
  const field = phone.getByLabel('Certificate number');
  const status = phone.getByRole('status');
  await expect(phone.getByRole('heading', { level: 1, name: 'Verify a certificate' })).toBeVisible();

  // A mistyped number is recognised without asking the server.
  await phone.getByRole('button', { name: 'Verify' }).click();
  await expect(status).toHaveText('Enter the number of the certificate.');
  await expect(field).toBeFocused();
  await field.fill(number.slice(0, -1) + (number.endsWith('2') ? '3' : '2'));
  await field.press('Enter');
  await expect(status).toHaveText('There is no certificate with this number. Check it for typing mistakes.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(asked.filter((path) => path.includes('/certificates/'))).toEqual([]);
  await look(phone, 'verify-wrong');
  await phone.setViewportSize({ width: 320, height: 640 });

  // One that checks and does not exist.
  await field.fill('0000 0000 0000');
  await expect(status).toHaveText('');
  await field.press('Enter');
  await expect(status).toHaveText('There is no certificate with this number. Check it for typing mistakes.');

  await context.setOffline(true);
  await field.fill(number.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'));
  await field.press('Enter');
  await expect(status).toHaveText('There is no connection to the server. Check the signal and try again.');
  await context.setOffline(false);
  await phone.getByRole('button', { name: 'Verify' }).click();
  await expect(status).toHaveText(until);
  await expect(field).toHaveValue(number);
  await expect(field).not.toHaveAttribute('aria-invalid');
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectLargeTargets(phone, 'verify');
  await look(phone, 'verify-valid');

  // The number in the address is checked at once.
  await phone.goto(`${server.url}/verify-certificate/${number}`);
  await expect(status).toHaveText(until);
  // Neither the answer nor the page says whose it is or of what.
  expect(received.filter((text) => text.includes('valid_until')).length).toBeGreaterThan(0);
  for (const text of [...received, await phone.locator('body').innerText()])
    for (const secret of [valid.user.name, valid.course_title, valid.place]) expect(text).not.toContain(secret);
  // Nothing of the office comes with the page.
  const scripts = asked
    .filter((path) => path.endsWith('.js'))
    .map((path) =>
      path
        .split('/')
        .at(-1)
        ?.replace(/-[\w-]{8}\.js$/, ''),
    );
  expect(scripts).toContain('verify');
  expect(scripts).not.toContain('office');
  await context.close();
});
