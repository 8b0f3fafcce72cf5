import { api, draftIsKept, expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

type Thing = { id: string; rev: number };
const text = (words: string) => [{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }] } }];

test('an author publishes again what was withdrawn, sees who takes it, and an old draft never replaces what a colleague wrote @online', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const make = <T = Thing>(path: string, body: object) => api<T>(page, 'POST', path, body);
  const course = await make('/courses', { title: 'Safe bathing', short_title: 'Bathing' });
  const content = await make('/content', { type: 'elearning', course_id: course.id, title: 'Bathing somebody safely' });
  const lesson = await make('/lessons', { title: 'Before the bath' });
  const topic = await make('/topics', { title: 'How hot is it?', blocks: text('Never above 43 degrees.') });
  await make(`/lessons/${lesson.id}/topics`, { action: 'add', topic_id: topic.id });
  await make(`/content/${content.id}/lessons`, { action: 'add', lesson_id: lesson.id });
  await make(`/content/${content.id}/publish`, {});
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

  // The next step: nobody is required to take it yet, and the link leads to the page where a job role requires it.
  await page.goto(`${server.url}/content-creator/content/elearning/update/${content.id}`);
  const next = page.getByRole('region', { name: 'Nobody has to take it yet' });
  await expect(next.getByRole('link', { name: 'Require it of a job role' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'E-learning' })).toBeVisible();

  // Topics are added, moved and taken out where the lesson stands.
  await button('Change its topics: Before the bath').click();
  await page.getByLabel('New topic').fill('Whom do I ask?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Topic has been added.')).toBeVisible();
  await button('Move “Whom do I ask?” up').click();
  await expect(page.getByText('Topic has been re-ordered.')).toBeVisible();
  await look(page, 'elearning-topics');

  await button('Withdraw …').click();
  await button('Withdraw').click();
  await expect(page.getByText('It is withdrawn.')).toBeVisible();
  await api(page, 'PATCH', `/topics/${(await api<{ topics: Thing[] }>(page, 'GET', `/content/${content.id}`)).topics[0]?.id}`, {
    blocks: text('Your manager.'),
  });
  await page.reload();
  await button('Publish …').click();
  const dialog = page.getByRole('dialog', { name: 'Publish again' });
  await expect(dialog.getByRole('radio', { name: /^Version 1, as it was/ })).toBeChecked();
  await dialog.getByRole('radio', { name: /^Version 2, with what was written since/ }).check();
  await expect(dialog.getByRole('region', { name: 'What changes' })).toContainText('New topic: “Whom do I ask?”.');
  await look(page, 'publish-again');
  await dialog.getByRole('radio', { name: /^Version 1, as it was/ }).check();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Version 1 is published · there are changes that are not')).toBeVisible();

  await page.goto(`${server.url}/content-creator`);
  await expect(page.getByRole('region', { name: 'Changed, and not published' }).getByRole('link')).toHaveText('Bathing somebody safely');

  // A draft edits the version it began from: after a reload it is compared with what a colleague saved since.
  await page.goto(`${server.url}/content-creator/topics/update/${topic.id}`);
  await page.getByLabel('Title').fill('How hot may the water be?');
  await draftIsKept(page);
  await api(page, 'PATCH', `/topics/${topic.id}`, { title: 'Test the water' });
  await page.reload();
  await button('Continue with it').click();
  await expect(page.getByRole('group', { name: 'Which version do you want to keep?' })).toContainText('Title: Test the water');
  // What was typed stays a change of that version, reload after reload.
  await draftIsKept(page);
  await page.reload();
  await button('Continue with it').click();
  await expect(page.getByText('Title: Test the water')).toBeVisible();
  await button('Load the other version').click();
  await expect(page.getByLabel('Title')).toHaveValue('Test the water');
});
