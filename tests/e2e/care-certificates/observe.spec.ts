import { demoId } from '#server/db/demo/authoring.ts';
import type { Locator } from '@playwright/test';
import {
  appIsKept,
  chip,
  expect,
  goTo,
  newDevice,
  newOffice,
  passwordIsKnown,
  signIn,
  takeBack,
  test,
  withoutPin,
} from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('a trainer observes somebody without a signal: nothing typed is lost, it arrives once, and a correction keeps what was said first', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(240_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  await goTo(page, 'Care Certificate');
  await expect(page.getByRole('heading', { level: 1, name: 'Care Certificate' })).toBeVisible();
  await page.getByRole('button', { name: 'Add somebody' }).click();
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
  await appIsKept(page);

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
  await expect(page.getByText('Write what you saw or heard.').first()).toBeVisible();
  await expect(page.getByText('Say what is to be done.').first()).toBeVisible();
  await page.getByLabel('What is to be done about 8.2d').fill('Fill in the chart at once');
  await page.getByLabel('What you saw or heard').fill('Offered water and juice, and put the glass where it could be reached.');
  await page.getByRole('textbox', { name: 'Where' }).fill('Lounge');
  await look(page, 'observe');
  // The device is put down, and somebody presses reload.
  await page.reload();
  await expect(page.getByLabel('What you saw or heard')).toHaveValue(/Offered water and juice/);
  await expect(page.getByLabel('What is to be done about 8.2d')).toHaveValue('Fill in the chart at once');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign the record of Jade Robinson' })).toBeVisible();
  // A message that stands over the page lets a tap through to it, and gives way.
  const message = page.getByRole('region', { name: 'Messages' }).getByText('Saved on this device. It goes when there is a connection.');
  const { x = 0, y = 0 } = (await message.boundingBox()) ?? {};
  const isThrough = ([left, top]: number[]) => document.elementFromPoint(left ?? 0, top ?? 0)?.closest('[aria-label=Messages]') === null;
  expect(await page.evaluate(isThrough, [x + 4, y + 4])).toBe(true);
  await page.mouse.click(x + 4, y + 4);
  await expect(message).toHaveCount(0);
  await page.getByRole('link', { name: 'To the certificate' }).click();
  const record = page.getByRole('article', { name: /^Observed/ });
  await expect(record).toContainText('Saved on this device');
  await expect(page.getByText(/^1 of \d+ criteria$/)).toBeVisible();
  await expect(chip(page)).toContainText(/saved on this device/);
  await page.goto(`${server.url}/care-certificate`);
  await expect(page.getByText('These certificates are on this device')).toBeVisible();
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
  await expect(page.getByText('Say why it is corrected.').first()).toBeVisible();
  await page.getByLabel('Why is it corrected?').fill('The chart had been filled in; I saw it later');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'To the certificate' }).click();
  await expect(page.getByText(/^2 of \d+ criteria$/)).toBeVisible();
  await expect(record).toContainText('The chart had been filled in');
  await record.getByText('As it was recorded first').click();
  await expect(record).toContainText('8.2d: Not yet');
  await look(page, 'certificate-entries');
  await expect(chip(page)).toContainText('All sent');

  // Her own device shows the same, and lets her change nothing.
  const { page: own, context } = await newOffice(browser);
  await own.setViewportSize({ width: 390, height: 844 });
  await signIn(own, server, 'jade.robinson@willowbrook.test');
  await own.goto(address);
  await expect(own.getByText(/^2 of \d+ criteria$/)).toBeVisible();
  await expect(own.getByRole('link', { name: 'Record an observation' })).toHaveCount(0);
  await expect(own.getByRole('button', { name: /Withdraw/ })).toHaveCount(0);
  await context.close();

  await record.getByRole('button', { name: /^Withdraw …/ }).click();
  await page.getByLabel('Why is it withdrawn?').fill('It was somebody else');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText(/^0 of \d+ criteria$/)).toBeVisible();
  await expect(chip(page)).toContainText('All sent');
});

