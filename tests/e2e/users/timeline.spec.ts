import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import type { Result } from '#contract/entities/result.ts';
import { addDays, dayIn, dayWords } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

const amara = demoId('user:learner@willowbrook.test');
const today = dayIn(new Date(), 'Europe/London');
const nothing = { score: null, evidence_id: null, minutes: null, cpd_hours: null };

test('a training record is read as a timeline, narrowed, exported and printed; its courses are recorded again together @online', async ({
  page,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  // One that she has no result of yet.
  const had = await api<Result[]>(page, 'GET', `/users/${amara}/training-records`);
  const all = await api<{ id: string; title: string }[]>(page, 'GET', '/courses?per_page=100');
  const { id: course, title } = all.find((c) => !had.some((r) => r.course_id === c.id)) as { id: string; title: string };
  const add = (completed_on: string, expires_on: string | null) =>
    api<{ ids: string[] }>(page, 'POST', '/results', {
      ...{ id: randomUUID(), type: 'historical', user_ids: [amara], course_ids: [course], completed_on },
      ...{ expiry: expires_on ? 'day' : 'never', expires_on, note: 'Riverside College', ...nothing },
    });
  const [first, expired] = [addDays(today, -900), addDays(today, -535)];
  await add(first, expired);
  const { ids } = await add(addDays(today, -300), null);
  const [{ rev }] = (await api<Result[]>(page, 'GET', `/users/${amara}/training-records`)).filter((r) => r.id === ids[0]) as [Result];
  await api(page, 'PATCH', `/results/${ids[0]}`, {
    ...{ rev, completed_on: addDays(today, -301), expiry: 'never', expires_on: null, note: '', certificate_suppressed: false, ...nothing },
    reason: 'The day was misread',
  });

  await page.goto(`${server.url}/users/${amara}?tab=record`);
  await page.getByText('Timeline', { exact: true }).click();
  await expect(page).toHaveURL(/result_view=timeline/);
  await page.reload();
  const record = page.getByRole('region', { name: 'Training record', exact: true });
  const event = (day: string) =>
    record
      .getByRole('listitem')
      .filter({ has: page.locator('time', { hasText: dayWords(day) }) })
      .filter({ hasText: title });
  await expect(event(first)).toContainText('Completed');
  await expect(event(expired)).toContainText('Expired');
  await expect(event(addDays(today, -301))).toContainText('Renewed');
  await expect(event(today)).toContainText('by Priya Raman: The day was misread');
  await expect(record.getByRole('heading', { level: 3, name: today.slice(0, 4) })).toBeVisible();
  await look(page, 'record-timeline');
  await lookOnDesktop(page, 'record-timeline');
  await expectLargeTargets(page, 'record-timeline');
  await page.emulateMedia({ media: 'print' });
  await expect(record.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(event(first)).toBeVisible();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/record-timeline-print.png`, fullPage: true });
  await page.emulateMedia({ media: 'screen' });

  // Only one type of training, and what is seen as a file.
  await record.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Historical' }).click();
  await expect(record.getByRole('listitem').filter({ hasText: 'E-learning' })).toHaveCount(0);
  await expect(event(first)).toBeVisible();
  const download = page.waitForEvent('download');
  await record.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV file' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toContain('What happened');
  expect(file).toContain(`"${dayWords(expired)}","Expired","${title}","Historical"`);
  expect(file).not.toContain('E-learning');

  // The same person, several courses.
  await page.goto(`${server.url}/users/${amara}?tab=record&result_status=expired`);
  const boxes = record.getByRole('checkbox', { name: /^Select (?!all)/ });
  await expect(boxes.first()).toBeVisible();
  const many = await boxes.count();
  await record.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await page.getByRole('region', { name: 'What is selected' }).getByRole('button', { name: 'Record training' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Record training' })).toBeVisible();
  await expect(page.getByText('Amara Okafor')).toBeVisible();
  await page.getByLabel('Where it is from').fill('A day at Riverside College');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText(`Recorded ${many} result${many === 1 ? '' : 's'}.`)).toBeVisible();
});
