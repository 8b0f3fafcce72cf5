import { expect, openPerson, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator says what a job role has to do and for how long, and a person’s page says why they stand as they do @online', async ({
  page,
  server,
}) => {
  // Every screen is looked at in four ways; the largest of them holds several hundred boxes.
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/roles/`);
  await page.getByRole('link', { name: 'Courses of Care assistant' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care assistant' })).toBeVisible();
  const count = page.getByText(/^Required: \d+ courses of/);
  await expect(count).toBeVisible();
  const before = Number(/Required: (\d+)/.exec((await count.textContent()) ?? '')?.[1]);
  await look(page, 'role-courses');

  await page.getByLabel('Find a course').fill('fire');
  const choice = page.getByRole('radiogroup', { name: 'Fire safety: whether it is required' });
  await choice.getByText('No', { exact: true }).click();
  await expect(page.getByText('Compliance has been updated.')).toBeVisible();
  await expect(count).toHaveText(new RegExp(`^Required: ${before - 1} courses`));
  await choice.getByText('Mandatory', { exact: true }).click();
  await expect(count).toHaveText(new RegExp(`^Required: ${before} courses`));

  await page.getByRole('link', { name: 'Rule for Fire safety' }).click();
  await page.getByLabel('Valid for, in months').fill('999');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter no more than 240 months.', { exact: true })).toBeVisible();
  await page.getByLabel('Valid for, in months').fill('36');
  await page.getByLabel('Time for new starters, in days').fill('28');
  await page.getByLabel('Required from', { exact: true }).fill('01/01/2020');
  // What it would do to people is said before it is done.
  await expect(page.getByRole('status').filter({ hasText: /changes? colour|If you save this/ })).toBeVisible();
  await page.getByRole('combobox', { name: 'Renewed' }).click();
  await page.getByRole('option', { name: 'by the same day each year' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Choose the day of the year.', { exact: true })).toBeVisible();
  await page.getByLabel('Valid until this day, the same for everyone: day').fill('31');
  await page.getByRole('combobox', { name: 'Valid until this day, the same for everyone: month' }).click();
  await page.getByRole('option', { name: 'March' }).click();
  await look(page, 'compliance-rule');
  await page.getByRole('button', { name: 'Save' }).click();
  // There are results dated by the old rule: the user is asked whether they change.
  await expect(page.getByRole('dialog', { name: 'Existing results' })).toBeVisible();
  await look(page, 'compliance-dialog');
  await page.getByRole('button', { name: 'Recalculate their dates' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care assistant' })).toBeVisible();
  await page.getByLabel('Find a course').fill('fire');
  await expect(
    page.getByText('Lasts 36 months (by 31 March, the same for everyone), warns 60 days before; new starters have 28 days; required from 01/01/2020'),
  ).toBeVisible();

  await page.goto(`${server.url}/users`);
  await openPerson(page, 'Amara Okafor');
  const must = page.getByRole('region', { name: 'Required training' });
  await expect(must.getByRole('listitem').first()).toContainText(/(Expired|Missing)$/);
  await expect(must.getByRole('listitem').first()).toContainText(/It must be completed again\.|It was due on/);
  await look(page, 'person-must-do');
});

test('an administrator says what counts as well and which two parts are needed, sees what it does, and dates a rule @online', async ({
  page,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/courses?search=Basic`);
  await page.getByRole('link', { name: 'Rules of Basic life support' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Basic life support' })).toBeVisible();
  // Another organisation owns the course: its validity is changed there.
  await expect(page.getByText(/Only .+, which owns the course, can change this\./)).toBeVisible();
  await page.getByRole('combobox', { name: 'Courses that count as well' }).click();
  await page.getByRole('option', { name: 'Emergency first aid at work' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Both parts are needed').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Choose the theory part.', { exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: 'Theory part' }).click();
  await page.getByRole('option', { name: 'Fire safety' }).click();
  await page.getByRole('combobox', { name: 'Practical part' }).click();
  await page.getByRole('option', { name: 'Basic life support' }).click();
  await expect(page.getByRole('status').filter({ hasText: /changes? colour|If you save this|No job role/ })).toBeVisible();
  await look(page, 'course-rules');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Compliance has been updated.')).toBeVisible();
  await page.getByRole('link', { name: 'Rules of Basic life support' }).click();
  await expect(page.getByRole('combobox', { name: 'Practical part' })).toHaveValue('Basic life support');
  await expect(page.getByRole('checkbox', { name: 'Both parts are needed' })).toBeChecked();
});

test('every status answers Why?: the rule, the result, the dates, and what puts it right @reading', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users?search=Amara`);
  // In the list of people: which courses the number counts, and why each of them.
  await page.getByRole('button', { name: 'Why? Amara Okafor' }).click();
  const answer = page.getByRole('dialog');
  const counted = answer.getByRole('list', { name: 'Courses to do' });
  await expect(counted.getByRole('listitem').first()).toBeVisible();
  await look(page, 'why-person');
  await counted
    .getByRole('button', { name: /^Why\?/ })
    .first()
    .click();
  await expect(answer.getByText('Required by')).toBeVisible();
  await answer.getByRole('button', { name: 'Back to Amara Okafor' }).click();
  await answer.getByRole('link', { name: 'Open Amara Okafor' }).click();
  await expect(answer).toBeHidden();
  const must = page.getByRole('region', { name: 'Required training' });
  // Several courses of the same person at once.
  for (const course of ['Fire safety', 'Safeguarding adults']) await must.getByRole('checkbox', { name: `Select ${course}` }).check();
  await look(page, 'required-selected');
  await must.getByRole('button', { name: 'Record training' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Record training' })).toBeVisible();
  for (const chosen of ['Amara Okafor', 'Fire safety', 'Safeguarding adults']) await expect(page.getByText(chosen, { exact: true })).toBeVisible();
  await page.goBack();
  const reason = await must.getByRole('listitem').first().locator('small').textContent();
  await must
    .getByRole('button', { name: /^Why\?/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Required by')).toBeVisible();
  await expect(dialog.getByText(/the job role “Care assistant” of Willowbrook/)).toBeVisible();
  // The dialog says the same as the list.
  expect(reason).toContain((await dialog.locator('p').first().textContent()) ?? 'nothing');
  await expect(dialog.getByRole('region', { name: 'What puts it right' }).getByRole('link', { name: /^Record / })).toBeVisible();
  await look(page, 'why');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(must.getByRole('button', { name: /^Why\?/ }).first()).toBeFocused();
  // The counting result has an explanation; an earlier one has none.
  await page.getByRole('tab', { name: 'Training record' }).click();
  const record = page.getByRole('region', { name: 'Training record' });
  await record
    .getByRole('row', { name: /Fire safety/ })
    .filter({ hasText: /Counts|Out of date/ })
    .getByRole('button', { name: 'Why? Fire safety' })
    .click();
  await expect(dialog.getByText('Required by')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(record.getByRole('row', { name: /Earlier result/ }).getByRole('button', { name: /^Why\?/ })).toHaveCount(0);
});

test('a learner asks Why? at home, also without a connection @online', async ({ page, server, context }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  const why = page.getByRole('button', { name: /^Why\?/ }).first();
  await why.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Required by')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'What puts it right' })).toBeVisible();
  // The list behind the dialog is reloaded without the course: the dialog stays.
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replaceAll(/"activeEvents":\{"data":\[.*?\],/g, '"activeEvents":{"data":[],') });
  });
  const again = page.waitForResponse('**/graphql');
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await again;
  await expect(page.getByRole('button', { name: 'Do next 0', includeHidden: true })).toBeAttached();
  await expect(dialog.getByText('Required by')).toBeVisible();
  await page.unroute('**/graphql');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(why).toBeVisible();
  await context.setOffline(true);
  await page
    .getByRole('button', { name: /^Why\?/ })
    .last()
    .click();
  await expect(dialog.getByText('The rule and what puts it right need a connection.')).toBeVisible();
  await expect(dialog.locator('p').first()).toHaveText(/due on|expired|Completed|completed/);
});
