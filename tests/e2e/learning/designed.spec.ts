import { designFrom } from '#contract/design-templates.ts';
import type { Design } from '#contract/entities/design.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import {
  api,
  chip,
  course,
  courseSaved,
  draftIsKept,
  expect,
  keepCourse,
  newOffice,
  signIn,
  tabTo,
  test,
  wake,
} from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

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
  await keepCourse(page, 'Hoists');
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
  const again = page.getByRole('button', { name: 'Try again from the beginning' });
  await page.evaluate(() => {
    // Somebody presses the button before their choice is stored.
    new MutationObserver((_, watch) => {
      const button = [...document.querySelectorAll('button')].find((b) => b.textContent === 'Try again from the beginning');
      if (!button) return;
      watch.disconnect();
      button.focus();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await press('Go on, it has to be done');
  await expect(page.getByText('This is not a good end.')).toBeVisible();
  await draftIsKept(page);
  await expect(again).toBeFocused();
  await page.keyboard.press('Enter');
  await press('Ask what is the matter');
  await expect(page.getByText('[Name] says that it hurts. What next?')).toBeFocused();
  await draftIsKept(page);
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
  // The answers from its page are submitted here; an order that is already right is confirmed.
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

test('a film halts at the questions that its author put into it, also without the server and where somebody skips ahead', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  const office = await newOffice(browser);
  const author = office.page;
  await author.setViewportSize(desktop);
  await signIn(author, server, 'admin@willowbrook.test');
  const courseId = (await api<{ id: string }>(author, 'POST', '/courses', { title: 'Clean hands', short_title: 'Hands' })).id;
  const { id } = await api<{ id: string }>(author, 'POST', '/designed-contents', {
    ...{ course_id: courseId, title: 'Clean hands', design: designFrom('blank') },
  });
  await author.goto(`${server.url}/content-designer/${id}`);
  await author.getByRole('button', { name: 'Add a block' }).click();
  await author.getByRole('menuitem', { name: /^Video/ }).click();
  const chosen = author.waitForEvent('filechooser');
  await author.getByRole('button', { name: 'Choose a video', exact: true }).click();
  await (await chosen).setFiles('server/db/demo/media/hand-washing.mp4');
  await author.getByLabel('Title of the video').fill('How to wash');
  await author.getByLabel('Transcript').fill('Wet, soap, rub for twenty seconds, rinse, dry.');
  const edited = author.locator('video[aria-label="How to wash"]').first();
  await expect(edited).toBeVisible();
  await edited.evaluate(async (v: HTMLVideoElement) => {
    v.currentTime = 3;
    await new Promise((done) => v.addEventListener('seeked', done, { once: true }));
  });
  const ask = async (prompt: string, at: string, right: 'True' | 'False') => {
    await author.getByRole('button', { name: 'Add a question where the video stands' }).click();
    const asked = author.getByRole('group', { name: `Question at ${at}` });
    await asked.getByRole('combobox', { name: /^Kind of question/ }).selectOption('true_false');
    await asked.getByRole('textbox', { name: /^Question \d/ }).fill(prompt);
    await asked.getByRole('radio', { name: right, exact: true }).check();
    return asked;
  };
  await ask('Hands are wet before the soap.', '0:03', 'True');
  await author.getByRole('button', { name: /^0:03/ }).click();
  const second = await ask('Five seconds are enough.', '0:03', 'False');
  await second.getByLabel('The video halts at this second').fill('12');
  await author.getByRole('group', { name: 'Question at 0:12' }).getByRole('checkbox', { name: 'Scored' }).check();
  await lookOnDesktop(author, 'designer-film');
  await author.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(author.getByText('Content has been updated.')).toBeVisible();
  await api(author, 'POST', `/content/${id}/publish`, {});
  await api(author, 'POST', '/compliance', { role_id: demoId('role:group:care'), course_id: courseId, type: 'primary' });
  await office.context.close();

  await signIn(page, server, 'learner@willowbrook.test');
  await keepCourse(page, 'Clean hands');
  await server.stop();
  await page.reload();
  await course(page, 'Clean hands').getByRole('button', { name: 'Start' }).click();
  const film = page.getByRole('region', { name: 'How to wash' });
  const video = film.locator('video');
  const stands = () => video.evaluate((v: HTMLVideoElement) => ({ paused: v.paused, ended: v.ended, at: Math.floor(v.currentTime) }));
  await expect(film.getByRole('radio')).toHaveCount(0);
  await video.evaluate(async (v: HTMLVideoElement) => {
    v.muted = true;
    v.playbackRate = 4;
    await v.play();
  });
  await expect(film.getByRole('heading', { name: 'Hands are wet before the soap.' })).toBeVisible();
  expect(await stands()).toMatchObject({ paused: true, ended: false });
  // It goes on when the question was answered, and not before.
  await expect(film.getByRole('button', { name: 'Go on with the video' })).toHaveCount(0);
  await video.evaluate((v: HTMLVideoElement) => v.play().catch(() => undefined));
  await expect.poll(stands).toMatchObject({ paused: true });
  // It can be pressed anywhere on its card.
  const answer = film.getByRole('radio', { name: 'True' }).locator('xpath=ancestor::*[contains(@class, "option")]');
  const { width = 0, height = 0 } = (await answer.boundingBox()) ?? {};
  await answer.click({ position: { x: width - 6, y: height - 6 } });
  await expect(film.getByRole('radio', { name: 'True' })).toBeChecked();
  await film.getByRole('button', { name: 'Check' }).click();
  await look(page, 'designed-film');
  await expectLargeTargets(page, 'designed-film');
  await film.getByRole('button', { name: 'Go on with the video' }).click();
  await expect.poll(stands).toMatchObject({ paused: false });
  // Skipping past a question to the end asks it there.
  await video.evaluate((v: HTMLVideoElement) => {
    v.currentTime = v.duration - 1;
  });
  await expect(film.getByRole('heading', { name: 'Five seconds are enough.' })).toBeVisible();
  await expect.poll(stands).toMatchObject({ paused: true });
  // What was answered stays answered over a reload, and the question that was not is asked again on the way.
  await page.reload();
  await expect(film.getByText('Right.')).toBeVisible();
  await expect(film.getByText('1 of 2 questions of the video answered')).toBeVisible();
  await expect(film.getByRole('heading', { name: 'Five seconds are enough.' })).toHaveCount(0);
  await video.evaluate(async (v: HTMLVideoElement) => {
    v.muted = true;
    await v.play();
    v.currentTime = v.duration - 0.5;
  });
  await film.getByRole('region', { name: 'Five seconds are enough.' }).getByRole('radio', { name: 'False' }).check();
  const goOn = film.getByRole('button', { name: 'Go on with the video' });
  if (!(await stands()).ended) await goOn.click();
  await expect(film.getByText('Watched to its end')).toBeVisible();
  // At its end there is nothing to go on with.
  await expect(goOn).toHaveCount(0);
  expect(await stands()).toMatchObject({ ended: true });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('Handed in and saved on this device.')).toBeVisible();
  await server.start();
  await wake(page);
  await expect(courseSaved(page)).toHaveText('Received');
  await expect(page.getByText('Passed: 100 %')).toBeVisible();
});
