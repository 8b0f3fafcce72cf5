import type { Page } from '@playwright/test';
import { encode } from 'uqr';
import { checkInFragment, checkInStep } from '#contract/rules/check-in.ts';
import { dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, appIsKept, chip, expect, newDevice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

const people = ['learner', 'liam.murphy', 'megan.davies'] as const;
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
/** The dark squares of a QR code as the picture is drawn. */
const drawn = (text: string) =>
  encode(text, { border: 1 })
    .data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');

test('delegates check in on their phones with the code of a trainer who has no signal, one of them without a signal too', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(420_000);
  await signIn(page, server, 'admin@willowbrook.test');
  const session = await api<{ id: string }>(page, 'POST', '/training-sessions', {
    ...{ date: dayIn(new Date(), defaultTimeZone), startTime: '00:00', endTime: '23:59', venue: 'Mill Lane Centre', room: 'Hall 2', aim: '' },
    ...{ maxDelegates: 20, grading_method: 'attendance', course_id: demoId('course:Moving and assisting people') },
    trainer_id: demoId('user:admin@willowbrook.test'),
  });
  await api(page, 'POST', `/training-sessions/${session.id}/delegates`, { user_ids: people.map((who) => demoId(`user:${who}@willowbrook.test`)) });
  const register = `${server.url}/training-sessions/${session.id}`;
  await page.goto(register);
  const show = page.getByRole('button', { name: 'Show the check-in code' });
  await expect(show).toBeVisible();
  await appIsKept(page);

  // In the hall.
  await page.context().setOffline(true);
  await page.reload();
  await show.click();
  const dialog = page.getByRole('dialog', { name: 'Check in: Moving and assisting people' });
  const qr = dialog.getByRole('img', { name: 'QR code to check in to this session' });
  await expect(dialog.getByRole('timer')).toHaveText(/^New code in \d+ s$/);
  await look(page, 'check-in-code');
  /** The code on the trainer's screen now, and the link in its QR code. */
  const onScreen = async () => {
    let found = { code: '', link: '' };
    await expect(async () => {
      const code = (await dialog.getByText(/^\d{4} \d{4}$/).innerText()).replace(' ', '');
      const link = `${server.url}/check-in/${session.id}${checkInFragment(code, checkInStep(new Date()))}`;
      expect(await qr.locator('path').getAttribute('d')).toBe(drawn(link));
      found = { code, link };
    }).toPass();
    return found;
  };

  // A phone on which nobody is signed in scans it, and comes back to it.
  const { page: phone } = await newDevice(browser);
  await phone.goto((await onScreen()).link);
  await phone.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await phone.getByLabel('Password', { exact: true }).fill(demoPassword);
  await phone.getByRole('button', { name: 'Sign in' }).click();
  await expect(phone.getByRole('heading', { level: 1, name: 'Moving and assisting people' })).toBeVisible();
  await expect(phone.getByRole('region', { name: 'The session' })).toContainText('Mill Lane Centre, Hall 2');
  await look(phone, 'check-in');
  await phone.getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(phone.getByText(/You checked in at \d\d:\d\d/)).toBeVisible();
  await phone.goto(`${server.url}/your-bookings`);
  await expect(phone.getByRole('article', { name: /^Moving and assisting people, Today, 00:00/ })).toContainText(/You checked in at \d\d:\d\d/);

  // Another one types it: first wrong, then without a signal.
  const { page: other } = await newDevice(browser);
  await signIn(other, server, 'liam.murphy@willowbrook.test');
  await other.goto(`${server.url}/your-bookings`);
  await other
    .getByRole('article', { name: /^Moving and assisting people, Today, 00:00/ })
    .getByRole('link', { name: 'Check in' })
    .click();
  const type = async (code: string) => {
    await other.getByLabel('Code that the trainer shows').fill(code);
    await other.getByRole('button', { name: 'Check in', exact: true }).click();
  };
  await type('1234');
  await expect(other.getByText('Enter the eight digits of the code.')).toBeVisible();
  await type('0000 0000');
  await expect(other.getByRole('alert')).toContainText('This code is not right.');
  await look(other, 'check-in-refused');
  await other.context().setOffline(true);
  // Typed wrong again, which cannot be known offline: both are sent, and the right one is enough.
  await type('1111 1111');
  await expect(other.getByText(/^Kept on this device at \d\d:\d\d$/)).toBeVisible();
  await other.getByRole('button', { name: 'Typed it wrong?' }).click();
  await look(other, 'check-in-again');
  await type((await onScreen()).code);
  await expect(other.getByText(/^Kept on this device at \d\d:\d\d$/)).toBeVisible();
  await other.context().setOffline(false);
  await wake(other);
  await expect(other.getByText(/You checked in at \d\d:\d\d/)).toBeVisible();
  await expect(chip(other)).toContainText('All sent');

  // What the trainer noted by hand stays; who checked in and is not noted yet is present with one tap.
  await page.keyboard.press('Escape');
  const absent = page.getByRole('button', { name: 'Absent: Liam Murphy' });
  await absent.click();
  await expect(absent).toHaveAttribute('aria-pressed', 'true');
  await page.context().setOffline(false);
  await wake(page);
  await page.goto(register);
  await expect(card(page, 'Liam Murphy')).toContainText(/checked in \d\d:\d\d/);
  await look(page, 'register-checked-in');
  await page.getByRole('button', { name: 'Note all who checked in as present (1)' }).click();
  await expect(page.getByText('3 people, 1 here, 1 not noted yet')).toBeVisible();
  await expect(absent).toHaveAttribute('aria-pressed', 'true');
  await expect(card(page, 'Megan Davies')).not.toContainText('checked in');
});
