import { demoId } from '#server/db/demo/authoring.ts';
import { expect, signIn, tabTo, test } from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, lookOnDesktop } from '#tests/support/look.ts';

const amara = `/users/${demoId('user:learner@willowbrook.test')}`;

test('the tabs of a person: by keyboard, by address, on the way back; what is not open asks the server nothing @reading', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const activity = () => asked.filter((path) => path.endsWith('/account-activity')).length;
  await page.goto(server.url + amara);
  const tab = (name: RegExp) => page.getByRole('tablist', { name: 'Amara Okafor' }).getByRole('tab', { name });
  await expect(page.getByRole('tabpanel', { name: 'Overview' }).getByRole('region', { name: 'Required training' })).toBeVisible();
  await expect(tab(/^Training record \d+$/)).toBeVisible();
  expect(activity()).toBe(0);
  await expect(page.locator('#account-activity')).toHaveCount(0);

  // Arrow keys move along the tabs and open none; Enter opens one, and Tab continues into it.
  await tabTo(page, tab(/^Overview/));
  await page.keyboard.press('ArrowRight');
  await expect(tab(/^Training record/)).toBeFocused();
  await page.keyboard.press('End');
  await expect(tab(/^Access/)).toBeFocused();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/tab-focused.png` });
  await expect(tab(/^Overview/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?tab=access$/);
  await expect(tab(/^Access/)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('region', { name: 'Account activity' }).getByText(/Two-step verification/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Required training' })).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tabpanel', { name: 'Access' })).toBeFocused();

  await tab(/^Training record/).click();
  await expect(page.getByRole('region', { name: 'Training record' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('region', { name: 'Account activity' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(server.url + amara);
  await expect(page.getByRole('region', { name: 'Required training' })).toBeVisible();

  // The address to send to a colleague.
  await page.goto(`${server.url}${amara}?tab=record`);
  await expect(page.getByRole('region', { name: 'Training record' })).toBeVisible();
  await page.goto(`${server.url}${amara}?tab=record#account-activity`);
  await expect(page.getByRole('region', { name: 'Account activity' })).toBeInViewport();
  await tab(/^Overview/).click();
  await expect(page).toHaveURL(server.url + amara);

  // A note that is being written is not lost with its tab.
  await tab(/^Notes/).click();
  await page.getByLabel('New note').fill('Prefers nights.');
  await tab(/^Access/).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('New note')).toHaveValue('Prefers nights.');
});

test('on a phone the tabs are moved sideways, and the open one is seen @reading', async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}${amara}?tab=access`);
  await expect(page.getByRole('tab', { name: 'Access' })).toBeInViewport({ ratio: 0.95 });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeInViewport({ ratio: 0.95 });
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/person-320.png` });
  await expectLargeTargets(page, 'the tabs of a person');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('the open tab stays while somebody goes through the list beside it, and is dropped on the way back to the list @reading', async ({
  page,
  server,
}) => {
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}${amara}?tab=record`);
  const list = page.getByRole('navigation', { name: 'People', exact: true });
  await list.getByRole('searchbox').fill('aisha');
  await expect(page).toHaveURL(/\?(?=.*tab=record)(?=.*search=aisha)/);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('link', { name: /Aisha Khan/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Aisha Khan' })).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Training record/ })).toHaveAttribute('aria-selected', 'true');
  await lookOnDesktop(page, 'person-record-beside-list');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'People' }).click();
  await expect(page).toHaveURL(/\/users\?search=aisha$/);
});
