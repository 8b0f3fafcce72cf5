import { readFileSync } from 'node:fs';
import { api, expect, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, look } from '#tests/support/look.ts';

type Made = { id: string };
type Whole = { title: string; published: boolean; lessons: { title: string }[]; quizzes: { title: string; question_count: number }[] };

test('an author takes questions from a file, exports the course that asks them and imports it again @online', async ({ page, server }) => {
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/content-creator/quizzes`);
  const course = await api<Made>(page, 'POST', '/courses', { title: 'Hand care', short_title: 'Hands' });
  const content = await api<Made>(page, 'POST', '/content', { type: 'elearning', course_id: course.id, title: 'Clean hands' });
  const quiz = await api<Made>(page, 'POST', '/quizzes', {
    title: 'Hands',
    questions: [{ kind: 'true_false', prompt: 'Soap cleans.', correct: true, feedback: '' }],
  });
  await api(page, 'POST', `/content/${content.id}/quizzes`, { action: 'add', quiz_id: quiz.id });

  await page.goto(`${server.url}/content-creator/quizzes/update/${quiz.id}`);
  await page.getByRole('button', { name: 'From a file …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import questions' });
  const chosen = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  const drawn =
    'iVBORw0KGgoAAAANSUhEUgAAADwAAAAoCAMAAACVZWnNAAAAA1BMVEUAqnc9840mAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGUlEQVRIx+3BMQEAAADCoPVPbQwfoAAAeBgJiAABJcSfhgAAAABJRU5ErkJggg\\=\\=';
  const gift =
    `[html]What cleans hands?<img src\\="data\\:image/png;base64,${drawn}" alt\\="A bar">{=Soap#Yes ~Sand}\n\n` +
    'How long, in seconds?{#20:5}\n\n[html]Where?<img src\\="a.png" alt\\="A ward">{~Nowhere =Everywhere}\n';
  await (await chosen).setFiles({ name: 'hands.gift', mimeType: 'text/plain', buffer: Buffer.from(gift) });
  await expect(dialog.getByRole('heading', { name: '3 questions in “hands.gift”' })).toBeFocused();
  await expect(dialog.getByText('A numerical answer with a range has no counterpart here.')).toBeVisible();
  await expect(dialog.getByText('One picture is left behind (“A ward”)')).toBeVisible();
  await expect(dialog.getByText('1 picture comes along')).toBeVisible();
  await look(page, 'question-import');
  await dialog.getByRole('checkbox', { name: 'Where?' }).press('Space');
  await dialog.getByRole('button', { name: 'Take 1 question' }).click();
  await expect(page.getByText('1 question added at the end. Save the quiz to keep them.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Quiz has been updated.')).toBeVisible();
  const saved = await api<{ questions: { prompt: string; picture?: { alt: string; media: { type: string } } }[] }>(
    page,
    'GET',
    `/quizzes/${quiz.id}`,
  );
  expect(saved.questions.map((q) => q.prompt)).toEqual(['Soap cleans.', 'What cleans hands?']);
  expect(saved.questions[1]?.picture).toMatchObject({ alt: 'A bar', media: { type: 'image/webp' } });

  await page.goto(`${server.url}/content-creator/content/elearning/update/${content.id}`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Clean hands.course.zip');
  const bytes = readFileSync(await file.path());

  await page.goto(`${server.url}/content-creator/content/elearning`);
  await page.getByRole('button', { name: 'Import …' }).click();
  const importing = page.getByRole('dialog', { name: 'Import a course' });
  const again = page.waitForEvent('filechooser');
  await importing.getByRole('button', { name: 'Choose a file (.zip, .imscc)' }).click();
  await (await again).setFiles({ name: 'clean-hands.zip', mimeType: 'application/zip', buffer: bytes });
  await expect(importing.getByText('Hands (2 questions)')).toBeVisible();
  await expect(importing.getByText('You have an e-learning of this title already.')).toBeVisible();
  await look(page, 'course-import');
  await importing.getByLabel('Title').fill('Clean hands, again');
  await importing.getByLabel('Course that it is for').fill('Hand care');
  await page.getByRole('option', { name: 'Hand care' }).first().click();
  await importing.getByRole('button', { name: 'Import it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Clean hands, again' })).toBeVisible();
  const made = await api<Whole>(page, 'GET', `/content/${page.url().split('/').at(-1)}`);
  expect(made).toMatchObject({ published: false, quizzes: [{ title: 'Hands', question_count: 2 }] });
});
