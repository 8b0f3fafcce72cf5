import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, chip, course, courseSaved, expect, goTo, keepCourse, newDevice, signIn, tabTo, test, wake } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

/** As a keyboard user: moves the focus to something with Tab, and presses a key there. */
const press = async (page: Page, target: Locator, key = 'Enter') => {
  await expect(target).toBeVisible();
  await tabTo(page, target);
  await page.keyboard.press(key);
};
const type = async (page: Page, label: string | RegExp, text: string, within: Page | Locator = page) => {
  const field = within.getByLabel(label, { exact: typeof label === 'string' });
  await expect(field).toBeVisible();
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
};
/** Chooses from the open menu, which takes the focus once it is rendered. */
const pick = async (page: Page, name: string) => {
  const item = page.getByRole('menuitem', { name });
  await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1);
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(item).toBeFocused({ timeout: 100 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press('Enter');
};
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const pairs = [
  ['Thermometer', 'Warmth'],
  ['Mat', 'Grip'],
  ['Screen', 'Dignity'],
] as const;
const steps = ['Test the water', 'Help them in', 'Stay with them'];
const text = (words: string) => [{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }] } }];

test('a training lead makes a course with the keyboard alone; a care worker takes it without a connection', async ({ page, browser, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'Content');
  await press(page, page.getByRole('link', { name: 'Make a course' }));
  await type(page, /^Title/, 'Safe bathing');
  await type(page, /^Short title/, 'Bathing');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Course has been created.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Safe bathing' })).toBeVisible();
  await expect(page).toHaveURL(/\/courses\/update\//);
  const courseId = page.url().split('/').at(-1);

  await press(page, button(page, 'Add a content'));
  await pick(page, 'E-learning');
  await expect(page.getByRole('combobox', { name: 'Course' })).toHaveValue('Safe bathing');
  await type(page, /^Title/, 'Bathing somebody safely');
  await press(page, button(page, 'Save and continue'));
  await expect(page.getByText('Content has been created.')).toBeVisible();
  const elearning = page.url();

  for (const title of ['The bath itself', 'Before the bath']) {
    await type(page, 'New lesson', title);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: title })).toBeVisible();
  }
  await press(page, button(page, 'Move “Before the bath” up'));
  await expect(page.getByText('Lesson has been re-ordered.')).toBeVisible();
  const lessons = page.getByRole('list', { name: 'Lessons in their order' });
  await expect(lessons.getByRole('link').first()).toHaveText('Before the bath');
  await press(page, button(page, 'Remove “The bath itself” from this e-learning'));
  await expect(page.getByText('Lesson has been removed.')).toBeVisible();
  await type(page, 'New quiz', 'Bathing check');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Quiz has been added.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Before it can be published' })).toContainText('Bathing check');
  await look(page, 'elearning-structure');

  await press(page, page.getByRole('link', { name: 'Before the bath', exact: true }));
  await type(page, 'New topic', 'How hot is the water?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Topic has been added.')).toBeVisible();
  await press(page, page.getByRole('link', { name: 'How hot is the water?' }));
  const writing = page.getByRole('textbox', { name: 'Text of the topic' });
  await expect(writing).toBeVisible();
  const topicId = page.url().split('/').at(-1);
  await writing.press('Control+End');
  await page.keyboard.insertText('Never above 43 degrees.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Alt+i');
  await page.keyboard.press('Enter');
  await pick(page, 'Callout: danger');
  await expect(writing).toBeFocused();
  await page.keyboard.insertText('Hot water burns within seconds.');
  // A practice question: where it is written, and what it still needs.
  await page.keyboard.press('Alt+i');
  await page.keyboard.press('Enter');
  await pick(page, 'Question for practice');
  const asked = page.getByRole('textbox', { name: 'Question 1', exact: true });
  await expect(asked).toBeFocused();
  await page.keyboard.insertText('How do you test the water?');
  await press(page, page.getByRole('radio', { name: 'Answer 1 is right' }), 'Space');
  await type(page, 'Answer 1', 'With a thermometer');
  await type(page, 'Answer 2', 'With your elbow');
  await expect(page.getByRole('button', { name: /“How do you test the water\?” is not finished. Enter an answer/ })).toBeVisible();
  await press(page, button(page, 'Remove answer 3'));
  await type(page, 'Explanation of question 1', 'An elbow does not tell degrees.');
  await page.keyboard.press('Escape');
  await expect(writing).toBeFocused();
  await expect(page.getByText('No accessibility problems found.')).toBeVisible();
  const beside = page.frameLocator('iframe[title="What a learner sees"]');
  await expect(beside.getByRole('radio', { name: 'With your elbow' })).toBeVisible();
  await look(page, 'topic-question');
  await press(page, button(page, 'Save'));
  await expect(page.getByText('Topic has been updated.')).toBeVisible();

  await page.goto(elearning);
  await press(page, page.getByRole('link', { name: 'Bathing check', exact: true }));
  const add = async (kind: string) => {
    await press(page, button(page, 'Add a question'));
    await pick(page, kind);
    // What is asked is typed at once.
    await expect(page.getByRole('textbox', { name: /^Question \d/ }).last()).toBeFocused();
  };
  await add('One right answer');
  await type(page, 'Question 1 *', 'How hot may the water be?');
  await press(page, page.getByRole('radio', { name: 'Answer 1 is right' }), 'ArrowDown');
  // Missing parts are reported at their question, and nothing is lost.
  await press(page, button(page, 'Save'));
  await expect(page.getByText('There are 3 problems')).toBeVisible();
  await expect(button(page, 'Question 1, answer 1: Enter an answer.')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Answer 1', { exact: true })).toBeFocused();
  for (const [i, words] of ['60 degrees', '43 degrees', 'As hot as it gets'].entries()) await type(page, `Answer ${i + 1}`, words);
  await add('Fill in the gaps');
  await type(page, 'Question 2 *', 'Complete the sentence.');
  await type(page, 'Text of question 2', 'Test it with a [thermometer|water thermometer] for [20] seconds first.');
  await expect(page.getByText('thermometer or water thermometer')).toBeVisible();
  await add('True or false');
  await type(page, 'Question 3 *', 'Somebody is never left alone in the bath.');
  await press(page, page.getByRole('radio', { name: 'True', exact: true }), 'Space');
  await add('Several right answers');
  await type(page, 'Question 4 *', 'What is ready before the bath?');
  const several = page.getByRole('group', { name: 'Answers of question 4' });
  for (const [i, words] of ['Towels', 'Clean clothes', 'A warm room'].entries()) {
    await press(page, several.getByRole('checkbox', { name: `Answer ${i + 1} is right` }), 'Space');
    await type(page, `Answer ${i + 1}`, words, several);
  }
  await add('Match pairs');
  await type(page, 'Question 5 *', 'What is it for?');
  for (const [i, [left, right]] of pairs.entries()) {
    await type(page, `Left side of pair ${i + 1}`, left);
    await type(page, `Right side of pair ${i + 1}`, right);
  }
  await add('Put in order');
  await type(page, 'Question 6 *', 'What comes first?');
  for (const [i, words] of steps.entries()) await type(page, `Step ${i + 1}`, words);
  await add('Written answer');
  await type(page, 'Question 7 *', 'How do you keep their dignity?');
  // It stands before its question.
  await button(page, 'Move “Somebody is never left alone in the bath.” up').press('Enter');
  await look(page, 'quiz-builder');
  await press(page, button(page, 'As learners see it …'));
  const preview = page.getByRole('dialog', { name: 'As learners see it' });
  await expect(preview.getByRole('radio', { name: '43 degrees' })).toBeVisible();
  await expect(preview.getByLabel('Gap 1')).toBeVisible();
  await expect(preview.getByLabel('Gap 2')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, 'As learners see it …')).toBeFocused();
  await press(page, button(page, 'Save'));
  await expect(page.getByText('Quiz has been updated.')).toBeVisible();
  await page.reload();
  await press(page, page.getByRole('button', { name: /^3\. Complete the sentence/ }));
  await expect(page.getByLabel('Text of question 3')).toHaveValue('Test it with a [thermometer|water thermometer] for [20] seconds first.');

  await page.goto(elearning);
  await expect(page.getByText('Asks all of its 7 questions')).toBeVisible();
  // The number is saved when its field is left: no button of its own is forgotten.
  for (const [typed, words] of [
    ['6', 'Asks 6 of 7 questions'],
    ['0', 'Asks all of its 7 questions'],
  ] as const) {
    await type(page, 'Questions asked by “Bathing check”', typed);
    await page.keyboard.press('Tab');
    await expect(page.getByText(words)).toBeVisible();
  }
  // An optional lesson is not required; the completion sentence says what is.
  const more = await api<{ id: string }>(page, 'POST', '/lessons', { title: 'Want to know more?' });
  const extra = await api<{ id: string }>(page, 'POST', '/topics', { title: 'Scald injuries', blocks: text('What the figures say.') });
  await api(page, 'POST', `/lessons/${more.id}/topics`, { action: 'add', topic_id: extra.id });
  await api(page, 'POST', `/content/${elearning.split('/').at(-1)}/lessons`, { action: 'add', lesson_id: more.id });
  await page.reload();
  const needed = page.getByRole('checkbox', { name: 'Needed to complete it: Want to know more?' });
  await expect(page.getByText('Complete when all topics are read, and the quiz “Bathing check” is passed with 80 %.')).toBeVisible();
  await press(page, needed, 'Space');
  await expect(page.getByText(/^Complete when .* of the lesson “Before the bath” .* read, and the quiz/)).toBeVisible();
  await expect(needed).not.toBeChecked();
  await look(page, 'what-completes-it');
  await press(page, button(page, 'Publish …'));
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }));
  await expect(page.getByText('Version 1 is published.')).toBeVisible();
  await expect(button(page, 'Publish …')).toHaveCount(0);

  // From now on it is required of care workers.
  await api(page, 'POST', '/compliance', { role_id: demoId('role:group:care'), course_id: courseId, type: 'primary' });
  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, 'learner@willowbrook.test');
  await keepCourse(tablet.page, 'Safe bathing');
  await server.stop();
  await tablet.page.reload();
  await course(tablet.page, 'Safe bathing').getByRole('button', { name: 'Start' }).click();
  await expect(tablet.page.getByText('Never above 43 degrees.')).toBeVisible();
  // Marked at once, without the server.
  const practice = tablet.page.getByRole('region', { name: 'How do you test the water?' });
  await practice.getByRole('radio', { name: 'With your elbow' }).check();
  await practice.getByRole('button', { name: 'Check' }).click();
  await expect(practice.getByRole('status')).toContainText('Not right. You can change your answer. An elbow does not tell degrees.');
  await practice.getByRole('radio', { name: 'With a thermometer' }).check();
  await practice.getByRole('button', { name: 'Check' }).click();
  await expect(practice.getByRole('status')).toContainText('Right.');
  await look(tablet.page, 'topic-question-answered');
  await tablet.page.reload();
  await expect(practice.getByRole('radio', { name: 'With a thermometer' })).toBeChecked();

  // Meanwhile the content is changed. People who have started finish the version that they began.
  await server.start();
  await api(page, 'PATCH', `/topics/${topicId}`, { blocks: text('Never above 41 degrees.') });
  const quizId = (await api<{ quizzes: { id: string }[] }>(page, 'GET', `/content/${elearning.split('/').at(-1)}`)).quizzes[0]?.id;
  await api(page, 'PATCH', `/quizzes/${quizId}`, { questions: [{ kind: 'true_false', prompt: 'All is new.', correct: false, feedback: '' }] });
  await page.goto(elearning);
  await press(page, button(page, 'Publish …'));
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }));
  await expect(page.getByText('Version 2 is published.')).toBeVisible();
  await server.stop();

  const learner = tablet.page;
  await button(learner, 'Next').click();
  await expect(learner.getByText('What the figures say.')).toBeVisible();
  await button(learner, 'Contents of the course').click();
  await expect(learner.getByRole('navigation', { name: 'Contents of the course' })).toContainText('Scald injuries (not required)');
  await learner.keyboard.press('Escape');
  await button(learner, 'Skip').click();
  await learner.getByRole('radio', { name: '43 degrees' }).check();
  await learner.getByLabel('Gap 1').fill('Thermometer');
  await learner.getByLabel('Gap 2').fill('20');
  await learner.getByRole('radio', { name: 'True' }).check();
  for (const name of ['Towels', 'Clean clothes', 'A warm room']) await learner.getByRole('checkbox', { name }).check();
  for (const [left, right] of pairs) await learner.getByRole('combobox', { name: left }).selectOption(right);
  for (const [place, words] of steps.entries()) {
    const shown = learner.getByRole('listitem').filter({ hasText: new RegExp(`^\\d\\. (${steps.join('|')})`) });
    for (let at = (await shown.allTextContents()).findIndex((t) => t.includes(words)); at > place; at--)
      await button(learner, `Move “${words}” up`).click();
  }
  await learner
    .getByLabel('How do you keep their dignity?')
    .fill(
      'I close the door, keep them covered with a towel, and ask before I touch or wash them. I tell them what I do next, and wait until they say yes.',
    );
  await button(learner, 'Hand in').click();
  await expect(learner.getByText('Handed in and saved on this device.')).toBeVisible();
  await server.start();
  await wake(learner);
  await expect(chip(learner)).toContainText(/All sent/);
  await expect(courseSaved(learner)).toHaveText('Received');
  await expect(learner.getByText('Passed: 100 %')).toBeVisible();

  await page.goto(`${elearning}?tab=versions`);
  await expect(page.getByRole('row', { name: /Version 2/ })).toContainText('Taken now');
  // Recorded on the version that they began; nobody is on the next one yet.
  const versions = await api<{ version: number; people: number; open: number }[]>(page, 'GET', `/content/${elearning.split('/').at(-1)}/versions`);
  expect(versions.map(({ version, people, open }) => [version, people, open])).toEqual([
    [2, 0, 0],
    [1, 1, 0],
  ]);
});

