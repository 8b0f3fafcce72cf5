import { demoId } from '#server/db/demo/authoring.ts';
import { h5pFiles, zip } from '#tests/support/archives.ts';
import { chip, course, courseSaved, expect, keepCourse, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';
import { playInstead } from '#tests/support/play-instead.ts';

type Page = import('@playwright/test').Page;
const learner = 'sunita.patel@willowbrook.test';
const activity = (page: Page) => page.frameLocator('iframe[data-shown]');
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
/** The page of “Safeguarding adults” that has an activity which has to be finished. */
const open = async (page: Page) => {
  await course(page, 'Safeguarding adults').getByRole('button').first().click();
  await expect(courseSaved(page)).toBeVisible();
  await page.goto(`${page.url().replace(/\?.*/, '')}?step=${demoId('topic:safeguarding-adults:1:1')}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Keep safe, then report' })).toBeVisible();
};
const best = ['I cannot promise that', 'Thank you for telling me', 'Write down her own words'];
const say = async (page: Page, words: readonly string[]) => {
  for (const text of words) await activity(page).getByRole('button', { name: text }).click();
};
type Told = { h5p: { state: string | null; statements: number; completed: boolean; score: number | null }[] };
const h5pOf = (page: Page) =>
  page.evaluate(async () => {
    const id = /attempts?\/([0-9a-f-]{36})/.exec(location.pathname)?.[1];
    return ((await (await fetch(`/api/attempts/${id}`)).json()) as { data: Told }).data.h5p[0];
  });

test('an H5P activity is begun on one device, finished on another, and lets the course go on', async ({ page, browser, server }) => {
  await signIn(page, server, learner);
  await open(page);
  await expect(page.getByText('To continue, finish this activity.')).toBeVisible();
  await expect(page.getByText('Lantern · CC BY')).toBeVisible();
  await expect(next(page)).toBeDisabled();
  await say(page, best.slice(0, 1));
  await expect(activity(page).getByText('My nephew has my bank card')).toBeVisible();
  await look(page, 'h5p-activity');
  await expect.poll(async () => (await h5pOf(page))?.state).toContain('path');
  await expect(courseSaved(page)).toHaveText('Received');

  // Another device goes on where the first one stopped.
  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, learner);
  await tablet.page.goto(page.url());
  await expect(activity(tablet.page).getByText('My nephew has my bank card')).toBeVisible();
  await say(tablet.page, best.slice(1));
  await expect(activity(tablet.page).getByText('6 of 6 points.')).toBeVisible();
  await expect(tablet.page.getByText('Done · 100 %')).toBeVisible();
  await next(tablet.page).click();
  await expect(tablet.page.getByRole('heading', { level: 1, name: 'What does the person want?' })).toBeVisible();
  await expect(courseSaved(tablet.page)).toHaveText('Received');
  expect(await h5pOf(tablet.page)).toMatchObject({ completed: true, score: 100 });
  await tablet.context.close();
});

test('an activity of a kept course is played without the server, and each of its reports arrives once', async ({ page, server }) => {
  await signIn(page, server, learner);
  await keepCourse(page, 'Safeguarding adults');
  await server.stop();
  await page.reload();
  await open(page);
  await say(page, best);
  await expect(page.getByText('Done · 100 %')).toBeVisible();
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  // What was done is there after a fresh start, still without the server.
  await page.reload();
  await expect(page.getByText('Done · 100 %')).toBeVisible();
  await expect(activity(page).getByText('6 of 6 points.')).toBeVisible();
  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText('All sent');
  // Two openings with their beginnings, three presses, one end. What the second opening reports may come after the rest was sent.
  await expect.poll(async () => (await h5pOf(page))?.statements).toBe(8);
  await expect(chip(page)).toContainText('All sent');
  expect(await h5pOf(page)).toMatchObject({ completed: true, score: 100, statements: 8 });
});

test('what is done in an activity just before its tab is closed is not lost', async ({ page, server }) => {
  await signIn(page, server, learner);
  await open(page);
  await expect(courseSaved(page)).toHaveText('Received');
  await expect(activity(page).getByText('will you promise')).toBeVisible();
  const address = page.url();
  // Pressed and gone: nobody has the time to hear of it.
  await page
    .frames()
    .find((f) => f.url().includes('/player/h5p.html'))
    ?.evaluate(() => {
      document.querySelectorAll<HTMLElement>('.answers button')[1]?.click();
    });
  await page.goto('about:blank');
  await page.goto(server.url);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Good');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('package-open'))).toBe(null);
  await page.goto(address);
  await expect(activity(page).getByText('My nephew has my bank card')).toBeVisible();
});

test('an activity that fails, or asks for another host, says so by name', async ({ page, browser, server }) => {
  const files = h5pFiles({
    'Lantern.Steps-1.0/steps.js': `window.Lantern = { Steps: function () {
      H5P.EventDispatcher.call(this);
      this.attach = ($place) => {
        $place.append('<p>Half of it</p>');
        fetch('https://example.org/steps.json').catch(() => undefined);
        this.steps.first();
      };
    } };`,
  });
  await playInstead(browser, server, await zip(files), 'h5p');
  await signIn(page, server, learner);
  await open(page);
  await expect(page.getByText(/tried to load something from example\.org/)).toBeVisible();
  await expect(page.getByText(/Something in this course does not work: .*first/)).toBeVisible();
});
