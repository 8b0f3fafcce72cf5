import { randomUUID } from 'node:crypto';
import type { Forecast, ForecastLine } from '#contract/entities/forecast.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { addDays, dayIn, dayWords } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

const today = dayIn(new Date(), 'Europe/London');
const counted = (n: number) => n.toLocaleString('en-GB');

test('a manager sees who turns red, opens the people behind the number, and finds a session with places @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  const [line] = await api<ForecastLine[]>(page, 'GET', '/forecast/people?days=60&group=red&per_page=1');
  const { course, user } = line as ForecastLine;
  const session = await api<Register>(page, 'POST', '/training-sessions', {
    ...{ course_id: course.id, trainer_id: demoId('user:trainer@willowbrook.test'), date: addDays(today, 30), startTime: '10:00', endTime: '12:00' },
    ...{ venue: 'Riverside Hall', room: '', aim: '', maxDelegates: 4, grading_method: 'attendance' },
  });
  await api(page, 'POST', `/training-sessions/${session.id}/delegates`, { user_ids: [user.id] });

  await goTo(page, 'Forecast');
  await expect(page.getByRole('heading', { level: 1, name: 'Forecast', exact: true })).toBeVisible();
  const { figures } = await api<Forecast>(page, 'GET', '/forecast');
  const [in30, in60] = figures as [Forecast['figures'][number], Forecast['figures'][number]];
  await expect(page.getByRole('link', { name: new RegExp(`^${counted(in60.red.lines)} turn red`) })).toHaveAttribute('aria-current', 'true');
  await page
    .getByRole('link', { name: new RegExp(`^${counted(in30.amber.lines)} turn amber`) })
    .first()
    .click();
  await expect(page).toHaveURL(/days=30&filter=amber/);
  await expect(page.getByRole('status').filter({ hasText: `${counted(in30.amber.lines)} ` })).toBeVisible();
  await look(page, 'forecast');
  await lookOnDesktop(page, 'forecast');
  await expectLargeTargets(page, 'forecast');

  // Of one course, with its sessions.
  await page.getByRole('combobox', { name: 'Course' }).fill(course.title);
  await page.getByRole('option', { name: course.title, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Forecast: ${course.title}` })).toBeVisible();
  const sessions = page.getByRole('list', { name: 'Sessions in the next 90 days' });
  await expect(sessions.getByRole('listitem').filter({ hasText: 'Riverside Hall' })).toContainText('3 places free');
  await page.getByText('60 days', { exact: true }).click();
  await page.getByText('Place booked', { exact: true }).first().click();
  await expect(page.getByRole('row', { name: new RegExp(user.name) })).toContainText(dayWords(addDays(today, 30)));
  await look(page, 'forecast-course');
  await lookOnDesktop(page, 'forecast-course');
  await page.reload();
  await expect(page.getByRole('row', { name: new RegExp(user.name) })).toBeVisible();

  // The selection is passed to the form that records it.
  await page.getByRole('checkbox', { name: `Select ${user.name}` }).check();
  await page.getByRole('region', { name: 'What is selected' }).getByRole('button', { name: 'Record training' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Record training' })).toBeVisible();
  await expect(page.getByText(course.title).first()).toBeVisible();

  // Who turns red and has no place is booked on a session with places, in one go.
  await page.goto(`${server.url}/forecast?course_id=${course.id}&days=60`);
  const red = await api<ForecastLine[]>(page, 'GET', `/forecast/people?course_id=${course.id}&days=60&group=red&per_page=100`);
  const left = red.filter((l) => l.booked === null).map((l) => l.user.name);
  expect(left).not.toContain(user.name);
  await sessions
    .getByRole('listitem')
    .filter({ hasText: 'Riverside Hall' })
    .getByRole('button', { name: /^Book people on .*: who turns red within 60 days$/ })
    .click();
  if (left.length === 0) await expect(page.getByText(/^Nobody is left to book/)).toBeVisible();
  else {
    await expect(page.getByRole('heading', { level: 1, name: 'Book places' })).toBeVisible();
    for (const name of left.slice(0, 3)) await expect(page.getByText(name).first()).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Riverside Hall' }).getByRole('checkbox')).toBeChecked();
  }

  await page.goto(`${server.url}/users/${user.id}`);
  const coming = page.getByRole('region', { name: 'Coming up' });
  await coming.getByText(/in the next 60 days\./).click();
  await expect(coming.getByRole('listitem').filter({ hasText: course.title })).toContainText(`place booked on ${dayWords(addDays(today, 30))}`);
  await look(page, 'forecast-person');
  await lookOnDesktop(page, 'forecast-person');
});

test('the house, the job role and the courses lead to the forecast, which says when it cannot be had @online', async ({ page, server, context }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook-house`);
  const house = page.getByRole('region', { name: 'Forecast' });
  await expect(house.getByRole('heading', { name: 'In 90 days' })).toBeVisible();
  await house
    .getByRole('link', { name: /turns? red/ })
    .last()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^Forecast: Willowbrook House/ })).toBeVisible();
  await page.goto(`${server.url}/entities/willowbrook/role/${demoId('role:group:care')}/courses`);
  await expect(page.getByRole('region', { name: 'Forecast' }).getByRole('heading', { name: 'In 30 days' })).toBeVisible();
  await page.goto(`${server.url}/entities/willowbrook/courses?search=fire`);
  await page.getByRole('link', { name: 'Forecast of Fire safety', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Forecast: Fire safety, Willowbrook Care Group' })).toBeVisible();

  // The thing may not exist, and the connection may be lost.
  await page.goto(`${server.url}/forecast?course_id=${randomUUID()}`);
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.goto(`${server.url}/forecast?search=nobody-at-all`);
  await expect(page.getByRole('heading', { name: 'Nothing found for “nobody-at-all”' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('searchbox', { name: 'Find an entry' }).fill('amara');
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await look(page, 'forecast-offline');
  await context.setOffline(false);
});

test('a learner sees what is coming up for them, and no forecast of others @reading', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await page.goto(`${server.url}/users/${demoId('user:learner@willowbrook.test')}`);
  const coming = page.getByRole('region', { name: 'Coming up' });
  await coming.getByText(/in the next 60 days\./).click();
  await expect(coming.getByRole('listitem').first()).toBeVisible();
  await page.goto(`${server.url}/forecast`);
  await expect(page).toHaveURL(/\/403/);
});
