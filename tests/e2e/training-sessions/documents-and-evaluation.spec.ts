import { readFileSync } from 'node:fs';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

const slides = Buffer.from('%PDF-1.7\n% Joining instructions');

test('an office adds documents to a session; a delegate downloads theirs, and sees none for trainers @online', async ({ page, browser, server }) => {
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
  await expect(booking).toContainText('Downloading a document that is not on this device needs a connection.');
  await expect(booking.getByRole('button', { name: 'Download How to get there' })).toBeDisabled();

  await documents.getByRole('button', { name: 'Edit How to get there' }).click();
  await edit.getByRole('button', { name: 'Remove …' }).click();
  await edit.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(documents.getByRole('listitem')).toContainText(['Risk assessment']);
  await phone.context().setOffline(false);
  await phone.reload();
  await expect(booking).not.toContainText('How to get there');
});

const moving = demoId('session:moving');
test('somebody who attended evaluates it offline; the office reads averages once three have answered @online', async ({ page, browser, server }) => {
  test.slow();
  const people = ['grace.adeyemi', 'liam.murphy', 'megan.davies'] as const;
  const place = (who: string) => demoId(`delegate:moving:${who}`);
  const change = (command: string, args: object) => ({ id: crypto.randomUUID(), version: 1, at: new Date().toISOString(), command, args });
  await signIn(page, server, 'trainer@willowbrook.test');
  const marks = [...people, 'daniel.osei'].map((who) =>
    change('register.mark', {
      ...{ delegate_id: place(who), presence: 'present', arrived: null, left: null, outcome: 'passed', note: '', instead_of: null },
    }),
  );
  const complete = change('register.complete', { marks: marks.map((m) => m.id), note: '', method: 'drawn', drawing: 'M10 10L90 40' });
  await api(page, 'PATCH', `/training-sessions/${moving}/register`, { changes: [...marks, complete] });

  const [grace, ...others] = people;
  const { page: phone } = await newDevice(browser);
  await signIn(phone, server, `${grace}@willowbrook.test`);
  const line = phone.getByRole('link', { name: 'How was Moving and assisting people?' });
  await expect(line).toBeVisible();
  await look(phone, 'home-how-was-it');
  await goTo(phone, 'Your bookings');
  const asked = phone.getByRole('region', { name: 'How was it?' });
  await expect(asked).toContainText('Moving and assisting people');
  await phone.context().setOffline(true);
  await goTo(phone, 'Today');
  await line.click();
  const dialog = phone.getByRole('dialog', { name: 'How was it?' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Give a rating, or write a few words.').first()).toBeVisible();
  await dialog.getByRole('radio', { name: 'The course: 4 of 5' }).press('Space');
  await dialog.getByRole('radio', { name: 'The trainer: 5 of 5' }).press('Space');
  await dialog.getByLabel('In your words').fill('More time with the hoist, please.');
  await expect(dialog).toContainText('Your name is not shown with it.');
  await look(phone, 'how-was-it');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(asked).toContainText(
    'You said: course 4 of 5, trainer 5 of 5, “More time with the hoist, please.” · saved on this device, not sent yet',
  );
  await look(phone, 'how-was-it-said');
  await goTo(phone, 'Today');
  await expect(phone.getByRole('button', { name: /^Do next/ })).toBeVisible();
  await expect(line).toHaveCount(0);
  await goTo(phone, 'Your bookings');
  await phone.context().setOffline(false);
  await expect(asked).not.toContainText('not sent yet');
  await phone.reload();
  await expect(asked).toContainText('You said: course 4 of 5, trainer 5 of 5');

  await page.goto(`${server.url}/training-sessions/${moving}`);
  const found = page.getByRole('region', { name: 'How it was' });
  await expect(found).toContainText('1 of 4 people who were there answered.');
  await expect(found).toContainText('Too few answers to show.');
  for (const who of others) {
    const { page: theirs, context } = await newDevice(browser);
    await signIn(theirs, server, `${who}@willowbrook.test`);
    const said = change('feedback.evaluate', { course_rating: 5, trainer_rating: 5, message: '' });
    await api(theirs, 'PATCH', `/bookings/own/${place(who)}/evaluation`, { changes: [said] });
    await context.close();
  }
  await page.reload();
  await expect(found).toContainText('4.7 of 5');
  await expect(found.getByRole('list', { name: 'Comments' })).toHaveText('More time with the hoist, please.');
  await expect(found).not.toContainText('Grace');
  await look(page, 'session-evaluation');

  const { page: office } = await newDevice(browser);
  await signIn(office, server, 'admin@willowbrook.test');
  await office.goto(`${server.url}/trainers/${demoId('user:trainer@willowbrook.test')}`);
  await expect(office.getByRole('region', { name: 'How people found their training' })).toContainText('Course 4.7 of 5, trainer 5.0 of 5');
  await look(office, 'trainer-evaluation');
});
