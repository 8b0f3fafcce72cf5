import { appIsKept, chip, draftIsKept, expect, newOffice, signIn, test } from '#tests/support/browser-test.ts';

test('a message written without a signal is kept, arrives once, and is seen to be read', async ({ page, browser, server }) => {
  test.setTimeout(120_000);
  await signIn(page, server, 'learner@willowbrook.test');
  await appIsKept(page);
  await page.goto(`${server.url}/messages`);
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await page.getByLabel('Find a person').fill('helen');
  await page.getByRole('button', { name: /Helen Marsh/ }).click();
  const box = page.getByLabel('Message to Helen Marsh');
  await server.stop();
  await box.fill('The hoist in room 4 is broken.');
  await draftIsKept(page);
  // What was begun is there after the page is closed, without a server too.
  await page.reload();
  await expect(box).toHaveValue('The hoist in room 4 is broken.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Saved on this device', { exact: true })).toBeVisible();
  await expect(box).toHaveValue('');
  await chip(page).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText(/Messages with Helen Marsh: 1 message/);
  await page.getByRole('dialog').getByRole('button', { name: /close/i }).click();
  await page.reload();
  await expect(page.getByText('The hoist in room 4 is broken.').last()).toBeVisible();

  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('Received', { exact: true })).toBeVisible();

  const other = await newOffice(browser);
  await signIn(other.page, server, 'manager@willowbrook.test');
  await other.page.goto(`${server.url}/messages`);
  await expect(other.page.getByRole('main').getByText('1 new')).toBeVisible();
  await other.page.getByRole('button', { name: /Amara Okafor/ }).click();
  await expect(other.page.getByRole('listitem').getByText('The hoist in room 4 is broken.')).toHaveCount(2);
  await expect(other.page.getByRole('main').getByText('1 new')).toBeHidden();
  await other.page.getByLabel('Message to Amara Okafor').fill('Thank you. It is reported.');
  await other.page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(other.page.getByText('Received', { exact: true })).toBeVisible();

  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('Read', { exact: true })).toBeVisible();
  await expect(page.getByText('Thank you. It is reported.').last()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Received messages updated.' })).toBeAttached();

  // Removed from one's own list; the other person keeps it.
  await page
    .getByRole('button', { name: /^Remove the message/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Remove from my list' }).click();
  await expect(page.getByText('Message deleted.')).toBeVisible();
  await expect(page.getByText('The hoist in room 4 is broken.')).toHaveCount(0);
  await other.page.reload();
  await expect(other.page.getByText('The hoist in room 4 is broken.')).toBeVisible();
  await other.context.close();
});
