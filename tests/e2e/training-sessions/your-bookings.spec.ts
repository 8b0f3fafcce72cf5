import ICAL from 'ical.js';
import { readFileSync } from 'node:fs';
import { texts } from '#contract/texts.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, appIsKept, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

const day = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);

test('a care worker finds where they are booked, without a connection too, takes it into a calendar and gives the place up', async ({
  page,
  browser,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const venue = await api<{ id: string }>(page, 'POST', '/venues', {
    ...{ name: 'Mill Lane Centre', address: '1 Mill Lane, Leeds LS1 4AB', access_notes: 'Ring the bell at the side door.' },
    ...{ step_free: true, hearing_loop: false, parking: true, rooms: [] },
  });
  const session = await api<{ id: string }>(page, 'POST', '/training-sessions', {
    ...{ date: day, startTime: '09:30', endTime: '12:30', venue: 'Mill Lane Centre', venue_id: venue.id, room: '', aim: 'Bring flat shoes.' },
    ...{ maxDelegates: 1, grading_method: 'attendance' },
    ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: demoId('user:trainer@willowbrook.test') },
  });
  await api(page, 'POST', `/training-sessions/${session.id}/delegates`, { user_ids: [demoId('user:learner@willowbrook.test')] });

  // The session is full: another waits.
  await page.goto(`${server.url}/training-sessions/${session.id}`);
  const picker = page.getByRole('combobox', { name: 'Add somebody to the waiting list' });
  await picker.fill('liam');
  await page.getByRole('option', { name: /Liam Murphy/ }).click();
  const waiting = page.getByRole('region', { name: 'Waiting list' });
  await expect(waiting.getByRole('listitem')).toContainText('Liam Murphy');
  await look(page, 'waiting-list');

  const { page: phone } = await newDevice(browser);
  await signIn(phone, server, 'learner@willowbrook.test');
  await goTo(phone, 'Your bookings');
  const booking = phone.getByRole('article', { name: /^Moving and assisting people/ }).filter({ hasText: 'Mill Lane Centre' });
  await expect(booking).toContainText('Step-free · Parking · Ring the bell at the side door.');
  await expect(booking.getByRole('link', { name: 'Show on a map' })).toHaveAttribute('href', /query=1%20Mill%20Lane/);
  await look(phone, 'your-bookings');

  await appIsKept(phone);
  await server.stop();
  await phone.reload();
  await expect(booking).toContainText('Bring flat shoes.');
  await expect(phone.getByText(/^No connection\. Last updated on/)).toBeVisible();
  await expect(booking.getByRole('button', { name: 'I cannot come …' })).toBeDisabled();
  const [download] = await Promise.all([phone.waitForEvent('download'), booking.getByRole('button', { name: 'Add to calendar' }).click()]);
  expect(download.suggestedFilename()).toBe('Moving and assisting people.ics');
  const file = new ICAL.Component(ICAL.parse(readFileSync(await download.path(), 'utf8')) as unknown[]);
  expect(new ICAL.Event(file.getFirstSubcomponent('vevent') as ICAL.Component).location).toBe('Mill Lane Centre, 1 Mill Lane, Leeds LS1 4AB');

  await server.start();
  await phone.reload();
  await booking.getByRole('button', { name: 'I cannot come …' }).click();
  const dialog = phone.getByRole('dialog', { name: 'You cannot come?' });
  await dialog.getByRole('button', { name: 'Give up my place' }).click();
  await expect(dialog.getByText('Enter a reason.').first()).toBeVisible();
  await dialog.getByLabel('Why you cannot come').fill('My child is ill.');
  await look(phone, 'your-bookings-dialog');
  await dialog.getByRole('button', { name: 'Give up my place' }).click();
  await expect(phone.getByText('You have given up your place.')).toBeVisible();
  await expect(booking).toContainText('You do not come');
  await expect(booking).toContainText('My child is ill.');

  // Who waited is booked.
  await page.reload();
  await expect(page.getByRole('list', { name: 'Delegates' })).toContainText('Liam Murphy');
  await expect(waiting).toHaveCount(0);
  await page.goto(`${server.url}/messages?with=${demoId('user:learner@willowbrook.test')}`);
  await expect(
    page
      .getByRole('list', { name: 'Messages, oldest first' })
      .getByText(/^I cannot come to “Moving and assisting people” .* Reason: My child is ill\.$/),
  ).toBeVisible();
});

test('a care worker accepts a place, and the office copies the list to another session and moves somebody on @online', async ({
  page,
  browser,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/delegate-settings`);
  await page.getByLabel('Counts as accepted after, in hours').fill('48');
  await expect(page.getByText('Without an answer within 48 hours they count as coming.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(texts.successfullyUpdated)).toBeVisible();
  const planned = (days: number, venue: string) =>
    api<{ id: string }>(page, 'POST', '/training-sessions', {
      ...{
        date: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
        startTime: '13:30',
        endTime: '16:30',
        venue,
        room: '',
        aim: '',
      },
      ...{ maxDelegates: 2, grading_method: 'attendance', area: 'Leeds' },
      ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: demoId('user:trainer@willowbrook.test') },
    });
  const [first, second] = [await planned(9, 'Mill Lane'), await planned(10, 'Station Road'), await planned(11, 'Park Row')];
  const user_ids = ['learner', 'liam.murphy'].map((who) => demoId(`user:${who}@willowbrook.test`));
  await api(page, 'POST', `/training-sessions/${first.id}/delegates`, { user_ids });

  const { page: phone } = await newDevice(browser);
  await signIn(phone, server, 'learner@willowbrook.test');
  await goTo(phone, 'Your bookings');
  const booking = phone.getByRole('article', { name: /^Moving and assisting people/ }).filter({ hasText: 'Mill Lane' });
  await expect(booking).toContainText('Waits for your answer');
  await look(phone, 'your-bookings-answer');
  await booking.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(booking).toContainText('Accepted');

  await page.goto(`${server.url}/training-sessions/${first.id}`);
  const delegates = page.getByRole('list', { name: 'Delegates' });
  await expect(delegates.getByText('has accepted')).toHaveCount(1);
  await expect(delegates.getByRole('article', { name: 'Liam Murphy' })).toContainText('has not answered yet');
  await look(page, 'session-answers');
  await page.getByRole('button', { name: 'Copy delegates …' }).click();
  const choose = async (name: string, session: string) => {
    await page.getByRole('dialog').getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: new RegExp(session) }).click();
  };
  await choose('To which session', 'Station Road');
  await expect(page.getByRole('dialog')).toContainText('2 people get a place and are told.');
  await look(page, 'copy-delegates');
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByText('2 people copied.')).toBeVisible();

  await page.getByRole('button', { name: 'Move to another session …' }).click();
  await choose('Move to', 'Park Row');
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Liam Murphy' }).check();
  await expect(page.getByRole('dialog')).toContainText('They have no place on this session any more.');
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('1 person moved.')).toBeVisible();
  await expect(delegates).not.toContainText('Liam Murphy');
  await page.getByText('1 person no longer coming').click();
  await expect(page.getByText(/Moved to “Moving and assisting people”/)).toBeVisible();
  await look(page, 'off-the-list');
  await page.goto(`${server.url}/training-sessions/${second.id}`);
  await expect(delegates).toContainText('Liam Murphy');
});
