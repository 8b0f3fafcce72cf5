import type { Register } from '#contract/entities/training-session.ts';
import { texts } from '#contract/texts.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { lapsePlaces } from '#server/features/training-sessions/waiting-list.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { api, appIsKept, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';
import type { TestServer } from '#tests/support/real-server.ts';

const day = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);
const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);

/** The time to accept is over, and a server looks. */
const timeIsOver = async (server: TestServer, session: string) => {
  const { db, close } = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: server.databaseUrl });
  await db.run(sql`update session_delegates set lapses_at = now() - interval '1 minute' where session_id = ${session} and lapses_at is not null`);
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
  await lapsePlaces({ db, config, mail: createMailer(config, db, brandOfAddress), now: () => new Date(), log: console as never });
  await close();
};

test('who moves up from the waiting list does not accept in time, and the next one does', async ({ page, browser, server }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/delegate-settings`);
  const hours = page.getByLabel('Time to accept the place, in hours');
  await expect(hours).toHaveValue('24');
  await hours.fill('48');
  await expect(page.getByText(/^People who move up have 48 hours to accept, and at most half of the time left/)).toBeVisible();
  await look(page, 'delegate-settings-waiting-list');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(texts.successfullyUpdated)).toBeVisible();

  const session = await api<Register>(page, 'POST', '/training-sessions', {
    ...{ date: day, startTime: '09:30', endTime: '12:30', venue: 'Mill Lane', room: '', aim: '', maxDelegates: 1, grading_method: 'attendance' },
    ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: userOf('trainer') },
  });
  await api(page, 'POST', `/training-sessions/${session.id}/delegates`, { user_ids: [userOf('grace.adeyemi')] });
  const asked = { session_ids: [session.id], notes: '', waiting: true };
  const booking = await api<{ id: string }>(page, 'POST', '/bookings', { ...asked, user_ids: [userOf('learner')] });
  await api(page, 'POST', `/training-sessions/${session.id}/waiting`, { user_ids: [userOf('liam.murphy')] });

  await page.goto(`${server.url}/training-sessions/${session.id}`);
  const delegates = page.getByRole('list', { name: 'Delegates' });
  await page.getByRole('button', { name: 'Take off the list: Grace Adeyemi' }).click();
  await expect(delegates).toContainText('moved up, and is asked to accept by');
  await look(page, 'session-moved-up');
  await page.goto(`${server.url}/manage-bookings/${booking.id}`);
  await expect(page.getByText(/moved up, and is asked to accept by/)).toBeVisible();
  await look(page, 'booking-moved-up');

  const { page: phone } = await newDevice(browser);
  await signIn(phone, server, 'learner@willowbrook.test');
  await goTo(phone, 'Your bookings');
  const place = phone.getByRole('article', { name: /^Moving and assisting people/ }).filter({ hasText: 'Mill Lane' });
  await expect(place).toContainText('A place has become free for you. Can you come?');
  await expect(place).toContainText(/Accept by .* After that the place goes to the next person waiting\./);
  await look(phone, 'your-bookings-moved-up');
  await appIsKept(phone);
  await server.stop();
  await phone.reload();
  await expect(place).toContainText(/Accept by .* After that the place goes to the next person waiting\./);
  await expect(place.getByRole('button', { name: 'Accept', exact: true })).toBeDisabled();

  await server.start();
  await timeIsOver(server, session.id);
  await phone.reload();
  await expect(place).toContainText('No longer booked');
  await expect(place).toContainText(/Why you are no longer booked\s*Not accepted by /);
  await look(phone, 'your-bookings-lapsed');

  const { page: next } = await newDevice(browser);
  await signIn(next, server, 'liam.murphy@willowbrook.test');
  await goTo(next, 'Your bookings');
  const theirs = next.getByRole('article', { name: /^Moving and assisting people/ }).filter({ hasText: 'Mill Lane' });
  await theirs.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(theirs).toContainText('Accepted');

  await page.goto(`${server.url}/training-sessions/${session.id}`);
  await expect(delegates.getByRole('article', { name: 'Liam Murphy' })).toContainText('has accepted');
  await page.getByText('2 people no longer coming').click();
  await expect(page.getByText('Not accepted in time')).toBeVisible();
  await look(page, 'session-lapsed');
});
