import { chip, course, courseSaved, expect, goTo, newDevice, newOffice, readToQuiz, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('signed-out screens can be used by everybody @online', async ({ page, server }) => {
  test.setTimeout(180_000);
  for (const [name, path] of Object.entries({
    login: '/login',
    forgot: '/forgot-password',
    reset: '/reset-password/some-token',
    register: '/register/trial',
    verify: '/verify-email/some-token',
    'not-found': '/404',
    forbidden: '/403',
  })) {
    await page.goto(server.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await look(page, name);
  }
});

test('a learner’s screens can be used by everybody', async ({ page, server }) => {
  test.setTimeout(240_000);
  await signIn(page, server, 'learner@willowbrook.test');
  await expect(course(page, 'Fire safety')).toBeVisible();
  await look(page, 'home');
  await page.goto(`${server.url}/messages`);
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  await look(page, 'messages-empty');
  await page.getByLabel('Find a person').fill('helen');
  await page.getByRole('button', { name: /Helen Marsh/ }).click();
  await page.getByLabel('Message to Helen Marsh').fill('Can I change Sunday’s shift? My daughter has a concert, and I could do the Monday instead.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Received', { exact: true })).toBeVisible();
  await look(page, 'messages');
  await page.goto(server.url);
  await expect(course(page, 'Fire safety')).toBeVisible();
  await page.getByRole('button', { name: /^Done \d+/ }).click();
  await look(page, 'home-done');
  await page.getByRole('button', { name: /^Do next \d+/ }).click();
  await page.getByRole('button', { name: 'Help for this page' }).click();
  await expect(page.getByRole('heading', { name: 'Your courses' })).toBeVisible();
  await look(page, 'help');
  await page.getByRole('button', { name: 'Close help' }).click();
  await chip(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'sync-centre');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await look(page, 'account-menu');
  await page.keyboard.press('Escape');
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await expect(courseSaved(page)).toHaveText('Received');
  await look(page, 'topic');
  await readToQuiz(page, 'Fire safety check');
  // A page that is turned to is announced, and so are the marks.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await look(page, 'quiz');
  await page.getByRole('button', { name: 'Hand in' }).click();
  await page.getByRole('button', { name: 'Hand in anyway' }).click();
  await expect(page.getByText(/Not passed yet/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await look(page, 'quiz-result');
  await page.getByRole('button', { name: 'Continue' }).click();
  await look(page, 'nearly-there');
  await page.goto(`${server.url}/update-password`);
  await expect(page.getByRole('heading', { name: 'Change your password' })).toBeVisible();
  await look(page, 'update-password');
  await page.goto(`${server.url}/request/verify-email`);
  await expect(page.getByRole('heading', { name: 'Confirm your e-mail address' })).toBeVisible();
  await look(page, 'request-verify-email');
});

test('an administrator’s screens can be used by everybody @reading', async ({ page, server }) => {
  test.setTimeout(120_000);
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'People');
  await expect(page.getByRole('link', { name: /Aisha Khan/ })).toBeVisible();
  await look(page, 'people');
  await page.getByRole('link', { name: /Aisha Khan/ }).click();
  await expect(page.getByRole('region', { name: 'Required training' })).toBeVisible();
  await look(page, 'person');
  await page.getByRole('tab', { name: /^Training record/ }).click();
  await expect(page.getByRole('region', { name: 'Training record' })).toBeVisible();
  await look(page, 'person-record');
  await page.getByRole('tab', { name: 'Access' }).click();
  await expect(page.getByText(/Two-step verification/)).toBeVisible();
  await look(page, 'person-access');
});

test('what guards a person’s work can be used by everybody: lock, devices, questions, the next shift', async ({ page, server, browser }) => {
  test.setTimeout(240_000);
  await signIn(page, server, 'learner@willowbrook.test');
  await page.getByRole('button', { name: 'Ready for tomorrow' }).click();
  await expect(page.getByRole('dialog', { name: 'Ready for tomorrow' }).getByRole('button', { name: /^Download/ })).toBeVisible();
  await look(page, 'ready-for-tomorrow');
  await page.keyboard.press('Escape');
  // A refusal, with all that can be done about it.
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await expect(courseSaved(page)).toHaveText('Received');
  const phone = await newDevice(browser);
  await signIn(phone.page, server, 'learner@willowbrook.test');
  await course(phone.page, 'Fire safety').getByRole('button', { name: 'Continue' }).click();
  await expect(courseSaved(phone.page)).toHaveText('Received');
  await readToQuiz(phone.page, 'Fire safety check');
  await readToQuiz(page, 'Fire safety check');
  await phone.context.setOffline(true);
  await page.getByRole('button', { name: 'Hand in' }).click();
  await page.getByRole('button', { name: 'Hand in anyway' }).click();
  await expect(page.getByText(/Not passed yet/)).toBeVisible();
  await phone.page.getByRole('button', { name: 'Hand in' }).click();
  await phone.page.getByRole('button', { name: 'Hand in anyway' }).click();
  await expect(phone.page.getByText('Handed in and saved on this device.')).toBeVisible();
  await phone.context.setOffline(false);
  await expect(chip(phone.page)).toContainText('1 thing needs you');
  await chip(phone.page).click();
  const centre = phone.page.getByRole('dialog');
  await expect(centre.getByRole('button', { name: 'Keep mine as evidence' })).toBeVisible();
  await look(phone.page, 'conflict');
  await centre.getByRole('button', { name: 'Ask my manager' }).click();
  await centre.getByLabel('Your question').fill('Which one counts?');
  await centre.getByRole('button', { name: 'Send the question' }).click();
  await expect(centre.getByText('Your manager has been asked.')).toBeVisible();

  const office = await newOffice(browser);
  await signIn(office.page, server, 'manager@willowbrook.test');
  await office.page.goto(`${server.url}/devices`);
  await expect(office.page.getByRole('row', { name: /Amara Okafor/ }).first()).toBeVisible();
  await look(office.page, 'tablets');
  await office.page.getByLabel('Answer to Amara Okafor').fill('The first one. Try again tomorrow.');
  await office.page.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(office.page.getByText('Helen Marsh: The first one. Try again tomorrow.')).toBeVisible();
  await office.context.close();

  await phone.page.reload();
  await chip(phone.page).click();
  await expect(centre.getByText('The first one. Try again tomorrow.')).toBeVisible();
  await centre.getByRole('button', { name: 'Keep mine as evidence' }).click();
  await expect(chip(phone.page)).toContainText('All sent');
  await phone.page.goto(`${server.url}/`);
  await phone.page.getByRole('button', { name: /account of/ }).click();
  await phone.page.getByRole('menuitem', { name: 'My training record' }).click();
  await expect(phone.page.getByRole('region', { name: 'Kept as evidence' })).toContainText('Handed in “Fire safety check”');

  await phone.page.getByRole('button', { name: /account of/ }).click();
  await phone.page.getByRole('menuitem', { name: 'Lock my work' }).click();
  await phone.page.getByLabel('PIN', { exact: true }).fill('271828');
  await look(phone.page, 'lock-settings');
  await phone.page.getByLabel('Repeat PIN').fill('271828');
  await phone.page.getByRole('button', { name: 'Lock with this PIN' }).click();
  await phone.page.getByRole('button', { name: 'Lock now' }).click();
  await expect(phone.page.getByRole('heading', { name: /Locked for/ })).toBeVisible();
  await look(phone.page, 'locked');
  await phone.context.close();
});
