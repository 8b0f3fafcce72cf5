import { readFileSync } from 'node:fs';
import { appIsKept, chip, draftIsKept, expect, goTo, newOffice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an assessor makes the next day ready: whom they visit, with records and files, and their registers work without a signal', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(240_000);
  // On another device a document is added to a record of Daniel.
  const office = await newOffice(browser);
  await signIn(office.page, server, 'trainer@willowbrook.test');
  await goTo(office.page, 'Care Certificate');
  await office.page.getByRole('link', { name: /Daniel Osei/ }).click();
  await office.page.getByRole('link', { name: 'Record an observation' }).click();
  await office.page.getByRole('button', { name: /^Offering drinks/ }).click();
  await office.page.getByRole('list', { name: 'Criteria' }).getByRole('radiogroup').first().getByText('Met', { exact: true }).click();
  await office.page.getByLabel('What you saw or heard').fill('Wrote the fluid chart, and showed it to the nurse.');
  const chart = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(250_000, 'x'), Buffer.from('\n%%EOF')]);
  await office.page.locator('input[type=file]').last().setInputFiles({ name: 'chart.pdf', mimeType: 'application/pdf', buffer: chart });
  const file = office.page.getByRole('listitem', { name: 'Document 1' });
  await file.getByText('Nobody', { exact: true }).click();
  await office.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(office.page.getByRole('heading', { level: 1, name: 'Sign the record of Daniel Osei' })).toBeVisible();
  await expect(chip(office.page)).toContainText('All sent');
  await office.context.close();

  await signIn(page, server, 'trainer@willowbrook.test');
  await goTo(page, 'Care Certificate');
  await page.getByRole('link', { name: 'Ready for tomorrow' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ready for tomorrow' });
  const people = dialog.getByRole('region', { name: 'People you observe' });
  await expect(people).toContainText('Choose the people you are visiting');
  await expect(dialog.getByRole('region', { name: 'Registers' })).toContainText('Basic life support');
  for (const name of ['Megan Davies', 'Daniel Osei', 'Rhys Evans']) {
    await people.getByRole('combobox', { name: 'People you are visiting' }).fill(name.slice(0, 5));
    await page.getByRole('option', { name }).click();
    await expect(people.getByRole('listitem').filter({ hasText: name })).toContainText('To be downloaded');
  }
  await people.getByRole('button', { name: 'Remove Rhys Evans' }).click();
  await expect(people.getByRole('listitem')).toHaveCount(2);
  await look(page, 'ready-visits');
  // The connection is lost before anything has arrived: each item says so, and what is stored is reported truthfully.
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: /^(Get everything ready|Download)/ }).click();
  await expect(people.getByRole('listitem').filter({ hasText: 'Megan Davies' })).toContainText('the connection was lost');
  await expect(dialog.getByRole('region', { name: 'Registers' })).toContainText('On this device, as last updated');
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: /^(Get everything ready|Download)/ }).click();
  for (const name of ['Megan Davies', 'Daniel Osei'])
    await expect(people.getByRole('listitem').filter({ hasText: name })).toContainText('On this device', { timeout: 60_000 });
  await expect(people.getByRole('listitem').filter({ hasText: 'Daniel Osei' })).toContainText('1 file');
  await expect(dialog).toContainText('Everything for your next shift is on this device', { timeout: 60_000 });
  await look(page, 'ready-visits-done');
  await page.keyboard.press('Escape');
  await appIsKept(page);

  await server.stop();
  await goTo(page, 'Care Certificate');
  await expect(page.getByText('These certificates are on this device')).toBeVisible();
  await page.getByRole('link', { name: /Daniel Osei/ }).click();
  const document = page.getByRole('link', { name: 'chart.pdf' });
  await expect(document).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), document.click()]);
  const bytes = readFileSync(await download.path()).length;
  expect(bytes).toBe(chart.length);
  await page.goto(`${server.url}/care-certificate`);
  await page.getByRole('link', { name: /Megan Davies/ }).click();
  await page.getByRole('link', { name: 'Record an observation' }).click();
  await page.getByRole('button', { name: /^Offering drinks/ }).click();
  await page.getByLabel('What you saw or heard').fill('Begun on the way.');
  await draftIsKept(page);
  await page.goto(`${server.url}/training-sessions`);
  await page.getByRole('link', { name: /Basic life support/ }).click();
  await expect(page.getByRole('article', { name: 'Aisha Khan' })).toBeVisible();

  // In the evening the draft is told of, and somebody who is not visited any more is taken off with their files.
  await server.start();
  await wake(page);
  await page.goto(`${server.url}/?ready=1`);
  await expect(people.getByRole('listitem').filter({ hasText: 'Megan Davies' })).toContainText('1 draft started here');
  await people.getByRole('button', { name: 'Remove Daniel Osei' }).click();
  await expect(people.getByRole('listitem')).toHaveCount(1);
  await expect(dialog).toContainText('1 draft that you have started is on this device.');
});
