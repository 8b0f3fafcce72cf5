import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('a manager writes to everybody of the service at once; the text outlives a lost line, and each has it once @online', async ({
  page,
  server,
  browser,
}) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook-house`);
  await page.getByRole('link', { name: 'Message everyone' }).click();
  await expect(page.getByRole('heading', { name: 'Everyone at Willowbrook House' })).toBeVisible();
  const text = page.getByRole('textbox', { name: /Message to/ });
  await page.getByRole('button', { name: 'Send to everyone' }).click();
  await expect(page.getByText('Enter a message.', { exact: true })).toBeVisible();
  await text.fill('The lift is out of order until Friday. Please use the stairs on the garden side.');
  await look(page, 'to-many');
  await server.stop();
  await page.getByRole('button', { name: 'Send to everyone' }).click();
  await expect(page.getByText('There is no connection to the server. Check the signal and try again.')).toBeVisible();
  await server.start();
  await page.reload();
  await expect(text).toHaveValue(/The lift is out of order/);
  await page.getByRole('button', { name: 'Send to everyone' }).click();
  await expect(page.getByText(/^Sent to \d+ people\.$/)).toBeVisible();
  const sent = page.getByRole('list', { name: 'Group messages, newest first' });
  await expect(sent.getByRole('listitem')).toHaveCount(1);
  await expect(sent).toContainText(/Everyone at Willowbrook House.*read by 0 of \d+/s);
  await look(page, 'written-to-many');

  const tablet = await (await browser.newContext()).newPage();
  await signIn(tablet, server, 'learner@willowbrook.test');
  await goTo(tablet, 'Messages');
  await expect(tablet.getByText('Group messages')).toHaveCount(0);
  await tablet.getByRole('button', { name: /Helen Marsh/ }).click();
  await expect(tablet.getByText(/The lift is out of order/).last()).toBeVisible();
  await tablet.getByLabel('Message to Helen Marsh').fill('Thank you!');
  await tablet.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(tablet.getByText('Received', { exact: true })).toBeVisible();
  await page.goto(`${server.url}/messages?many=1`);
  await expect(sent).toContainText('read by 1 of');
  await page.getByRole('button', { name: /Amara Okafor/ }).click();
  await expect(page.getByRole('list', { name: 'Messages, oldest first' }).getByRole('listitem')).toHaveCount(2);
});
