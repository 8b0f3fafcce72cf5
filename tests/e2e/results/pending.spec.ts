import { demoId } from '#server/db/demo/authoring.ts';
import { appIsKept, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

const personPage = (who: string) => `/users/${demoId(`user:${who}@willowbrook.test`)}?tab=record`;

test('an administrator decides on what was submitted, and follows a result through its history @online', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  // Closed, the group says what waits in it; open, the place itself.
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('button', { name: /^Training records 3 to decide/ })).toBeVisible();
  await goTo(page, 'Pending results');
  await expect(nav.getByRole('link', { name: /^Pending results 3 to decide$/ })).toBeVisible();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  // Those that have waited longest come first.
  await expect(page.getByRole('rowheader')).toHaveText([/Thandiwe/, /Sophie/, /Rhys/]);
  await expect(row('Sophie')).toContainText('Taken with my second employer.');
  await lookOnDesktop(page, 'results-pending');
  await look(page, 'results-pending');
  await expectLargeTargets(page, 'results-pending');
  await page.setViewportSize(desktop);
  await page.getByText('Assessment', { exact: true }).first().click();
  await expect(page).toHaveURL(/\/results\/pending\/assessment$/);
  await expect(row('Rhys')).toBeVisible();
  await expect(row('Sophie')).toHaveCount(0);
  await page.getByText('Face to face', { exact: true }).click();
  await expect(page.getByText('Nothing of type “Face to face” waits for a decision')).toBeVisible();
  await page.getByText('All', { exact: true }).click();

  const bar = page.getByRole('region', { name: 'What is selected' });
  for (const name of ['Thandiwe Moyo', 'Sophie Turner']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await bar.getByRole('button', { name: 'Approve' }).click();
  await bar.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('2 results approved.')).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveText([/Rhys/]);
  await page.getByRole('checkbox', { name: 'Select Rhys Evans' }).check();
  await bar.getByRole('button', { name: 'Reject' }).click();
  await bar.getByRole('button', { name: 'Reject' }).click();
  await expect(bar.getByText('Enter the reason.')).toBeVisible();
  await look(page, 'results-reject');
  await bar.getByLabel('Reason').fill('The certificate is not readable');
  await bar.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('1 result rejected.')).toBeVisible();
  await expect(page.getByText('Nothing waits for a decision')).toBeVisible();
  await expect(nav.locator('a', { hasText: 'Pending results' })).toHaveText('Pending results');
  await look(page, 'results-pending-none');

  await page.goto(server.url + personPage('rhys.evans'));
  const record = page.getByRole('region', { name: 'Training record' });
  await expect(record.getByRole('row', { name: /Food hygiene.*Assessment/ })).toContainText('The certificate is not readable');
  await page.goto(server.url + personPage('sophie.turner'));
  await record.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Historical' }).click();
  await expect(page).toHaveURL(/tab=record&result_type=historical/);
  await record
    .getByRole('row', { name: /Basic life support.*Historical/ })
    .getByRole('link')
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Basic life support' })).toBeVisible();
  const history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
  await expect(history).toHaveText([/^Approved.*Priya Raman/, /^Submitted.*Sophie Turner/]);
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText(/CertificateNumber [0-9A-Z]{4}-/);
  await look(page, 'result');
  await lookOnDesktop(page, 'result');
  await expectLargeTargets(page, 'result');

  const ask = (what: string) => page.getByRole('button', { name: `${what} …` }).click();
  const dialog = page.getByRole('dialog');
  await ask('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('Enter the reason.').first()).toBeVisible();
  await look(page, 'result-delete');
  await dialog.getByLabel('Reason').fill('Entered for the wrong person');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(history.first()).toContainText('Reason: Entered for the wrong person');
  await expect(page.getByText(/^Deleted on .* by Priya Raman: Entered for the wrong person$/)).toBeVisible();
  // It is on the record only where it is asked for.
  await page.goto(server.url + personPage('sophie.turner'));
  await expect(record.getByRole('row', { name: /Basic life support.*Historical/ })).toHaveCount(0);
  await record.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Deleted' }).click();
  await record
    .getByRole('row', { name: /Basic life support.*Deleted/ })
    .getByRole('link')
    .click();
  await ask('Restore');
  await dialog.getByLabel('Reason').fill('It was the right person');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(history).toHaveText([/^Restored/, /^Deleted/, /^Approved/, /^Submitted/]);
  await expect(page.getByRole('button', { name: 'Restore …' })).toHaveCount(0);
});

test('a learner sees their own record while the server is stopped, with what was rejected and why', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'blessing.chukwu@willowbrook.test');
  await page.goto(server.url + personPage('blessing.chukwu'));
  const record = page.getByRole('region', { name: 'Training record' });
  const rejected = record.getByRole('row', { name: /Mental capacity and DoLS.*Historical/ });
  await expect(rejected).toContainText('The certificate has run out.');
  await expect(page.getByRole('link', { name: 'Add a result' })).toHaveCount(0);
  await rejected.getByRole('link', { name: 'Mental capacity and DoLS', exact: true }).click();
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Reason: The certificate has run out.');
  await expect(page.getByRole('button', { name: /Delete|Correct|Approve/ })).toHaveCount(0);
  await page.goBack();
  await appIsKept(page);
  await server.stop();
  await page.reload();
  await expect(page.getByText(/^No connection\. Last updated on/)).toBeVisible();
  await expect(rejected).toContainText('The certificate has run out.');
  await look(page, 'record-kept');
  await page.emulateMedia({ media: 'print' });
  await expect(rejected).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Type' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
});
