import type { Register } from '#contract/entities/training-session.ts';
import { addDays } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { api, expect, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

const userOf = (who: string) => demoId(`user:${who}@willowbrook.test`);

test('what speaks against booking somebody is said before they are booked @online', async ({ page, server }) => {
  const day = addDays(new Date().toISOString().slice(0, 10), 33);
  await signIn(page, server, 'admin@willowbrook.test');
  const planned = (startTime: string, endTime: string) =>
    api<Register>(page, 'POST', '/training-sessions', {
      ...{ date: day, startTime, endTime, venue: 'Mill Lane', room: '', aim: '', maxDelegates: 5, grading_method: 'attendance' },
      ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: userOf('trainer') },
    });
  const [morning, afternoon] = [await planned('07:10', '08:20'), await planned('15:10', '16:20')];
  await api(page, 'POST', `/training-sessions/${morning.id}/delegates`, { user_ids: [userOf('learner')] });
  const { db, close } = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: server.databaseUrl });
  await db.run(
    sql`update users set leave_from = ${addDays(day, -2)}::date, leave_until = ${addDays(day, 5)}::date where id = ${userOf('grace.adeyemi')}`,
  );
  await close();

  const people = ['learner', 'grace.adeyemi'].map(userOf).join(',');
  await page.goto(`${server.url}/manage-bookings/create?people=${people}&course=${morning.course.id}&session=${afternoon.id}`);
  const warnings = page.getByRole('list', { name: 'To consider' });
  await expect(warnings.getByRole('listitem')).toHaveCount(2);
  await expect(warnings.getByRole('listitem').filter({ hasText: 'Grace Adeyemi' })).toContainText(/leave/i);
  await expect(warnings.getByRole('listitem').filter({ hasNotText: 'Grace Adeyemi' })).toContainText(
    /On “Moving and assisting people” on .*, 07:10 to 08:20\./,
  );
  await warnings.scrollIntoViewIfNeeded();
  await look(page, 'booking-warnings');
  await lookOnDesktop(page, 'booking-warnings');
});
