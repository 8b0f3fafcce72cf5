import type { Page } from '@playwright/test';
import type { Register } from '#contract/entities/training-session.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const written = (day: string) => day.split('-').toReversed().join('/');
const choose = async (page: Page, field: string, words: string, option: RegExp) => {
  await page.getByRole('combobox', { name: field, exact: true }).fill(words);
  await page.getByRole('option', { name: option }).first().click();
};

test('somebody plans a virtual series graded by a score and moves one session, and a delegate says that they can come @online', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/training-sessions/create`);
  await choose(page, 'Training', 'moving', /Moving and assisting people/);
  await choose(page, 'Trainer', 'tomasz', /Tomasz Zielinski/);
  await page.getByRole('combobox', { name: 'Completed by' }).click();
  await page.getByRole('option', { name: 'A score of at least the pass mark' }).click();
  await page.getByLabel('Day', { exact: true }).fill(written(dayIn(-1)));
  await page.getByLabel('Repeat it on the same day of the week').check();
  await page.getByLabel('Virtual: people join it on a screen').check();
  await page.getByLabel('Joining link').fill('meet.example.org/hoists');
  await page.getByRole('combobox', { name: 'Venue' }).fill('Teams');
  await page.getByLabel('Minimum number of delegates').fill('4');
  await page.getByLabel('Maximum number of delegates').fill('2');
  await page.getByRole('button', { name: 'Plan the session' }).click();
  await expect(page.getByText('Enter an address that starts with https://.').first()).toBeVisible();
  await expect(page.getByText('This is more than the maximum.').first()).toBeVisible();
  await page.getByLabel('Joining link').fill('https://meet.example.org/hoists');
  await page.getByLabel('Maximum number of delegates').fill('12');
  await page.getByRole('button', { name: 'Plan the session' }).click();
  await expect(page.getByText('This day is past. Choose today or a later day.').first()).toBeVisible();
  await page.getByLabel('Day', { exact: true }).fill(written(dayIn(5)));
  await expect(page.getByRole('region', { name: 'Days of the series' }).getByRole('listitem')).toHaveCount(4);
  await look(page, 'session-plan');
  await lookOnDesktop(page, 'session-plan');
  await page.getByRole('button', { name: 'Plan the session' }).click();
  await expect(page.getByText('number 1 of a series of 4', { exact: false })).toBeVisible();
  await expect(page.getByText('At risk: 4 more needed').last()).toBeVisible();
  const id = page.url().split('/').at(-1) as string;
  await api(page, 'POST', `/training-sessions/${id}/delegates`, { user_ids: [demoId('user:learner@willowbrook.test')] });
  await api(page, 'PATCH', `/training-sessions/${id}`, { date: dayIn(7) });

  const { page: phone } = await newDevice(browser);
  await signIn(phone, server, 'learner@willowbrook.test');
  await goTo(phone, 'Your bookings');
  const booking = phone.getByRole('article', { name: /^Moving and assisting people/ }).filter({ hasText: 'On your screen, Teams' });
  await expect(booking).toContainText('You can join from 15 minutes before it begins.');
  await look(phone, 'your-bookings-moved');
  await page.reload();
  await expect(page.getByRole('list', { name: 'Delegates' })).toContainText('has not answered');
  await booking.getByRole('button', { name: 'I can come', exact: true }).click();
  await expect(phone.getByText('Thank you. You keep your place.')).toBeVisible();
  await expect(booking.getByText('This session has moved.', { exact: false })).toHaveCount(0);

  // The list, and those that follow cancelled together.
  await page.goto(`${server.url}/training-sessions`);
  await expect(page.getByRole('row', { name: /Teams/ }).first()).toContainText('1 of 12');
  await lookOnDesktop(page, 'sessions-at-risk');
  await page.goto(`${server.url}/training-sessions/${id}`);
  await page.getByRole('button', { name: 'Cancel it …' }).click();
  await page.getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('option', { name: 'Too few people are booked.' }).click();
  await page.getByLabel('Cancel all that follow in its series as well').check();
  await look(page, 'session-cancel');
  await page.getByRole('button', { name: 'Cancel the session' }).click();
  await expect(page.getByText(/Priya Raman cancelled this session.*Too few people are booked\./)).toBeVisible();
});

test('a trainer gives scores, and the office marks the session as incomplete @online', async ({ page, browser, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  // The trainer is free all day.
  await api(page, 'POST', `/training-sessions/${demoId('session:moving')}/cancellation`, { notes: 'Moved to another month.' });
  const session = await api<Register>(page, 'POST', '/training-sessions', {
    ...{
      date: new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(),
      startTime: '00:05',
      endTime: '23:50',
      venue: 'Mill Lane',
      room: '',
    },
    ...{ aim: '', maxDelegates: 4, grading_method: 'score', pass_mark: 70 },
    ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: demoId('user:trainer@willowbrook.test') },
  });
  const user_ids = ['grace.adeyemi', 'liam.murphy'].map((who) => demoId(`user:${who}@willowbrook.test`));
  await api(page, 'POST', `/training-sessions/${session.id}/delegates`, { user_ids });
  const { page: tablet } = await newDevice(browser);
  await signIn(tablet, server, 'trainer@willowbrook.test');
  await tablet.goto(`${server.url}/training-sessions/${session.id}`);
  await tablet.getByRole('button', { name: 'Everybody is here' }).click();
  const score = (name: string) => tablet.getByRole('textbox', { name: `Score of ${name}` });
  await score('Grace Adeyemi').fill('130');
  await score('Liam Murphy').fill('69');
  await expect(tablet.getByText('Enter 0 to 100.')).toBeVisible();
  await score('Grace Adeyemi').fill('85');
  await score('Grace Adeyemi').press('Enter');
  await expect(tablet.getByRole('article', { name: 'Grace Adeyemi' })).toContainText('Here, score 85');
  await expect(tablet.getByRole('article', { name: 'Liam Murphy' })).toContainText('Here, score 69');
  await expectLargeTargets(tablet, 'register-scores');
  await look(tablet, 'register-scores');
  await tablet.getByRole('img', { name: /^Your signature:/ }).click({ position: { x: 60, y: 60 } });
  await tablet.getByRole('button', { name: 'Finish the register' }).click();
  await expect(tablet.getByRole('article', { name: 'Grace Adeyemi' })).toContainText('In their record');
  await expect(tablet.getByRole('article', { name: 'Liam Murphy' })).toContainText('Not in their record by this session');

  await page.goto(`${server.url}/training-sessions/${session.id}`);
  await page.getByRole('button', { name: 'Mark as incomplete …' }).click();
  await page.getByRole('button', { name: 'Mark as incomplete', exact: true }).click();
  await expect(page.getByText('Enter a reason.').first()).toBeVisible();
  await page.getByLabel('Why it is incomplete').fill('Two people are missing on it.');
  await look(page, 'session-incomplete');
  await page.getByRole('button', { name: 'Mark as incomplete', exact: true }).click();
  await expect(page.getByText(/Marked as incomplete by Priya Raman.*Two people are missing on it\./)).toBeVisible();
});
