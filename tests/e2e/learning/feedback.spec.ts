import { demoId } from '#server/db/demo/authoring.ts';
import { api, chip, course, expect, keepCourse, newOffice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look } from '#tests/support/look.ts';

type Thing = { id: string };
const text = (words: string) => [{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }] } }];

test('what a learner reports and asks without the server reaches the author, whose answer is read at the course', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  const office = await newOffice(browser);
  const author = office.page;
  await signIn(author, server, 'admin@willowbrook.test');
  const make = (path: string, body: object) => api<Thing>(author, 'POST', path, body);
  const { id: courseId } = await make('/courses', { title: 'Safe bathing', short_title: 'Bathing' });
  const content = await make('/content', { type: 'elearning', course_id: courseId, title: 'Safe bathing' });
  const lesson = await make('/lessons', { title: 'Before the bath' });
  const topic = await make('/topics', { title: 'How hot is it?', blocks: text('Never above 53 degrees.') });
  await make(`/lessons/${lesson.id}/topics`, { action: 'add', topic_id: topic.id });
  await make(`/content/${content.id}/lessons`, { action: 'add', lesson_id: lesson.id });
  await make(`/content/${content.id}/publish`, {});
  await make('/compliance', { role_id: demoId('role:group:care'), course_id: courseId, type: 'primary' });

  await signIn(page, server, 'learner@willowbrook.test');
  await keepCourse(page, 'Safe bathing');
  await server.stop();
  await page.reload();
  await course(page, 'Safe bathing').getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'How hot is it?' })).toBeVisible();
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const problem = page.getByRole('dialog', { name: 'Report a problem' });
  await expect(problem).toContainText('About “How hot is it?” in “Safe bathing”.');
  await problem.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(problem.getByText('Choose what is wrong.').first()).toBeVisible();
  await problem.getByRole('radio', { name: 'Something in the text is wrong' }).check();
  await problem.getByLabel('In your words (optional)').fill('53 degrees scalds.');
  await look(page, 'report-problem');
  await problem.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(problem).toBeHidden();
  await page.getByRole('button', { name: 'Ask a question' }).click();
  const question = page.getByRole('dialog', { name: 'Ask about this course' });
  await question.getByLabel('Your question').fill('Who checks the thermometer?');
  await question.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(question.getByRole('listitem').filter({ hasText: 'Who checks the thermometer?' })).toContainText('Saved on this device');
  await expect(question.getByRole('listitem').filter({ hasText: '53 degrees scalds.' })).toContainText('Before the bath › How hot is it?');
  // It outlives the page, and is named where everything is that waits.
  await page.reload();
  await chip(page).click();
  await expect(page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Feedback on Safe bathing' })).toContainText(
    'problem reported, 1 question asked',
  );
  await page.keyboard.press('Escape');
  await server.start();
  await wake(page);
  await expect(chip(page)).toContainText('All sent');

  // The author sees how many wait, and where it is.
  await author.goto(`${server.url}/content-creator`);
  await author.getByRole('link', { name: '1 open question and 1 reported problem' }).click();
  await expect(author.getByRole('heading', { level: 1, name: 'Feedback' })).toBeVisible();
  const reported = author.getByRole('article', { name: 'Problem of Amara Okafor' });
  await expect(reported).toContainText('Before the bath › How hot is it?');
  await expect(reported.getByRole('link', { name: 'Open where it is' })).toHaveAttribute('href', `/content-creator/topics/update/${topic.id}`);
  await look(author, 'feedback-list');
  await expectLargeTargets(author, 'feedback-list');
  await reported.getByRole('button', { name: 'Answer' }).click();
  const answer = author.getByRole('dialog', { name: 'Answer' });
  await answer.getByRole('radio', { name: 'It is mended' }).check();
  await answer.getByLabel('Mended in').selectOption({ label: 'Version 2, which is not published yet' });
  await answer.getByLabel('Your words to Amara Okafor').fill('It has to be 43. Thank you!');
  await look(author, 'feedback-answer');
  await answer.getByRole('button', { name: 'Send' }).click();
  await expect(reported).toHaveCount(0);
  await author.goto(`${server.url}/content-creator/content/elearning/update/${content.id}`);
  await author.getByRole('tab', { name: 'Feedback' }).click();
  await expect(author.getByText('Mended in version 2')).toBeVisible();
  await look(author, 'content-feedback');
  await office.context.close();

  // The learner reads it at the course, and in the messages, also without the server.
  await page.goto(`${server.url}/messages`);
  await expect(page.getByText('It has to be 43. Thank you!').first()).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Ask a question' }).click();
  const mended = question.getByRole('listitem').filter({ hasText: '53 degrees scalds.' });
  await expect(mended).toContainText('Mended in version 2');
  await server.stop();
  await page.reload();
  await page.getByRole('button', { name: 'Ask a question' }).click();
  await expect(mended).toContainText('It has to be 43. Thank you!');
  await look(page, 'own-feedback');
});
