import type { Register } from '#contract/entities/training-session.ts';
import { addDays, dayWords } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { mondayOf } from '#src/features/bookings/calendar-days.ts';
import { api, expect, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, look, lookOnDesktop } from '#tests/support/look.ts';

test('the office drags a session to another day, or chooses it, and nothing is moved until it is saved @online', async ({ page, server }) => {
  const monday = mondayOf(addDays(new Date().toISOString().slice(0, 10), 28));
  const [tuesday, thursday, friday] = [1, 3, 4].map((days) => addDays(monday, days)) as [string, string, string];
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  const session = await api<Register>(page, 'POST', '/training-sessions', {
    ...{ date: tuesday, startTime: '07:10', endTime: '08:20', venue: 'Mill Lane', room: '', aim: '', maxDelegates: 5, grading_method: 'attendance' },
    ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: demoId('user:trainer@willowbrook.test') },
  });
  await api(page, 'POST', `/training-sessions/${session.id}/delegates`, { user_ids: [demoId('user:learner@willowbrook.test')] });
  const day = async () => (await api<Register>(page, 'GET', `/training-sessions/${session.id}`)).date;

  await page.goto(`${server.url}/manage-bookings/calendar?view=week&day=${tuesday}`);
  const grip = page.getByRole('button', { name: /^Move to another day …: Moving and assisting people, .* 07:10$/ });
  await expect(grip).toBeVisible();
  await look(page, 'calendar-week');
  await page.setViewportSize(desktop);
  await lookOnDesktop(page, 'calendar-week');
  const from = await grip.boundingBox();
  const to = await page.locator('td').nth(3).boundingBox();
  if (!from || !to) throw new Error('there is nothing to drag');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await expect(page.locator(`[data-session="${session.id}"][data-draggable]`)).toBeVisible();
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 10, { steps: 5 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 15 });
  await expect(page.locator('td[data-over]')).toHaveCount(1);
  await page.mouse.up();
  await expect(page.getByRole('heading', { level: 1, name: 'Change the session' })).toBeVisible();
  await expect(page.getByLabel('Day', { exact: true })).toHaveValue(dayWords(thursday));
  await expect(page.getByText(/nothing is changed until you save it/)).toBeVisible();
  await look(page, 'move-form');
  expect(await day()).toBe(tuesday);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(await day()).toBe(thursday);

  // The same without a mouse.
  await page.setViewportSize(desktop);
  await page.goto(`${server.url}/manage-bookings/calendar?view=month&day=${tuesday}`);
  await grip.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Move to another day' });
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Move to' }).fill(dayWords(friday));
  await lookOnDesktop(page, 'move-dialog');
  // Pressed with the mouse it asks as well, once it can be dragged by it too.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await grip.hover();
  await expect(page.locator(`[data-session="${session.id}"][data-draggable]`)).toBeVisible();
  await grip.click();
  await dialog.getByRole('textbox', { name: 'Move to' }).fill(dayWords(friday));
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Day', { exact: true })).toHaveValue(dayWords(friday));
  expect(await day()).toBe(thursday);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  const moved = await api<Register>(page, 'GET', `/training-sessions/${session.id}`);
  expect([moved.date, moved.delegates[0]?.move]).toEqual([friday, 'asked']);
});
