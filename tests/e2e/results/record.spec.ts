import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Result } from '#contract/entities/result.ts';
import { addDays, dayIn, dayWords } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

const amara = demoId('user:learner@willowbrook.test');
const course = demoId('course:Oral health');
const today = dayIn(new Date(), 'Europe/London');
const [lastWeek, yesterday] = [addDays(today, -7), addDays(today, -1)];
const nothing = { score: null, evidence_id: null, minutes: null, cpd_hours: null };
const choose = async (page: Page, name: string, typed: string, option: string | RegExp) => {
  await page.getByRole('combobox', { name }).fill(typed);
  await page.getByRole('option', { name: option }).click();
};
const recordOf = async (page: Page): Promise<Result> => {
  const records = await api<Result[]>(page, 'GET', `/users/${amara}/training-records`);
  return records.find((r) => r.course_id === course && r.type === 'historical') as Result;
};

test('a manager records training for the people they select, and corrects it while somebody else does @online', async ({ page, server, browser }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  const { page: other } = await newDevice(browser);
  await signIn(other, server, 'admin@willowbrook.test');
  const liam = demoId('user:liam.murphy@willowbrook.test');
  await api(other, 'POST', '/results', {
    ...{ id: randomUUID(), type: 'historical', user_ids: [liam], course_ids: [course], completed_on: lastWeek },
    ...{ expiry: 'never', expires_on: null, note: 'Earlier', ...nothing },
  });

  await page.goto(`${server.url}/users?search=m`);
  await page.getByRole('checkbox', { name: 'Select Liam Murphy' }).check();
  await page.getByRole('checkbox', { name: 'Select Amara Okafor' }).check();
  await page.getByRole('region', { name: 'What is selected' }).getByRole('button', { name: 'Record training' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Record training' })).toBeVisible();
  await expect(page.getByText('Amara Okafor')).toBeVisible();
  await expect(page.getByText('Liam Murphy')).toBeVisible();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('Choose at least one course.').first()).toBeVisible();
  await choose(page, 'Courses', 'oral', 'Oral health');
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByLabel('Completed on', { exact: true }).fill(dayWords(lastWeek));
  await page.getByText('Until a day', { exact: true }).click();
  await page.getByLabel('Valid until', { exact: true }).fill(dayWords(lastWeek));
  await page.getByLabel('Where it is from').fill('Riverside College');
  await page.getByLabel('Score, in per cent').fill('80');
  await page.getByLabel('CPD hours').fill('1.5');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'certificate.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF') });
  await expect(page.getByText('certificate.pdf')).toBeVisible();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('This has to be later than the date of completion.').first()).toBeVisible();
  await page.getByLabel('Valid until', { exact: true }).fill(dayWords(addDays(lastWeek, 400)));
  await look(page, 'result-create');
  await lookOnDesktop(page, 'result-create');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('Recorded 1 result. 1 other could not be recorded.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Liam Murphy, Oral health' })).toContainText('recorded for them on that day already');
  await look(page, 'result-outcome');

  // Input that failed to save stays in the form.
  await page.goto(`${server.url}/results/historical/create?people=${amara}&courses=${course}`);
  await page.getByLabel('Completed on', { exact: true }).fill(dayWords(lastWeek));
  await page.getByLabel('Where it is from').fill('Once more');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText(/Nothing was recorded\. Amara Okafor, Oral health: /)).toBeVisible();
  await expect(page.getByLabel('Where it is from')).toHaveValue('Once more');

  const first = await recordOf(page);
  expect(first).toMatchObject({ evidence: 'certificate.pdf', score: 80, cpd_hours: 1.5, note: 'Riverside College', expiry: 'day' });
  const correct = (score: number, rev: number) =>
    api(other, 'PATCH', `/results/${first.id}`, {
      ...{ rev, completed_on: lastWeek, expiry: 'never', expires_on: null, note: 'Riverside College', certificate_suppressed: false },
      ...{ ...nothing, score, cpd_hours: 1.5, reason: 'Read from the certificate' },
    });
  await page.goto(`${server.url}/results/historical/update/${first.id}`);
  await expect(page.getByText('Amara Okafor · Oral health · Historical')).toBeVisible();
  await page.getByLabel('Completed on', { exact: true }).fill(dayWords(yesterday));
  await page.getByRole('button', { name: 'Save the correction' }).click();
  await expect(page.getByText('Enter the reason.').first()).toBeVisible();
  await page.getByLabel('Reason for the correction').fill('The day was wrong');
  await expect(page.getByLabel('Withhold the certificate'), 'only for who may').toHaveCount(0);
  await correct(85, first.rev);
  await page.getByRole('button', { name: 'Save the correction' }).click();
  const choice = page.getByRole('group', { name: 'Which holds?' });
  await expect(choice).toContainText(`Completed: ${dayWords(yesterday)}`);
  await expect(choice).toContainText('Priya Raman saved');
  await expect(choice).toContainText('Score: 85%');
  await expect(choice).toContainText('Their reason: Read from the certificate');
  await look(page, 'result-conflict');
  await lookOnDesktop(page, 'result-conflict');
  await choice.getByRole('button', { name: 'Take what Priya Raman saved' }).click();
  await expect(page.getByLabel('Score, in per cent')).toHaveValue('85');
  await expect(page.getByLabel('Completed on', { exact: true })).toHaveValue(dayWords(lastWeek));
  // And the other way round.
  await page.getByLabel('Score, in per cent').fill('90');
  await page.getByLabel('Reason for the correction').fill('The score was wrong');
  await correct(70, first.rev + 1);
  await page.getByRole('button', { name: 'Save the correction' }).click();
  await page.getByRole('button', { name: 'Save what I entered' }).click();
  await expect(page.getByText('The correction is saved.')).toBeVisible();
  expect(await recordOf(page)).toMatchObject({ score: 90, change_reason: 'The score was wrong', evidence: 'certificate.pdf' });
});

