import readSheets from 'read-excel-file/node';
import type { Schedule } from '#contract/api/report-schedules.ts';
import { api, expect, goTo, signIn, test as base } from '#tests/support/browser-test.ts';
import { desktop, look, lookOnDesktop } from '#tests/support/look.ts';
import { attachmentsOf, startSmtpSink } from '#tests/support/smtp-sink.ts';

type Sink = Awaited<ReturnType<typeof startSmtpSink>>;
const test = base.extend<{ sink: Sink }>({
  // biome-ignore lint/correctness/noEmptyPattern: what a fixture without others is given
  sink: async ({}, use) => {
    const sink = await startSmtpSink();
    await use(sink);
    await sink.close();
  },
  settings: async ({ sink }, use) => {
    await use({ SMTP_URL: sink.url, MAIL_PER_MINUTE: '6000' });
  },
});

test('a view is saved, shared and the default, a colleague applies it, and a schedule sends it as a workbook @online', async ({
  page,
  server,
  sink,
  browser,
}) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/reports/care-certificate`);
  await page.getByText('Nothing recorded yet', { exact: true }).first().click();
  await expect(page).toHaveURL(/without=includeOutstanding/);
  await page.getByRole('button', { name: 'Save this view' }).click();
  const form = page.getByRole('form', { name: 'Save this view' });
  await form.getByLabel('Name').fill('Begun');
  await form.getByLabel('Share it').check();
  await form.getByLabel('Open this report with it').check();
  await lookOnDesktop(page, 'save-view');
  await form.getByRole('button', { name: 'Save view' }).click();
  await expect(page).toHaveURL(/preset=/);
  await expect(page.getByRole('combobox', { name: 'Saved view' })).toHaveValue('Begun');
  // The report opens with it; what is chosen otherwise can be saved in it.
  await page.goto(`${server.url}/reports/care-certificate`);
  await expect(page).toHaveURL(/without=includeOutstanding.*preset=|preset=.*without=includeOutstanding/);
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden();
  await page.getByText('Approved', { exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeVisible();
  // Somebody else saves another version meanwhile: both are compared, and what was chosen is saved only then.
  const id = new URL(page.url()).searchParams.get('preset');
  await api(page, 'PATCH', `/reports/presets/${id}`, { includeWorkingTowards: false });
  await page.getByText('Awaiting approval', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  const changes = page.getByRole('form', { name: 'Changes of Begun' });
  await expect(changes.getByText('Which version do you want to keep?')).toBeVisible();
  await expect(changes.getByText('Working towards')).toHaveCount(1);
  await look(page, 'saved-view-conflict');
  await page.setViewportSize(desktop);
  await changes.getByRole('button', { name: 'Save what I entered' }).click();
  await expect(changes).toBeHidden();
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden();
  // The same with its name: the other version is taken.
  await goTo(page, 'Saved views');
  await page.getByRole('button', { name: 'Rename Begun' }).click();
  const rename = page.getByRole('form', { name: 'Rename Begun' });
  await api(page, 'PATCH', `/reports/presets/${id}`, { name: 'Begun already', includeApproved: true, includeAwaitingApproval: true });
  await rename.getByLabel('Name').fill('Under way');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(rename.getByText('Begun already')).toBeVisible();
  await page.getByRole('button', { name: 'Load the other version' }).click();
  await expect(page.getByRole('form', { name: /^Rename/ }).getByLabel('Name')).toHaveValue('Begun already');
  await page
    .getByRole('form', { name: /^Rename/ })
    .getByLabel('Name')
    .fill('Begun');
  await page
    .getByRole('form', { name: /^Rename/ })
    .getByRole('button', { name: 'Save' })
    .click();
  await expect(page.getByRole('link', { name: 'Begun' })).toBeVisible();
  await look(page, 'saved-views');
  await lookOnDesktop(page, 'saved-views');

  // A manager of the house applies another from the list of those that are shared.
  await page.goto(`${server.url}/reports/staff?never_logged_in_only=true`);
  await page.getByRole('button', { name: 'Save this view' }).click();
  await form.getByLabel('Name').fill('Never signed in');
  await form.getByLabel('Share it').check();
  await form.getByRole('button', { name: 'Save view' }).click();
  await expect(page).toHaveURL(/preset=/);
  const colleague = await browser.newPage();
  await signIn(colleague, server, 'manager@willowbrook.test');
  await colleague.goto(`${server.url}/reports/presets`);
  await expect(colleague.getByText('Everybody, who have never signed in')).toBeVisible();
  await expect(colleague.getByRole('link', { name: 'Begun' })).toBeVisible();
  await colleague.getByRole('link', { name: 'Never signed in' }).click();
  await expect(colleague).toHaveURL(/never_logged_in_only=true/);
  await colleague.goto(`${server.url}/reports/staff?preset=00000000-0000-4000-8000-000000000000`);
  await expect(colleague.getByRole('alert')).toContainText('Failed to fetch report preset.');
  await colleague.goto(`${server.url}/manager-dashboard`);
  await expect(colleague.getByRole('list', { name: 'Saved views' }).getByRole('link', { name: 'Never signed in' })).toBeVisible();
  await colleague.close();

  await goTo(page, 'Report schedules');
  await look(page, 'schedules-none');
  await page.getByRole('button', { name: 'Add a schedule' }).first().click();
  const schedule = page.getByRole('form', { name: 'Schedule' });
  await schedule.getByLabel('Name').fill('Who has begun');
  await schedule.getByRole('combobox', { name: 'What it shows' }).click();
  await page.getByRole('option', { name: 'Begun' }).click();
  await schedule.getByRole('combobox', { name: 'File' }).click();
  await page.getByRole('option', { name: 'Excel workbook' }).click();
  await schedule.getByRole('button', { name: 'Save' }).click();
  await expect(schedule.getByText('Choose at least one recipient.').first()).toBeVisible();
  await schedule.getByRole('combobox', { name: 'People' }).fill('Helen');
  await page.getByRole('option', { name: /Helen Marsh/ }).click();
  await page.keyboard.press('Escape');
  await look(page, 'schedule-form');
  await page.setViewportSize(desktop);
  await schedule.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/every Monday at 07:00, to 1 person/)).toBeVisible();
  await page.getByRole('link', { name: 'Who has begun' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('Sent', { exact: false }).first()).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => sink.mails.map((m) => m.to), { timeout: 60_000 }).toEqual(['manager@willowbrook.test']);
  await look(page, 'schedule');
  await lookOnDesktop(page, 'schedule');
  // Somebody else has saved it meanwhile: what both entered is compared, and nothing is lost.
  const [theirs] = await api<Schedule[]>(page, 'GET', '/reports/schedules');
  if (!theirs) throw new Error('There is no schedule.');
  const { users, roles, filter, frequency, weekday, month_day, format, as_link, link_days, addresses, report_type } = theirs;
  await api(page, 'PATCH', `/reports/schedules/${theirs.id}`, {
    ...{ filter, frequency, weekday, month_day, format, as_link, link_days, addresses, report_type, name: 'Who has begun', send_at: '09:30' },
    ...{ user_ids: users.map((u) => u.id), role_ids: roles.map((r) => r.id) },
  });
  await schedule.getByLabel('Name').fill('Who is under way');
  await schedule.getByRole('button', { name: 'Save' }).click();
  await expect(schedule.getByText('Which version do you want to keep?')).toBeVisible();
  await expect(schedule.getByText(/^Name: Who has begun\. When: Every week on Monday at 09:30$/)).toBeVisible();
  await look(page, 'schedule-conflict');
  await page.setViewportSize(desktop);
  await schedule.getByRole('button', { name: 'Save what I entered' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Who is under way' })).toBeVisible();
  const [file] = attachmentsOf(sink.mails[0]?.text ?? '');
  const [sheet] = await readSheets(file?.bytes as Buffer);
  const names = sheet?.data.map((row) => row[0]);
  expect(names).toContain('Sophie Turner');
  expect(names).toHaveLength(5);
});
