import { chip, course, courseSaved, expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';

test('somebody else’s course is for looking at: nothing is done in their name, and nothing is left waiting', async ({ page, server, browser }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await course(page, 'Fire safety')
    .getByRole('button', { name: /^(Start|Continue|Renew)/ })
    .click();
  await expect(page).toHaveURL(/\/attempt\//);
  const next = page.getByRole('button', { name: 'Next' });
  await next.click();
  await expect(courseSaved(page)).toHaveText('Received');
  const address = page.url().replace(/#.*/, '');

  const office = await newDevice(browser);
  const theirs = office.page;
  await signIn(theirs, server, 'manager@willowbrook.test');
  await theirs.goto(address);
  await expect(theirs.getByText('This is someone else’s course. You can view it but not change it.')).toBeVisible();
  const heading = theirs.getByRole('heading', { level: 1 });
  const before = (await heading.textContent()) ?? '';
  await theirs.getByRole('button', { name: 'Next' }).click();
  await expect(heading).not.toHaveText(before);
  await expect(chip(theirs)).toContainText('All sent');
  // Also after everything that a leaving page says at last.
  await theirs.goto(`${server.url}/`);
  await expect(chip(theirs)).toContainText('All sent');
  await office.context.close();
});
