import { randomUUID } from 'node:crypto';
import type { Page, WebSocketRoute } from '@playwright/test';
import { addDays } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

/** Unfolds what finds and groups above the grid. */
const unfold = async (page: Page) => page.getByRole('button', { name: /^Find and choose/ }).click();
const gridOf = (page: Page) => page.getByRole('grid', { name: 'Training matrix' });

test('a manager finds in the matrix who is red and why, with the keyboard alone, and a link shows a colleague the same @online', async ({
  page,
  server,
}) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'Training matrix');
  await expect(gridOf(page)).toBeVisible();
  await expect(page.getByText(/^As of /)).toBeVisible();
  await lookOnDesktop(page, 'matrix');
  await look(page, 'matrix');
  // On a laptop its rows have the screen: a page down moves by all but one of those that are seen whole.
  for (const [size, least] of [
    [{ width: 1280, height: 800 }, 14],
    [{ width: 1440, height: 900 }, 18],
  ] as const) {
    await page.setViewportSize(size);
    await gridOf(page).getByRole('rowheader').first().focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const first = Number(
      await gridOf(page)
        .getByRole('row')
        .filter({ has: page.locator(':focus') })
        .getAttribute('aria-rowindex'),
    );
    await page.keyboard.press('PageDown');
    const rows = gridOf(page)
      .getByRole('row')
      .filter({ has: page.locator(':focus') });
    await expect.poll(async () => Number(await rows.getAttribute('aria-rowindex')) - first + 1).toBeGreaterThanOrEqual(least);
    const bottom = await page.locator('canvas').evaluate((canvas) => canvas.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThan(size.height);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expectLargeTargets(page, 'matrix');
  // On a phone people are selected in the lists: with the keyboard, and all of a course at once.
  const bulk = page.getByRole('region', { name: 'What is selected' });
  const find = page.getByRole('textbox', { name: 'Find people' });
  await find.fill('Okafor');
  await expect(page).toHaveURL(/find_people=Okafor/);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const amara = page.getByRole('checkbox', { name: /^Amara Okafor/ });
  await amara.press(' ');
  await expect(amara).toBeChecked();
  await expect(bulk).toContainText('1 selected');
  await expectLargeTargets(page, 'matrix-select');
  await look(page, 'matrix-select');
  await page.setViewportSize({ width: 390, height: 844 });
  await amara.uncheck();
  await expect(bulk).toBeHidden();
  await page.getByRole('button', { name: 'Stop selecting' }).click();
  await expect(amara).toBeHidden();
  await find.clear();
  await page.getByText('Courses', { exact: true }).click();
  await page.getByRole('button', { name: /^Fire safety/ }).click();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const all = page.getByRole('button', { name: /^Select all \d/ });
  const count = (await all.textContent())?.replace('Select all ', '');
  await all.click();
  await expect(bulk).toContainText(`${count} selected`);
  await expect(bulk.getByRole('button', { name: 'Book on a session' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop selecting' }).click();
  await expect(bulk).toBeHidden();
  await page.setViewportSize(desktop);

  await page.getByText(/^Only what is due/).click();
  await expect(page).toHaveURL(/status=expiring%2Cexpired%2Cmissing/);
  await page.getByText(/^Only what is due/).click();
  await page.getByText(/^Expired \d/).click();
  await expect(page).toHaveURL(/status=expired/);
  await unfold(page);
  await page.getByLabel('Group by').selectOption('First job role');
  await expect(page).toHaveURL(/group=role/);
  await page.getByLabel('Find people').fill('Okafor');
  await expect(page).toHaveURL(/find_people=Okafor/);
  // Amara, whose fire safety training has expired.
  const cell = gridOf(page).getByRole('gridcell', { name: /Amara Okafor, Fire safety, expired/ });
  await gridOf(page).getByRole('gridcell').or(gridOf(page).getByRole('columnheader')).first().focus();
  await page.getByRole('combobox', { name: 'Jump to' }).fill('Amara');
  await page.getByRole('option', { name: /Amara Okafor/ }).click();
  await page.getByRole('combobox', { name: 'Jump to' }).fill('Fire');
  await page.getByRole('option', { name: /Fire safety/ }).click();
  await expect(cell).toBeFocused();
  // Whom, what, and since when stands beside the cell that the keyboard is at.
  const tip = page.locator('[class*=tip]');
  await expect(tip.locator('span')).toHaveText([
    /^Amara Okafor$/,
    /^Fire safety$/,
    /^Expired$/,
    /^Expired \d\d\/\d\d\/\d{4}$/,
    /^Completed \d\d\/\d\d\/\d{4}$/,
  ]);
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  await page.keyboard.press('Enter');
  const why = page.getByRole('dialog');
  await expect(why).toContainText('Fire safety');
  await expect(why).toContainText('expired');
  await expect(why.getByRole('link', { name: 'Exempt from Fire safety' })).toHaveAttribute('href', /people=.+&courses=.+/);
  await why.getByRole('button', { name: 'Message Amara Okafor' }).click();
  await why.getByLabel('Message to Amara Okafor').fill('Please do Fire safety this week.');
  await lookOnDesktop(page, 'matrix-why');
  await why.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Your message to Amara Okafor is saved on this device')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(cell).toBeFocused();

  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await expect(page.getByLabel('Find people')).toHaveValue('Okafor');
  await expect(page.getByLabel('Group by')).toHaveValue('role');
});

test('people and courses are chosen, selected people are written to, and a person without the permission is told @online', async ({
  page,
  server,
}) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await api(page, 'POST', '/training-sessions', {
    ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: demoId('user:trainer@willowbrook.test') },
    ...{ date: addDays(new Date().toISOString().slice(0, 10), 20), startTime: '10:00', endTime: '12:00', venue: 'Matrix Hall', room: '', aim: '' },
    ...{ maxDelegates: 4, grading_method: 'attendance' },
  });
  await goTo(page, 'Training matrix');
  await expect(page.getByText(/^As of /)).toBeVisible();
  const all = Number(await gridOf(page).getAttribute('aria-rowcount'));
  await page.getByRole('button', { name: 'Export and print' }).click();
  for (const [button, name] of [
    ['Download as PDF document', /^training matrix .+ \d\d-\d\d-\d{4}\.pdf$/],
    ['Download as Excel workbook', /\.xlsx$/],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    expect((await download).suggestedFilename()).toMatch(name);
    await expect(page.getByText('Matrix report downloaded.').first()).toBeVisible();
  }
  await unfold(page);
  await page.getByRole('button', { name: 'Choose people and courses' }).click();
  await page.getByRole('combobox', { name: 'Job roles' }).fill('cook');
  await page.getByRole('option', { name: 'Cook' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/roles=/);
  await expect.poll(async () => Number(await gridOf(page).getAttribute('aria-rowcount'))).toBeLessThan(all);
  await look(page, 'matrix-choices');
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(async () => Number(await gridOf(page).getAttribute('aria-rowcount'))).toBe(all);

  await gridOf(page).getByRole('gridcell').or(gridOf(page).getByRole('columnheader')).first().focus();
  await page.getByRole('combobox', { name: 'Jump to' }).fill('Amara');
  await page.getByRole('option', { name: /Amara Okafor/ }).click();
  await expect(gridOf(page).locator(':focus')).toHaveAccessibleName(/Amara Okafor/);
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Book on a session' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Book places' })).toBeVisible();
  await expect(page.getByText('Amara Okafor').first()).toBeVisible();
  await page.getByRole('listitem').filter({ hasText: 'Matrix Hall' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await expect(page.getByText(/ is booked\.$/)).toBeVisible();
  await goTo(page, 'Training matrix');
  await expect(page.getByText(/^As of /)).toBeVisible();
  await unfold(page);

  // A course is assigned to their job role: preselected, with a message.
  await gridOf(page).getByRole('gridcell').or(gridOf(page).getByRole('columnheader')).first().focus();
  await page.getByRole('combobox', { name: 'Jump to' }).fill('Amara');
  await page.getByRole('option', { name: /Amara Okafor/ }).click();
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Assign a course' }).click();
  await expect(page.getByText('Filled in: what 1 chosen person works as.', { exact: false })).toBeVisible();
  await expect(page.getByRole('form', { name: 'Assign a course' }).getByText('Care assistant')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Only in Willowbrook House instead' })).toBeVisible();
  await look(page, 'matrix-assign');
  await page.setViewportSize(desktop);

  await page.goto(`${server.url}/reports/matrix?users=${demoId('user:learner@willowbrook.test')}`);
  await expect(page.getByText(/^As of /)).toBeVisible();
  await expect(gridOf(page).getByText('Amara Okafor').first()).toBeVisible();
  await page.getByRole('button', { name: 'Export and print' }).click();
  await page.getByRole('link', { name: 'As a table' }).click();
  const row = page.getByRole('row', { name: /Amara Okafor/ });
  await expect(row).toContainText('Expired');
  await expect(page.getByRole('columnheader', { name: 'Fire safety', exact: true })).toBeVisible();
  await look(page, 'matrix-legacy');
  await page.setViewportSize(desktop);

  // What is recorded while *Why?* is open is in the cell when it is closed.
  await page.goto(`${server.url}/reports/matrix?users=${demoId('user:learner@willowbrook.test')}`);
  await expect(page.getByText(/^As of /)).toBeVisible();
  await unfold(page);
  await gridOf(page).getByRole('gridcell').or(gridOf(page).getByRole('columnheader')).first().focus();
  await page.getByRole('combobox', { name: 'Jump to' }).fill('Fire');
  await page.getByRole('option', { name: /Fire safety/ }).click();
  await page.keyboard.press('ArrowDown');
  await expect(gridOf(page).getByRole('gridcell', { name: /Amara Okafor, Fire safety, expired/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Fire safety');
  await api(page, 'POST', '/results', {
    ...{ id: randomUUID(), type: 'historical', user_ids: [demoId('user:learner@willowbrook.test')], course_ids: [demoId('course:Fire safety')] },
    ...{ completed_on: addDays(new Date().toISOString().slice(0, 10), -1), expiry: 'never', expires_on: null, note: 'Riverside College' },
    ...{ score: null, evidence_id: null, minutes: null, cpd_hours: null },
  });
  await page.keyboard.press('Escape');
  await expect(gridOf(page).getByRole('gridcell', { name: /Amara Okafor, Fire safety, in date/ })).toBeFocused();
  await page.goto(`${server.url}/reports/matrix?users=${demoId('user:admin@brightpath.test')}`);
  await expect(page.getByRole('heading', { name: 'Nobody to show' })).toBeVisible();
  await look(page, 'matrix-nobody');
});

test('a line that breaks in the middle is taken up again, and without a connection the page says so @online', async ({ page, server }) => {
  test.slow();
  let cuts = 0;
  await page.routeWebSocket(/matrix-socket/, (socket: WebSocketRoute) => {
    const onward = socket.connectToServer();
    let told = 0;
    onward.onMessage((message) => {
      socket.send(message);
      // Each of the first connections breaks one message later.
      if (++told > cuts && cuts < 4) {
        cuts++;
        void socket.close({ code: 1011 });
        void onward.close();
      }
    });
  });
  await page.setViewportSize(desktop);
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'Training matrix');
  await expect(page.getByText(/^As of /)).toBeVisible({ timeout: 60_000 });
  expect(cuts).toBe(4);
  await expect(gridOf(page)).toBeVisible();
  await server.stop();
  await unfold(page);
  await page.getByText('Both', { exact: true }).click();
  await expect(page.getByText('The training matrix needs a connection.')).toBeVisible();
  await look(page, 'matrix-offline');
  await server.start();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(gridOf(page)).toBeVisible();
});

test('the frame of the matrix stands while it is prepared, and the people are drawn on it @online', async ({ page, server }) => {
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.routeWebSocket(/matrix-socket/, (socket: WebSocketRoute) => {
    const onward = socket.connectToServer();
    onward.onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.setViewportSize(desktop);
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'Training matrix');
  const status = page.getByRole('status').filter({ hasText: 'Preparing the matrix' });
  await expect(status).toBeVisible();
  await expect(gridOf(page)).toHaveCount(0);
  await expect(page.getByText('There is nobody to show.')).toHaveCount(0);
  await lookOnDesktop(page, 'matrix-preparing');
  await look(page, 'matrix-preparing');
  await expect(status).toBeVisible();
  await page.setViewportSize(desktop);
  const canvas = page.locator('canvas');
  await canvas.evaluate((element) => element.setAttribute('data-stood', ''));
  const before = await canvas.boundingBox();
  isHeld = false;
  for (const send of held) send();
  await expect(page.getByText(/^As of /)).toBeVisible();
  await expect(gridOf(page)).toBeVisible();
  await expect(status).toHaveCount(0);
  // It is the canvas that stood there, and it has not moved by a pixel.
  await expect(canvas).toHaveAttribute('data-stood', '');
  const after = await canvas.boundingBox();
  expect(after?.x).toBe(before?.x);
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? Number.NaN))).toBeLessThan(1);
});
