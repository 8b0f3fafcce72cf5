import { chip, expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('a trainer observes somebody without a signal: nothing typed is lost, it arrives once, and a correction keeps what was said first', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(240_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  await page.getByRole('link', { name: 'Care Certificate' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care Certificate' })).toBeVisible();
  await page.getByRole('button', { name: 'Put somebody on it' }).click();
  await page.getByRole('combobox', { name: 'Who' }).fill('Jade');
  await page.getByRole('option', { name: 'Jade Robinson' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Jade Robinson' })).toBeVisible();
  await expect(page.getByText('Nothing recorded yet')).toBeVisible();
  const address = page.url();
  await page.getByText('8 Fluids and nutrition').click();
  await expect(page.getByText('8.2a Keeps drinks within reach, and fresh')).toBeVisible();
  await look(page, 'certificate');
  await page.getByRole('link', { name: 'Record an observation' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Observe Jade Robinson' })).toBeVisible();
  await expect(chip(page)).toContainText('All sent');

  await server.stop();
  await page.getByRole('button', { name: /^Offering drinks/ }).click();
  const criteria = page.getByRole('list', { name: 'Criteria' });
  const say = (code: string, word: string) =>
    criteria
      .getByRole('radiogroup', { name: new RegExp(`^${code} `) })
      .getByText(word, { exact: true })
      .click();
  await say('8.2a', 'Met');
  await say('8.2d', 'Not yet');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Write what you saw or heard.')).toBeVisible();
  await expect(page.getByText('Say what is to be done.')).toBeVisible();
  await page.getByLabel('What is to be done about 8.2d').fill('Fill in the chart at once');
  await page.getByLabel('What you saw or heard').fill('Offered water and juice, and put the glass where it could be reached.');
  await page.getByRole('textbox', { name: 'Where' }).fill('Lounge');
  await look(page, 'observe');
  // The tablet is put down, and somebody presses reload.
  await page.reload();
  await expect(page.getByLabel('What you saw or heard')).toHaveValue(/Offered water and juice/);
  await expect(page.getByLabel('What is to be done about 8.2d')).toHaveValue('Fill in the chart at once');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign the record of Jade Robinson' })).toBeVisible();
  await page.getByRole('link', { name: 'To the certificate' }).click();
  const record = page.getByRole('article', { name: /^Observed/ });
  await expect(record).toContainText('Saved on this tablet');
  await expect(page.getByText(/^1 of \d+ criteria$/)).toBeVisible();
  await expect(chip(page)).toContainText(/saved on this tablet/);
  await page.goto(`${server.url}/care-certificate`);
  await expect(page.getByText('These certificates are on this tablet')).toBeVisible();
  await look(page, 'certificates-kept');
  await page.getByRole('link', { name: /Jade Robinson/ }).click();

  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText('All sent');
  await expect(record).toContainText('Received');

  // Put right: what was said first stays to be read.
  await page.getByRole('link', { name: 'Correct' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Correct a record of Jade Robinson' })).toBeVisible();
  await say('8.2d', 'Met');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Say why it is corrected.')).toBeVisible();
  await page.getByLabel('Why is it corrected?').fill('The chart had been filled in; I saw it later');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'To the certificate' }).click();
  await expect(page.getByText(/^2 of \d+ criteria$/)).toBeVisible();
  await expect(record).toContainText('The chart had been filled in');
  await record.getByText('As it was recorded first').click();
  await expect(record).toContainText('8.2d: Not yet');
  await look(page, 'certificate-entries');
  await expect(chip(page)).toContainText('All sent');

  // Her own tablet shows the same, and lets her change nothing.
  const own = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signIn(own, server, 'jade.robinson@willowbrook.test');
  await own.goto(address);
  await expect(own.getByText(/^2 of \d+ criteria$/)).toBeVisible();
  await expect(own.getByRole('link', { name: 'Record an observation' })).toHaveCount(0);
  await expect(own.getByRole('button', { name: /Withdraw/ })).toHaveCount(0);

  await record.getByRole('button', { name: /^Withdraw …/ }).click();
  await page.getByLabel('Why is it withdrawn?').fill('It was somebody else');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText(/^0 of \d+ criteria$/)).toBeVisible();
  await expect(chip(page)).toContainText('All sent');
});

test('a manager sees who is how far, sends one back with a reason, and approves it', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await page.getByRole('link', { name: 'Care Certificate' }).click();
  await expect(page.getByRole('link', { name: /Sophie Turner.*Approved/s })).toBeVisible();
  await look(page, 'certificates');
  await page.getByText('In progress', { exact: true }).click();
  await expect(page.getByRole('link', { name: /Sophie Turner/ })).toHaveCount(0);
  await page.getByRole('link', { name: /Rhys Evans.*Waits for approval/s }).click();
  const approval = page.getByRole('region', { name: 'Approval' });
  await approval.getByRole('button', { name: 'Send back' }).click();
  await approval.getByRole('button', { name: 'Send back' }).click();
  await expect(approval.getByText('Say what is missing.')).toBeVisible();
  await approval.getByLabel('What is missing?').fill('The talk about medicines was a year ago.');
  await look(page, 'certificate-approval');
  await approval.getByRole('button', { name: 'Send back' }).click();
  await expect(page.getByText(/^Sent back .* by Helen Marsh: The talk about medicines/)).toBeVisible();
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText(/^Approved .* by Helen Marsh$/)).toBeVisible();
  await expect(approval).toHaveCount(0);
});

test('what was half written is there again after signing out and in', async ({ page, server }) => {
  await signIn(page, server, 'trainer@willowbrook.test');
  await page.getByRole('link', { name: 'Care Certificate' }).click();
  await page.getByRole('link', { name: /Megan Davies/ }).click();
  await page.getByRole('link', { name: 'Record an observation' }).click();
  await page.getByRole('button', { name: /^A meal or a snack/ }).click();
  await page.getByLabel('What you saw or heard').fill('Sat down beside her and waited for each spoon.');
  const address = page.url();
  await page.getByRole('button', { name: /Tomasz Zielinski/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/login/);
  await signIn(page, server, 'trainer@willowbrook.test');
  await page.goto(address);
  await expect(page.getByLabel('What you saw or heard')).toHaveValue('Sat down beside her and waited for each spoon.');
  await expect(page.getByText('A meal or a snack')).toBeVisible();
});

test('whoever approves sees who is where and why they do not get on, and has records looked at again', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await page.getByRole('link', { name: 'Care Certificate' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care Certificate: overview' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Wait for approval' }).getByRole('link', { name: /Rhys Evans/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Line of sight' })).toContainText('Daniel Osei');
  const sample = page.getByRole('region', { name: 'Quality sample' });
  await sample.getByRole('button', { name: 'Choose' }).click();
  const chosen = sample.getByRole('list', { name: 'Chosen records' }).getByRole('listitem');
  await expect(chosen.first()).toContainText('recorded by Tomasz Zielinski');
  await chosen
    .first()
    .getByRole('button', { name: /^Not right …/ })
    .click();
  await chosen.first().getByRole('button', { name: 'Keep' }).click();
  await expect(chosen.first()).toContainText('Say what is not right.');
  await chosen.first().getByRole('textbox').fill('The date is before the activity.');
  await look(page, 'certificate-overview');
  await chosen.first().getByRole('button', { name: 'Keep' }).click();
  await expect(chosen.first()).toContainText('To be talked about');
  await expect(chosen.first()).toContainText('Helen Marsh');
  await server.stop();
  await page.getByRole('link', { name: 'Everybody' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('The overview needs a connection.')).toBeVisible();
});
