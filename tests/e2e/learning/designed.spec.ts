import { designFrom } from '#contract/design-templates.ts';
import type { Design } from '#contract/entities/design.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, appIsKept, chip, course, courseSaved, expect, signIn, tabTo, test, wake } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

/** A course with a block of each kind that learners do something with. */
const designWithAll = (picture: object): Design => {
  const { pages, ...rest } = designFrom('competence');
  const id = () => crypto.randomUUID();
  const first = {
    ...{ id: id(), title: 'The hoist', required: true },
    rows: [
      {
        id: 'a',
        blocks: [
          {
            ...{ id: id(), kind: 'picture', required: true, media: picture, alt: 'A hoist', decorative: false, caption: 'The hoist of room 4' },
            spots: [
              { id: 's1', x: 30, y: 40, title: 'Brake', text: 'Both brakes are on before you lift.' },
              { id: 's2', x: 75, y: 60, title: 'Sling', text: 'Look for frayed seams.' },
            ],
          },
          {
            ...{ id: id(), kind: 'cards', required: true, title: 'Who helps' },
            cards: [{ id: 'c1', front: 'Lifting alone?', back: 'Never: two people work a hoist.' }],
          },
        ],
      },
      {
        id: 'b',
        blocks: [
          {
            ...{ id: id(), kind: 'question', required: true, scored: false },
            question: { kind: 'true_false', prompt: 'One person is enough for a hoist.', correct: false, feedback: 'Always two.' },
          },
        ],
      },
    ],
  };
  const last = {
    id: id(),
    title: 'Sign',
    required: false,
    rows: [{ id: 'a', blocks: [{ id: id(), kind: 'acknowledgement', required: true, text: 'I will only lift as I have learned it.' }] }],
  };
  return { ...rest, pages: [first, ...pages, last] } as Design;
};

test('a learner takes a designed course with the keyboard and without the server; it is recorded once', async ({ page, browser, server }) => {
  test.slow();
  const office = await browser.newContext();
  const author = await office.newPage();
  await signIn(author, server, 'admin@willowbrook.test');
  const courseId = (await api<{ id: string }>(author, 'POST', '/courses', { title: 'Hoists', short_title: 'Hoists' })).id;
  const picture = await author.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 500 });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.fillStyle = '#8fb8c9';
    context.fillRect(0, 0, 800, 500);
    const form = new FormData();
    form.append('file', await new Promise<Blob>((done) => canvas.toBlob((blob) => done(blob as Blob))), 'hoist.png');
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
    const sent = await fetch('/api/content/images', { method: 'POST', body: form, headers: { 'x-xsrf-token': token } });
    return ((await sent.json()) as { data: object }).data;
  });
  const design = designWithAll(picture);
  const { id } = await api<{ id: string }>(author, 'POST', '/designed-contents', { course_id: courseId, title: 'Using a hoist', design });
  await api(author, 'POST', `/content/${id}/publish`, {});
  await api(author, 'POST', '/compliance', { role_id: demoId('role:group:care'), course_id: courseId, type: 'primary' });
  await office.close();

  await signIn(page, server, 'learner@willowbrook.test');
  const card = course(page, 'Hoists');
  await card.getByRole('button', { name: /^Make available offline/ }).click();
  await card.getByRole('button', { name: /^Download/ }).click();
  await expect(card).toContainText('Available offline');
  await appIsKept(page);
  await server.stop();
  await page.reload();
  await course(page, 'Hoists').getByRole('button', { name: 'Start' }).click();
  await expect(page).toHaveURL(/\/cattempt\//);
  await expect(page.getByRole('heading', { level: 1, name: 'The hoist' })).toBeVisible();
  await expect(page.getByText('Page 1 of 5')).toBeVisible();
  await expect.poll(() => page.getByRole('img', { name: 'A hoist' }).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(800);
  const left = page.getByRole('region', { name: 'Still to do on this page' });
  await expect(left.getByRole('button')).toHaveText(['Open every spot of the picture', 'Turn every card: Who helps', 'Answer the question']);

  const press = async (name: string | RegExp, key = 'Enter') => {
    const button = page.getByRole('button', { name, exact: typeof name === 'string' });
    await tabTo(page, button);
    await page.keyboard.press(key);
  };
  await press('Spot 1: Brake');
  await expect(page.getByText('Both brakes are on before you lift.')).toBeVisible();
  await press('Spot 2: Sling');
  await expect(page.getByText('All spots opened')).toBeVisible();
  await press(/^Lifting alone/);
  await expect(page.getByText('Never: two people work a hoist.')).toBeVisible();
  await look(page, 'designed-page');
  await tabTo(page, page.getByRole('radio', { name: 'True' }));
  await page.keyboard.press('Space');
  await press('Check');
  await expect(page.getByText('Not right. You can change your answer. Always two.')).toBeVisible();
  await expect(left).toHaveCount(0);
  await press('Next');
  await expect(page.getByRole('heading', { level: 1, name: 'The task, step by step' })).toBeFocused();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await press('Next');

  // The branch: a poor end leads to nothing, and half of the way back survives a fresh start of the page.
  await press('Go on, it has to be done');
  await expect(page.getByText('This is not a good end.')).toBeVisible();
  await press('Try again from the beginning');
  await press('Ask what is the matter');
  await expect(page.getByText('[Name] says that it hurts. What next?')).toBeFocused();
  await page.reload();
  await expect(page.getByText('[Name] says that it hurts. What next?')).toBeVisible();
  await look(page, 'designed-scenario');
  await press('Stop, record it and tell the nurse');
  await expect(page.getByText('You reached a good end')).toBeVisible();
  await press('Next');
  await page.getByRole('radio', { name: 'True' }).check();
  await press('Next');
  await press(/^Sign as Amara Okafor/);
  await expect(page.getByText('Signed by Amara Okafor')).toBeVisible();
  await press('Next');
  // What was answered on its page is here to be handed in; what is in order already is put so.
  await expect(page.getByRole('radio', { name: 'True' })).toBeChecked();
  const order = ['Ask for consent', 'Wash your hands', 'Do the task', 'Record it'];
  const up = page.getByRole('button', { name: /^Move .* up$/ });
  for (const [to, item] of order.entries())
    for (;;) {
      const names = await up.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
      if (names.findIndex((name) => name.includes(item)) <= to) break;
      await page.getByRole('button', { name: `Move “${item}” up` }).click();
    }
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('Handed in and saved on this device.')).toBeVisible();

  await server.start();
  await wake(page);
  await expect(chip(page)).toContainText(/All sent/);
  await expect(courseSaved(page)).toHaveText('Received');
  await expect(page.getByText('Passed: 100 %')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Course completed' })).toBeVisible();
  const records = await api<{ course_title: string; score: number }[]>(
    page,
    'GET',
    `/users/${demoId('user:learner@willowbrook.test')}/training-records`,
  );
  expect(records.filter((r) => r.course_title === 'Hoists').map((r) => r.score)).toEqual([100]);
});