test('a manager adds an exemption with an end, and finds it among the others @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await page.goto(`${server.url}/results/exempt`);
  await expect(page.getByRole('row', { name: /Grace Adeyemi/ })).toContainText('Returning from maternity leave');
  await look(page, 'exemptions');
  await lookOnDesktop(page, 'exemptions');
  await page.getByRole('link', { name: 'Add an exemption' }).click();
  await choose(page, 'People', 'amara', /Amara Okafor/);
  await choose(page, 'Courses', 'food hyg', 'Food hygiene');
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByText('Until a day', { exact: true }).click();
  await page.getByLabel('Exempt until', { exact: true }).fill(dayWords(addDays(today, 30)));
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('Enter the reason for the exemption.').first()).toBeVisible();
  await page.getByLabel('Reason', { exact: true }).fill('Does not prepare food this month.');
  await look(page, 'exemption-create');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByText('Recorded 1 exemption.')).toBeVisible();
  await page.getByRole('link', { name: 'All exemptions' }).click();
  await page.getByLabel('Find an exemption').fill('amara');
  const added = page.getByRole('row', { name: /Amara Okafor/ });
  await expect(added).toContainText('Does not prepare food this month.');
  await expect(added).toContainText(dayWords(addDays(today, 30)));
  await page.getByRole('link', { name: 'Amara Okafor' }).click();
  await expect(page, 'a row that is opened before the search has come').toHaveURL(/\/results\/[^/?]+$/);
  await page.getByRole('link', { name: 'Correct', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Correct an exemption' })).toBeVisible();
  await page.getByText('No end', { exact: true }).click();
  await page.getByLabel('Reason for the correction').fill('Moved to the laundry');
  await page.getByRole('button', { name: 'Save the correction' }).click();
  // The history says it with its name; the text alone stands in the field before it is saved.
  await expect(page.getByText('Reason: Moved to the laundry', { exact: true })).toBeVisible();
  await page.goto(`${server.url}/results/exempt?search=amara`);
  await expect(added).toContainText('No end');
});