test('two people write a quiz at once; questions are dragged, taken from the bank and cut; a picture is cropped @online', async ({
  page,
  browser,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const { id } = await api<{ id: string }>(page, 'POST', '/quizzes', {
    title: 'Laundry',
    questions: ['One', 'Two', 'Three'].map((prompt) => ({ kind: 'true_false', prompt, correct: true, feedback: '' })),
  });
  await api(page, 'POST', '/quizzes', {
    title: 'Kitchen',
    questions: [{ kind: 'free_text', prompt: 'Why do you wash your hands?', feedback: '', min_words: 5 }],
  });
  const address = `${server.url}/content-creator/quizzes/update/${id}`;
  await page.goto(address);
  const questions = page.getByRole('list', { name: 'Questions in their order' });
  const heads = questions.getByRole('button', { name: /^\d+\. / });
  await expect(heads).toHaveText([/^1\. One/, /^2\. Two/, /^3\. Three/]);
  const first = await questions.getByTitle('Drag to move').first().boundingBox();
  const third = await questions.getByTitle('Drag to move').nth(2).boundingBox();
  if (!first || !third) throw new Error('there is nothing to drag');
  await page.mouse.move(first.x + 10, first.y + 20);
  await page.mouse.down();
  await page.mouse.move(first.x + 10, first.y + 60, { steps: 4 });
  await page.mouse.move(third.x + 10, third.y + 30, { steps: 8 });
  await page.mouse.up();
  await expect(page.getByText('Question has been re-ordered.')).toBeVisible();
  await expect(heads).toHaveText([/^1\. Two/, /^2\. Three/, /^3\. One/]);

  // Somebody else saves first: what is typed here stays, and both versions are shown.
  // A title that is too long stays as it was pasted, with a sentence at its field.
  const title = page.getByLabel('Title', { exact: false }).first();
  await title.fill('Laundry '.repeat(63));
  await button(page, 'Save').click();
  await expect(button(page, 'Title: Use no more than 200 characters.')).toBeVisible();
  await expect(title).toHaveAccessibleDescription('Use no more than 200 characters.');
  await expect(title).toHaveValue('Laundry '.repeat(63));
  await title.fill('Laundry and bedding');
  await button(page, 'From the question bank …').click();
  const bank = page.getByRole('dialog', { name: 'Question bank' });
  await bank.getByLabel('Find a question').fill('wash');
  await bank.getByRole('button', { name: 'Add “Why do you wash your hands?”' }).click();
  await expect(bank.getByText('Add again')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(heads).toHaveCount(4);
  const colleague = await newDevice(browser);
  await signIn(colleague.page, server, 'admin@willowbrook.test');
  await api(colleague.page, 'PATCH', `/quizzes/${id}`, { title: 'Washing clothes' });
  await colleague.context.close();
  await button(page, 'Save').click();
  await expect(page.getByText('Somebody else changed this in the meantime.')).toBeVisible();
  await expect(page.getByText('Title: Washing clothes')).toBeVisible();
  await look(page, 'quiz-conflict');
  await button(page, 'Save what I entered').click();
  await expect(page.getByText('Quiz has been updated.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Laundry and bedding' })).toBeVisible();
  await expect(heads).toHaveCount(4);

  await page.goto(`${server.url}/content-creator/content/face2face/create`);
  const chosen = page.waitForEvent('filechooser');
  await button(page, 'Choose a picture').click();
  await (await chosen).setFiles({ name: 'lantern.png', mimeType: 'image/png', buffer: await readFile('public/icons/lantern-512.png') });
  await page.getByLabel('Size of the picture').fill('2');
  await button(page, 'Use this part').click();
  await expect(page.getByText('Image has been uploaded.')).toBeVisible();
  await page.getByLabel('What the picture shows').fill('A lantern');
  await page.getByRole('combobox', { name: 'Course' }).click();
  await page.getByRole('option', { name: 'Fire safety', exact: true }).click();
  await page.getByLabel(/^Title/).fill('Fire drill');
  await button(page, 'Ask for something first').click();
  await page.getByRole('combobox', { name: 'One of these' }).click();
  await page
    .getByRole('option', { name: /^Fire safety/ })
    .first()
    .click();
  await page.keyboard.press('Escape');
  await look(page, 'content-form');
  await expectLargeTargets(page, 'content-form');
  await button(page, 'Save').click();
  await expect(page.getByText('Content has been created.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Fire drill' })).toBeVisible();
  await page.getByRole('tab', { name: 'Who takes it' }).click();
  await expect(page.getByRole('button', { name: 'Share this content …' })).toBeVisible();
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(page.getByLabel('What the picture shows')).toHaveValue('A lantern');

  await page.goto(address);
  await button(page, 'Delete …').click();
  await expect(page.getByText('No e-learning asks it. Delete it with its questions?')).toBeVisible();
  await button(page, 'Delete').click();
  await expect(page.getByText('Quiz has been deleted.')).toBeVisible();
  await expect(page).toHaveURL(/\/content-creator\/quizzes$/);
  await lookOnDesktop(page, 'quiz-list');
});
