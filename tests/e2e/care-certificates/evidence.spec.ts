import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { appIsKept, chip, expect, goTo, newOffice, passwordIsKnown, signIn, takeBack, test, withoutPin } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look } from '#tests/support/look.ts';

const photograph = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2d7a6a' } })
    .composite([
      {
        input: Buffer.from(
          `<svg width="${width}" height="${height}"><circle cx="50%" cy="40%" r="20%" fill="#e8b98f"/><path d="M0 ${height}L${width} 0" stroke="#fff" stroke-width="40"/></svg>`,
        ),
      },
    ])
    .withExif({ IFD0: { Model: 'Pocket camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLongitude: '0/1 7/1 0/1' } })
    .jpeg()
    .toBuffer();

const signBy = async (page: Page, within: Locator, label: string, action = 'Sign') => {
  const pad = within.getByRole('img', { name: new RegExp(`^${label}:`) });
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error('the pad is not in sight');
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 90, { steps: 4 });
  await page.mouse.move(box.x + 200, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await within.getByRole('button', { name: action, exact: true }).click();
};

test('what an observation shows is photographed and signed without a signal, and arrives whole: nobody recognisable, nothing of the camera', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(240_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  await passwordIsKnown(page);
  await goTo(page, 'Care Certificate');
  await page.getByRole('link', { name: /Megan Davies/ }).click();
  const address = page.url();
  await page.getByRole('link', { name: 'Record an observation' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Observe Megan Davies' })).toBeVisible();
  await appIsKept(page);
  await server.stop();

  await page.getByRole('button', { name: /^A meal or a snack/ }).click();
  await page.getByRole('list', { name: 'Criteria' }).getByRole('radiogroup').first().getByText('Met', { exact: true }).click();
  await page.getByLabel('What you saw or heard').fill('Laid the table with the person, and waited for each spoon.');
  await page.getByRole('button', { name: 'Somebody else saw it' }).click();
  await page.getByLabel('Name of the witness').fill('Nurse Bell');
  await page.getByLabel('Their role').fill('District nurse');
  await page.getByLabel('What they say').fill('She asked before she helped.');

  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.locator('input[type=file]').last().setInputFiles({ name, mimeType, buffer });
  await choose('no-picture.jpg', 'image/jpeg', Buffer.from('this is no picture'));
  await expect(page.getByText('This file cannot be opened as a picture.')).toBeVisible();
  await choose('letter.docx', 'application/msword', Buffer.from('a letter'));
  await expect(page.getByText('This kind of file cannot be used.')).toBeVisible();
  await choose('table.jpg', 'image/jpeg', await photograph(2400, 1800));
  const file = page.getByRole('listitem', { name: 'Photograph 1' });
  await expect(file).toContainText('Saved on this device');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(file.getByRole('alert')).toHaveText('Say whether anyone can be recognised.');
  await file.getByRole('button', { name: /^Make somebody unrecognisable/ }).click();
  const picture = page.getByRole('application', { name: 'Picture Photograph 1' });
  await expect(picture).toBeVisible();
  await picture.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByText('One place is covered.')).toBeVisible();
  await picture.locator('canvas').click({ position: { x: 60, y: 60 } });
  await expect(page.getByText('2 places are covered.')).toBeVisible();
  await look(page, 'evidence-hide');
  await expectLargeTargets(page, 'covering a face');
  await page.getByRole('button', { name: 'Keep it like this' }).click();
  await expect(file.getByRole('radio', { name: /made unrecognisable/ })).toBeChecked();
  await look(page, 'evidence-draft');
  await expectLargeTargets(page, 'recording');
  // After a reload the picture is unchanged.
  await page.reload();
  await expect(file.getByRole('radio', { name: /made unrecognisable/ })).toBeChecked();
  await expect(file.getByRole('img')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Sign the record of Megan Davies' })).toBeVisible();
  const mine = page.getByRole('region', { name: 'Your signature' });
  await mine.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(mine.getByRole('alert')).toHaveText('Please draw your signature first.');
  await look(page, 'sign');
  await expectLargeTargets(page, 'signing');
  await signBy(page, mine, 'Your signature');
  await expect(mine).toContainText('You signed, by hand');
  await signBy(page, page.getByRole('region', { name: 'The witness' }), 'Signature of Nurse Bell');
  await page.getByRole('button', { name: 'Hand over to Megan Davies' }).click();
  await withoutPin(page);
  const over = page.getByRole('dialog', { name: 'For Megan Davies' });
  await expect(over.getByText('Laid the table with the person')).toBeVisible();
  await look(page, 'hand-over');
  await over.getByRole('button', { name: 'I do not agree', exact: true }).click();
  await signBy(page, over, 'Signature of Megan Davies', 'I do not agree, and sign');
  await expect(over.getByRole('alert')).toHaveText('Say what was different.');
  await over.getByLabel('What was different?').fill('I had done it before, too.');
  await over.getByRole('button', { name: 'I do not agree, and sign', exact: true }).click();
  await expect(over.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await over.getByRole('button', { name: 'Hand the device back' }).click();
  await takeBack(page, 'Tomasz Zielinski');
  await expect(page.getByText(/Megan Davies does not agree, by hand/)).toBeVisible();

  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText('All sent');
  await page.goto(address);
  const record = page.getByRole('article', { name: /^Observed/ }).filter({ hasText: 'Laid the table' });
  await expect(record.getByRole('list', { name: 'Files of this record' })).toContainText('Received');
  await expect(record).toContainText('Nurse Bell: signed, not verified yet');
  await look(page, 'certificate-signed');

  // On her own phone she reads it, sees the picture, and confirms or disputes it.
  const { page: own, context } = await newOffice(browser);
  await signIn(own, server, 'megan.davies@willowbrook.test');
  await own.goto(address);
  const read = own.getByRole('article', { name: /^Observed/ }).filter({ hasText: 'Laid the table' });
  const shown = read.getByRole('img', { name: 'Photograph 1' });
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1920);
  const bytes = await shown.evaluate(async (img: HTMLImageElement) => [...new Uint8Array(await (await fetch(img.src)).arrayBuffer())]);
  const kept = Buffer.from(bytes);
  expect((await sharp(kept).metadata()).exif).toBeUndefined();
  expect(kept.includes('Pocket camera')).toBe(false);
  await read.getByRole('button', { name: /^Say whether it was so/ }).click();
  await read.getByText('I agree', { exact: true }).click();
  await read.getByRole('button', { name: 'Confirm' }).click();
  await expect(read).toContainText('Megan Davies: agrees');
  await expect(chip(own)).toContainText('All sent');
  await context.close();
  await page.reload();
  await expect(record).toContainText('Megan Davies: agrees');

  // The picture was of somebody else: it is left out of the record, and stays with what was recorded first.
  await record.getByRole('link', { name: /^Correct what was recorded/ }).click();
  await page.getByRole('button', { name: 'Leave out: Photograph 1, table.jpg' }).click();
  await page.getByLabel('Why is it corrected?').fill('The picture belongs to another visit');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'To the certificate' }).click();
  await expect(record.getByRole('list', { name: 'Files of this record' })).toHaveCount(0);
  await record.getByText('As it was recorded first').click();
  await expect(record.getByRole('list', { name: 'Files of this record' })).toContainText('Photograph 1');
  await expect(chip(page)).toContainText('All sent');
});