test('an observation is signed by both in eight taps @online', async ({ page, server }) => {
  await page.setViewportSize({ width: 820, height: 1180 });
  await signIn(page, server, 'trainer@willowbrook.test');
  await passwordIsKnown(page);
  await goTo(page, 'Care Certificate');
  const name = 'Megan Davies';
  await page.getByRole('link', { name: new RegExp(name) }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  let taps = 0;
  const tap = async (what: Locator) => {
    taps++;
    await what.click();
  };
  await tap(page.getByRole('link', { name: 'Record an observation' }));
  await tap(page.getByRole('button', { name: /^Offering drinks/ }));
  await tap(page.getByRole('list', { name: 'Criteria' }).getByRole('radiogroup').first().getByText('Met', { exact: true }));
  await tap(page.getByLabel('What you saw or heard'));
  await page.keyboard.type('Offered water and juice, and waited.');
  await look(page, 'observe-and-sign');
  await tap(page.getByRole('button', { name: 'Save and sign' }));
  // Who signed, and by which method, is said as it was.
  await expect(page.getByRole('region', { name: 'Your signature' })).toContainText('You signed, signed in');
  await tap(page.getByRole('button', { name: `Hand over to ${name}` }));
  // Asked once on a device.
  await withoutPin(page);
  const over = page.getByRole('dialog', { name: `For ${name}` });
  await tap(over.getByRole('img', { name: new RegExp(`^Signature of ${name}:`) }));
  await look(page, 'agree-and-sign');
  await tap(over.getByRole('button', { name: 'I agree and sign' }));
  await expect(over.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(taps).toBeLessThanOrEqual(8);
  await over.getByRole('button', { name: 'Hand the device back' }).click();
  await takeBack(page, 'Tomasz Zielinski');
  await expect(page.getByText(`${name} signed, by hand`, { exact: false })).toBeVisible();
  await page.getByRole('link', { name: 'To the certificate' }).click();
  const record = page.getByRole('article', { name: /^Observed/ }).filter({ hasText: 'Offered water and juice, and waited.' });
  await expect(record).toContainText(`${name}: agrees`);
  await expect(record).toContainText('Tomasz Zielinski: signed');
  await expect(record).toContainText('Received');
});

test('a manager sees who is how far, sends one back with a reason, and approves it @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'Care Certificate');
  await expect(page.getByRole('row', { name: /Sophie Turner.*Approved/s })).toBeVisible();
  await look(page, 'certificates');
  await page.getByText('In progress', { exact: true }).click();
  await expect(page.getByRole('link', { name: /Sophie Turner/ })).toHaveCount(0);
  await page
    .getByRole('row', { name: /Rhys Evans.*Awaiting approval/s })
    .getByRole('link')
    .click();
  const approval = page.getByRole('region', { name: 'Approval' });
  await approval.getByRole('button', { name: 'Send back' }).click();
  await approval.getByRole('button', { name: 'Send back' }).click();
  await expect(approval.getByText('Say what is missing.')).toBeVisible();
  await approval.getByLabel('What is missing?').fill('The talk about medicines was a year ago.');
  await look(page, 'certificate-approval');
  await approval.getByRole('button', { name: 'Send back' }).click();
  await expect(page.getByText(/^Sent back .* by Helen Marsh: The talk about medicines/)).toBeVisible();

  // Approval takes more than one tap: the review shows the records and missing signatures; a reason and a signature are needed.
  await approval.getByRole('button', { name: 'Review and approve' }).click();
  await expect(approval.getByRole('list', { name: 'Standards' }).getByRole('listitem')).toHaveCount(16);
  await expect(approval.getByText(/^\d+ of \d+ records are not signed by everybody/)).toBeVisible();
  await expect(approval.getByText('None of these records was chosen to be looked at again.')).toBeVisible();
  await look(page, 'certificate-review');
  await approval.getByText('Without drawing').click();
  const approve = approval.getByRole('button', { name: 'Approve', exact: true });
  await approve.click();
  await expect(approval.getByText(/^Not everybody has signed every record\./)).toBeVisible();
  await approval.getByLabel('Why you approve it although not everybody has signed').fill('He was off sick; I asked him on the telephone.');
  await approve.click();
  await expect(page.getByText(/^Approved .* by Helen Marsh$/)).toBeVisible();
  await expect(page.getByText(/^Signed while signed in. \d+ records not signed by everybody: “He was off sick/)).toBeVisible();
  await expect(approval).toHaveCount(0);

  // The approval can be withdrawn with a reason, as a separate entry.
  await page.getByRole('button', { name: 'Withdraw the approval' }).click();
  await page.getByRole('button', { name: 'Withdraw the approval' }).click();
  await expect(page.getByText('Enter a reason.')).toBeVisible();
  await page.getByLabel('Why is the approval withdrawn?').fill('It was the wrong Rhys.');
  await look(page, 'certificate-withdraw');
  await page.getByRole('button', { name: 'Withdraw the approval' }).click();
  await expect(page.getByText(/^Approval withdrawn .* by Helen Marsh: It was the wrong Rhys\.$/)).toBeVisible();
  await expect(approval).toBeVisible();
});

test('what was half written is there again after signing out and in @online', async ({ page, server }) => {
  await signIn(page, server, 'trainer@willowbrook.test');
  await goTo(page, 'Care Certificate');
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

test('an approver sees how far everybody is and what holds them up, and sends records back for review', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'Care Certificate');
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Care Certificate: overview' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Awaiting approval' }).getByRole('link', { name: /Rhys Evans/ })).toBeVisible();
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
  await expect(chosen.first()).toContainText('To be discussed');
  await expect(chosen.first()).toContainText('Helen Marsh');
  await server.stop();
  await page.getByRole('link', { name: 'Everybody' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('The overview needs a connection.')).toBeVisible();
});

