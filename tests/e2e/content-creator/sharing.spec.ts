import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

type Thing = { id: string; rev: number };
const text = (words: string) => [{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }] } }];

test('an author shares a course with an organisation below, and is told what happens before it is taken back or withdrawn @online', async ({
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

  await page.goto(`${server.url}/content-creator/courses/update/${course.id}`);
  const uses = page.getByRole('region', { name: 'Who takes it' });
  await uses.getByRole('button', { name: 'Share the course …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Organisations').fill('House');
  await page.getByRole('option', { name: 'Willowbrook House' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog.getByLabel('For job roles')).toBeVisible();
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByText('It is shared with 1 organisation.')).toBeVisible();
  await expect(uses.getByRole('link', { name: 'Willowbrook House' })).toBeVisible();
  await look(page, 'course-shared');
  await uses.getByRole('button', { name: 'Take it back from Willowbrook House …' }).click();
  await expect(dialog.getByRole('list', { name: 'What happens' })).toContainText(
    'People there can still begin it: an organisation above has it too.',
  );
  await look(page, 'course-taken-back');
  await dialog.getByRole('button', { name: 'Take it back' }).click();
  await expect(uses.getByRole('link', { name: 'Willowbrook House' })).toHaveCount(0);

  // What somebody else saved of the course in the meantime is compared, and not overwritten.
  await page.getByLabel('Short title').fill('Baths');
  await api(page, 'PATCH', `/courses/${course.id}`, { short_title: 'In the bath' });
  await button('Save').click();
  await expect(page.getByRole('group', { name: 'Which version do you want to keep?' })).toContainText('Short title: In the bath');
  await button('Save what I entered').click();
  await expect(page.getByText('Course has been updated.')).toBeVisible();

  // Before it is deleted it is said what keeps it, or what goes with it.
  await button('Delete …').click();
  await expect(dialog.getByRole('list', { name: 'What needs it' })).toContainText('1 content belongs to it.');
  await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0);
  await look(page, 'course-kept');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  const spare = await make('/courses', { title: 'Not needed', short_title: 'Not needed' });
  await page.goto(`${server.url}/content-creator/courses/update/${spare.id}`);
  await button('Delete …').click();
  await expect(dialog.getByRole('list', { name: 'What happens' })).toContainText('It cannot be brought back.');
  await look(page, 'course-deleted');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Course has been deleted.')).toBeVisible();

  await page.goto(`${server.url}/content-creator/content/elearning/update/${content.id}`);
  await button('Withdraw …').click();
  await expect(dialog.getByRole('list', { name: 'What happens' })).toContainText('Nobody of yours is taking it.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('tab', { name: 'Who takes it' }).click();
  await expect(page.getByRole('button', { name: 'Share this content …' })).toBeVisible();
  await look(page, 'content-uses');

  // The course of another organisation cannot be changed, but is looked at, and it is seen who takes it.
  await page.goto(`${server.url}/content-creator/courses/update/${demoId('course:Fire safety')}`);
  await expect(page.getByText('and only they can change it.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What people learn' }).getByRole('link')).not.toHaveCount(0);
  await expect(uses.getByRole('listitem')).not.toHaveCount(0);
  await look(page, 'course-of-others');
});

test('two authors see that the other has the same topic open, until one of them leaves @online', async ({ page, server, browser }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const topic = await api<Thing>(page, 'POST', '/topics', { title: 'How hot is it?', blocks: text('Never above 43 degrees.') });
  const address = `${server.url}/content-creator/topics/update/${topic.id}`;
  await page.goto(address);
  await expect(page.getByRole('textbox', { name: 'Text of the topic' })).toBeVisible();
  const others = (of: typeof page) => of.getByRole('status', { name: 'Who else is editing' });
  await expect(others(page)).toBeEmpty();
  const second = await browser.newContext();
  const colleague = await second.newPage();
  await signIn(colleague, server, 'super@lantern.test');
  await colleague.goto(address);
  await expect(others(colleague)).toContainText('is also editing this topic since');
  // Presence is updated at the next report: triggered immediately, as on returning to the page.
  await page.evaluate(() => dispatchEvent(new Event('pageshow')));
  await expect(others(page)).toContainText('is also editing this topic since');
  await look(page, 'topic-presence');
  await second.setOffline(true);
  await colleague.evaluate(() => dispatchEvent(new Event('pageshow')));
  await expect(others(colleague)).toContainText('Without a connection it cannot be known');
  await second.setOffline(false);
  await colleague.goto(`${server.url}/content-creator/topics`);
  await expect(colleague.getByRole('heading', { level: 1 })).toBeVisible();
  // What the other says as they leave may arrive after what is asked here.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('pageshow')));
    await expect(others(page)).toBeEmpty({ timeout: 1000 });
  }).toPass();
  await second.close();
});
