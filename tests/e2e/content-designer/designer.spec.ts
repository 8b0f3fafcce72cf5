import type { Locator, Page } from '@playwright/test';
import type { DesignedContent } from '#contract/entities/designed-content.ts';
import { designFrom } from '#contract/design-templates.ts';
import { api, draftIsKept, expect, newDevice, signIn, tabTo, test } from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

/** What a person without a mouse does: goes to something with Tab, and presses a key there. */
const press = async (page: Page, target: Locator, key = 'Enter') => {
  await expect(target).toBeVisible();
  await tabTo(page, target);
  await page.keyboard.press(key);
};
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const write = async (page: Page, label: string, text: string) => {
  await tabTo(page, page.getByRole('textbox', { name: label, exact: true }));
  await page.keyboard.type(text);
};
const add = async (page: Page, kind: string) => {
  await press(page, button(page, 'Add a block'));
  const item = page.getByRole('menuitem', { name: new RegExp(`^${kind}`) });
  await expect(item).toBeVisible();
  for (let i = 0; i < 12 && !(await item.evaluate((e) => e === document.activeElement)); i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
};
const kindsOf = async (page: Page, id: string) => {
  const { design } = await api<DesignedContent>(page, 'GET', `/designed-contents/${id}`);
  return design.pages.map((p) => p.rows.map((row) => row.blocks.map((b) => b.kind)));
};

test('an author designs a policy to read and sign with the keyboard alone, over an undo and a reload, and publishes it @online', async ({
  page,
  server,
}) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/content-designer`);
  await expect(page.getByRole('link', { name: /^Toolbox talk: hot drinks/ })).toBeVisible();
  await press(page, page.getByRole('link', { name: 'Design a content' }));
  await tabTo(page, page.getByRole('radio', { name: /^Empty/ }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /^Policy/ })).toBeChecked();
  await look(page, 'designer-create');
  await page.setViewportSize(desktop);
  await write(page, 'Title', 'Gifts and favours');
  await tabTo(page, page.getByRole('combobox', { name: 'Course' }));
  await page.keyboard.type('Fire safety');
  await expect(page.getByRole('option', { name: 'Fire safety', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await press(page, button(page, 'Save and design it'));
  await expect(page.getByRole('heading', { level: 1, name: 'Gifts and favours' })).toBeVisible();
  const id = page.url().split('/').at(-1) as string;

  await add(page, 'Scenario');
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toBeFocused();
  await page.keyboard.type('A box of chocolates');
  await write(page, 'What happens in step 1', 'A family gives you chocolates.');
  await write(page, 'Choice 1 of step 1', 'Share them with the team');
  await expect(page.getByText('Choice 2 of step 1 has no text.').first()).toBeVisible();
  await write(page, 'Choice 2 of step 1', 'Keep them');
  await write(page, 'What happens in step 2', 'Everybody is glad.');
  await write(page, 'What happens in step 3', 'The others hear of it.');
  await expect(page.getByRole('region', { name: 'Before it can be published' })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Scenario: A box of chocolates')).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByText('Scenario: A box of chocolates is now in row 2 of 3.', { exact: true })).toBeAttached();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.getByText(/is now in row 2 of 2, column 1 of 3/)).toBeAttached();

  await add(page, 'Question');
  await expect(page.getByRole('combobox', { name: 'Kind of question 1' })).toBeFocused();
  await page.keyboard.press('t');
  await expect(page.getByRole('combobox', { name: 'Kind of question 1' })).toHaveValue('true_false');
  await write(page, 'Question 1', 'Cash may be taken.');
  await expect(page.getByText('1 question not finished: kept on this device alone')).toBeVisible();
  await press(page, page.getByRole('radio', { name: 'True', exact: true }), 'Space');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'False', exact: true })).toBeChecked();

  // Everything is undone in one history, and done again; also over a reload.
  const until = async (keys: string, there: Locator) => {
    for (let i = 0; i < 8 && !(await there.isVisible()); i++) await page.keyboard.press(keys);
    await expect(there).toBeVisible();
  };
  await until('Control+z', button(page, 'Redo: Add “Question”'));
  await expect(button(page, /^Question/)).toBeHidden();
  await expect(button(page, 'Undo: Move “Scenario: A box of chocolates”')).toBeVisible();
  await until('Control+Shift+z', button(page, 'Redo'));
  await expect(button(page, 'Question: Cash may be taken.')).toBeVisible();
  await expect(page.getByText('Kept on this device, not saved yet')).toBeVisible();
  await draftIsKept(page);
  await page.reload();
  await expect(button(page, 'Question: Cash may be taken.')).toBeVisible();
  await press(page, button(page, /^Undo: /));
  await press(page, button(page, /^Redo: /));
  await look(page, 'designer');
  await expectLargeTargets(page, 'designer');
  await lookOnDesktop(page, 'designer');

  await tabTo(page, page.getByRole('radio', { name: 'Write', exact: true }));
  await page.keyboard.press('ArrowRight');
  const seen = page.frameLocator('iframe[title="What a learner sees"]');
  await expect(seen.getByText('A family gives you chocolates.')).toBeVisible();
  await lookOnDesktop(page, 'designer-preview');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Content has been updated.')).toBeVisible();
  expect(await kindsOf(page, id)).toEqual([
    [['text'], ['scenario', 'text', 'text'], ['question']],
    [['text'], ['acknowledgement']],
  ]);
  // It stands before the tools.
  for (let i = 0; i < 20 && !(await button(page, 'Publish …').evaluate((e) => e === document.activeElement)); i++)
    await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
  await expect(page.getByText('Version 1 is published.')).toBeVisible();
  await page.goto(`${server.url}/content-designer`);
  await expect(page.getByRole('link', { name: /Gifts and favours/ })).toBeVisible();
  await look(page, 'designer-list');
});

test('blocks are dragged beside each other, spots are put on a picture, and two authors are compared @online', async ({ page, browser, server }) => {
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  const [course] = await api<{ id: string }[]>(page, 'GET', '/courses');
  const design = designFrom('toolbox');
  const { id } = await api<{ id: string }>(page, 'POST', '/designed-contents', { title: 'Wet floors', course_id: course?.id, design });
  await page.goto(`${server.url}/content-designer/${id}`);
  await button(page, 'Add a block').click();
  await page.getByRole('menuitem', { name: /^Picture/ }).click();
  const chosen = page.waitForEvent('filechooser');
  await button(page, 'Choose a picture').click();
  await (await chosen).setFiles('public/icons/lantern-512.png');
  await page.getByLabel('What the picture shows').fill('A lantern');
  await expect(button(page, 'Picture: A lantern')).toBeVisible();
  const picture = page.locator('img[alt="A lantern"]').last();
  await picture.click({ position: { x: 60, y: 60 } });
  const spot = button(page, /^Spot 1: /);
  await expect(spot).toBeVisible();
  const before = await spot.getAttribute('aria-label');
  await spot.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(spot).not.toHaveAttribute('aria-label', before ?? '');
  await page.getByLabel('Title of spot 1').fill('The handle');
  await lookOnDesktop(page, 'designer-picture');

  // From its row to the side of the question.
  await page.setViewportSize({ ...desktop, height: 2000 });
  const grip = (await page
    .getByRole('region', { name: /^Picture: A lantern, row 4/ })
    .getByTitle('Drag to move')
    .boundingBox()) as { x: number; y: number };
  const question = (await page.getByRole('region', { name: /^Question/ }).boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(grip.x + 10, grip.y + 20);
  await page.mouse.down();
  await page.mouse.move(grip.x + 30, grip.y, { steps: 4 });
  await page.mouse.move(question.x + question.width + 8, question.y + question.height / 2, { steps: 8 });
  await page.mouse.up();
  await expect(page.getByText('Picture: A lantern is now in row 2 of 3, column 2 of 2.')).toBeAttached();

  const colleague = await newDevice(browser);
  await signIn(colleague.page, server, 'admin@willowbrook.test');
  await api(colleague.page, 'PATCH', `/designed-contents/${id}`, { design: { ...design, theme: 'tint' } });
  await colleague.context.close();
  await button(page, 'Save').click();
  await expect(page.getByText(/Somebody else changed this/)).toBeVisible();
  await expect(page.getByText('Look: Tinted')).toBeVisible();
  await look(page, 'designer-conflict');
  await button(page, 'Save what I entered').click();
  await expect(page.getByText('Content has been updated.')).toBeVisible();
  expect(await kindsOf(page, id)).toEqual([[['text', 'text'], ['question', 'picture'], ['acknowledgement']]]);

  // A text that is too long is neither cut off nor lost, over a reload either; the sentence says where it is.
  const long = 'Wet floors '.repeat(40);
  await page.getByLabel('Title of the page').fill(long);
  await button(page, 'Save').click();
  await expect(page.getByText('Title of the page: Use no more than 200 characters.')).toBeVisible();
  await expect(page.getByText('Kept on this device, not saved yet')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Title of the page')).toHaveValue(long);
  await expect(page.getByLabel('Title of the page')).toHaveAccessibleDescription('Use no more than 200 characters.');
  await page.getByLabel('Title of the page').fill('Wet floors');
  await button(page, 'Save').click();
  await expect(page.getByText('Content has been updated.')).toBeVisible();

  // A full disk: what is not kept is not said to be.
  await page.getByLabel('Title of the page').fill('Wet floors, today');
  await expect(page.getByText('Kept on this device, not saved yet')).toBeVisible();
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...row) {
      if (this.name === 'kv') throw new DOMException('The disk is full.', 'QuotaExceededError');
      return put.apply(this, row);
    };
  });
  await page.getByLabel('Title of the page').fill('Wet floors, tomorrow');
  await expect(page.getByText('What you type cannot be kept on this device now')).toBeVisible();
  await expect(page.getByText('Not saved yet', { exact: true })).toBeVisible();
});