test('an assessor decides on the standards they are competent in, also where there is no signal; the others they record', async ({
  page,
  server,
  browser,
}) => {
  test.slow();
  const { page: tablet, context } = await newDevice(browser);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users/${demoId('user:trainer@willowbrook.test')}?tab=access`);
  await page.getByRole('link', { name: 'Competence to assess' }).click();
  await expect(page.getByText('Tomasz Zielinski may assess every standard, if their permissions let them assess.')).toBeVisible();
  // Ticking no box does not mean "every standard": that is a choice of its own.
  await page.getByText('Only those chosen').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Choose the standards they may assess.', { exact: false })).toBeVisible();
  await page.getByRole('checkbox', { name: '8 Fluids and nutrition' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Say what makes them competent.').first()).toBeVisible();
  await page.getByLabel('What makes them competent, for 8').fill('Level 3 in adult care');
  // Not in the middle of the list, where a box may lie half under the header.
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await look(page, 'competence');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. It takes effect on a device', { exact: false })).toBeVisible();

  await signIn(tablet, server, 'trainer@willowbrook.test');
  await goTo(tablet, 'Care Certificate');
  await tablet.getByRole('link', { name: /Megan Davies/ }).click();
  await tablet.getByRole('link', { name: 'Record an observation' }).click();
  await expect(tablet.getByRole('button', { name: /^Offering drinks/ })).toBeVisible();
  await server.stop();
  await tablet.getByRole('button', { name: /^Offering drinks/ }).click();
  const of = (code: string) => tablet.getByRole('radiogroup', { name: new RegExp(`^${code} `) });
  await expect(of('8.2a').getByRole('radio', { name: 'Met', exact: true })).toBeEnabled();
  await expect(of('15.1b').getByRole('radio', { name: 'Met', exact: true })).toBeDisabled();
  await expect(of('15.1b').getByRole('radio', { name: 'Not yet', exact: true })).toBeEnabled();
  await expect(tablet.getByText('You are not recorded as competent to assess this standard').first()).toBeVisible();
  await context.close();
});

test('who brought a certificate with them is noted; the report says who is how far, as a table, too @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'Care Certificate');
  await page.getByRole('link', { name: 'From elsewhere' }).click();
  await expect(page.getByText('No certificates from elsewhere yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add one' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter who signed it off.').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Who' }).fill('Aisha');
  await page.getByRole('option', { name: 'Aisha Khan' }).click();
  await page.getByRole('textbox', { name: 'Achieved on' }).fill('01/05/2024');
  await page.getByLabel('Signed off by').fill('Oak Lodge');
  await look(page, 'historical-add');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByRole('row', { name: /Aisha Khan.*Oak Lodge/s })
    .getByRole('link')
    .click();
  await page.getByLabel('Signed off by').fill('Oak Lodge, Mrs Bell');
  await look(page, 'historical-update');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /Aisha Khan.*Mrs Bell/s })).toBeVisible();

  await page.goto(`${server.url}/reports/care-certificate`);
  await expect(page.getByRole('row', { name: /Sophie Turner.*Approved/s })).toBeVisible();
  await look(page, 'care-report');
  await page.getByText('Approved', { exact: true }).first().click();
  await expect(page.getByRole('link', { name: /Sophie Turner/ })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV table' }).click();
  expect((await download).suggestedFilename()).toMatch(/^care certificates Priya Raman \d\d-\d\d-\d{4}\.csv$/);
});
