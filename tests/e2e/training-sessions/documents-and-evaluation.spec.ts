import { readFileSync } from 'node:fs';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

const slides = Buffer.from('%PDF-1.7\n% Joining instructions');

test('an office adds documents to a session; whoever is booked downloads theirs, and sees none for trainers @online', async ({
  page,
  browser,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const session = await api<{ id: string }>(page, 'POST', '/training-sessions', {
    ...{
      date: new Date(Date.now() + 12 * 86_400_000).toISOString().slice(0, 10),
      startTime: '13:30',
      endTime: '16:30',
      venue: 'Mill Lane',
      room: '',
    },
    ...{ aim: '', maxDelegates: 2, grading_method: 'attendance' },
    ...{ course_id: demoId('course:Moving and assisting people'), trainer_id: demoId('user:trainer@willowbrook.test') },
  });
  await api(page, 'POST', `/training-sessions/${session.id}/delegates`, { user_ids: [demoId('user:learner@willowbrook.test')] });
  await page.goto(`${server.url}/training-sessions/${session.id}`);
  const documents = page.getByRole('region', { name: 'Documents', exact: true });
  await expect(documents).toContainText('None yet.');
  const dialog = page.getByRole('dialog', { name: 'Add a document' });
  const choose = async (name: string, buffer: Buffer) => {
    await documents.getByRole('button', { name: 'Add a document …' }).click();
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer });
  };
  await choose('joining instructions.pdf', slides);
  await expect(dialog.getByLabel('Name')).toHaveValue('joining instructions');
  await look(page, 'document-add');
  await dialog.getByLabel('Name').fill('How to get there');
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await expect(documents.getByRole('listitem')).toContainText(['How to get there']);

  // What is no PDF is refused in a sentence; another file can be chosen.
  await choose('risk.pdf', Buffer.from('MZ'));
  await dialog.getByText('Trainers only', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await expect(dialog.getByText('This is not a .pdf file: it may be damaged, or named wrongly.').first()).toBeVisible();
  await look(page, 'document-refused');
  await dialog.getByRole('button', { name: 'Choose another file' }).click();
  await dialog.locator('input[type=file]').setInputFiles({ name: 'risk.pdf', mimeType: 'application/pdf', buffer: slides });
  await dialog.getByText('Trainers only', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await expect(documents.getByRole('listitem')).toContainText(['How to get there', 'risk']);
  await documents.getByRole('button', { name: 'Edit risk' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the document' });
  await edit.getByLabel('Name').fill('Risk assessment');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(documents.getByRole('listitem').filter({ hasText: 'Risk assessment' })).toContainText('Trainers only');
  await look(page, 'documents');
  await lookOnDesktop(page, 'documents');

  const { page: phone } = await newDevice(browser);
  await signIn(phone, server, 'learner@willowbrook.test');
  await goTo(phone, 'Your bookings');
  const booking = phone.getByRole('article', { name: /^Moving and assisting people/ }).filter({ hasText: 'Mill Lane' });
  await expect(booking.getByRole('listitem')).toContainText(['How to get there']);
  await expect(booking).not.toContainText('Risk assessment');
  const [download] = await Promise.all([phone.waitForEvent('download'), booking.getByRole('button', { name: 'Download How to get there' }).click()]);
  expect(download.suggestedFilename()).toBe('How to get there.pdf');
  expect(readFileSync(await download.path()).equals(slides)).toBe(true);
  await look(phone, 'your-bookings-documents');
  await phone.context().setOffline(true);
  await expect(booking).toContainText('Downloading a document needs a connection.');
  await expect(booking.getByRole('button', { name: 'Download How to get there' })).toBeDisabled();

  await documents.getByRole('button', { name: 'Edit How to get there' }).click();
  await edit.getByRole('button', { name: 'Remove …' }).click();
  await edit.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(documents.getByRole('listitem')).toContainText(['Risk assessment']);
  await phone.context().setOffline(false);
  await phone.reload();
  await expect(booking).not.toContainText('How to get there');
});
