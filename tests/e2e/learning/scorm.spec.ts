import { chip, course, courseSaved, expect, keepCourse, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { scormManifest, zip } from '#tests/support/archives.ts';
import { look } from '#tests/support/look.ts';
import { playInstead } from '#tests/support/play-instead.ts';

type Page = import('@playwright/test').Page;
const item = (page: Page) => page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]');
const progress = (page: Page, percent: number) => page.getByRole('progressbar', { name: `Course progress ${percent} %` });
const start = async (page: Page) => {
  await course(page, 'Data protection').getByRole('button').first().click();
  await expect(courseSaved(page)).toBeVisible();
};
const readAll = async (page: Page) => {
  for (let i = 0; i < 3; i++) await item(page).getByRole('button', { name: 'Next page' }).click();
  await item(page).getByRole('button', { name: 'I have read this' }).click();
  await expect(progress(page, 50)).toBeVisible();
};
const answers = {
  right: ['you cannot talk about it', 'ring your manager now', 'use the tablet of the service', 'tell your manager today'],
  wrong: ['that she fell', 'tear it up', 'with your phone', 'keep it to yourself'],
};
const answer = async (page: Page, words: readonly string[]) => {
  for (const text of words) await item(page).getByRole('radio', { name: text }).check();
  await item(page).getByRole('button', { name: 'See how I did' }).click();
};

test('a SCORM course is played, left, gone on with on another device, and its result is a training record', async ({ page, browser, server }) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await start(page);
  await expect(item(page).getByText('Page 1 of 4')).toBeVisible();
  await look(page, 'scorm-course');
  await item(page).getByRole('button', { name: 'Next page' }).click();
  await expect(item(page).getByText('Page 2 of 4')).toBeVisible();
  await expect(courseSaved(page)).toHaveText('Received');

  // Another device goes on where the first one stopped.
  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, 'aisha.khan@willowbrook.test');
  await tablet.page.goto(page.url());
  await expect(item(tablet.page).getByText('Page 2 of 4')).toBeVisible();
  await tablet.context.close();

  await page.reload();
  await expect(item(page).getByText('Page 2 of 4')).toBeVisible();
  await item(page).getByRole('button', { name: 'Back' }).click();
  await readAll(page);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await answer(page, answers.wrong);
  await expect(item(page).getByText('0 of 4 right.')).toBeVisible();
  await expect(progress(page, 50)).toBeVisible();
  await answer(page, answers.right);
  await expect(item(page).getByText('4 of 4 right. You have passed.')).toBeVisible();
  await expect(progress(page, 100)).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText(/Completed on .* with a score of 100 %/)).toBeVisible();

  const { me, records } = await page.evaluate(async () => {
    const me = JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string };
    const answer = await fetch(`/api/users/${me.uuid}/training-records`);
    return { me, records: ((await answer.json()) as { data: { course_title: string; type: string; score: number }[] }).data };
  });
  expect(me.uuid).not.toBe('');
  expect(records[0]).toMatchObject({ course_title: 'Data protection', type: 'scorm', score: 100 });
});

test('a SCORM course that is kept is played, passed and repaired without the server', async ({ page, server }) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await keepCourse(page, 'Data protection');
  await server.stop();
  await page.reload();
  await start(page);
  await readAll(page);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await answer(page, answers.right);
  await expect(item(page).getByText('4 of 4 right. You have passed.')).toBeVisible();
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  // What was done is there after a fresh start, still without the server.
  await page.reload();
  await expect(progress(page, 100)).toBeVisible();

  // Something on the content origin changes a file: it is not believed, and what the server has in its place is kept again.
  const player = (of: Page) => of.frames().find((f) => f.url().includes('/player/scorm.html'));
  const script = (of: Page, text?: string) =>
    player(of)?.evaluate(async (text) => {
      const cache = await caches.open('lantern-packages');
      const key = (await cache.keys()).find((k) => k.url.endsWith('/learn.js'));
      if (key && text) await cache.put(key, new Response(text, { headers: { 'Content-Type': 'text/javascript' } }));
      return key ? ((await cache.match(key)) as Response).text() : '';
    }, text);
  await expect.poll(() => script(page, 'document.title = "changed"')).toContain('changed');
  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText('All sent');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText('Course completed')).toBeVisible();
  // Fetched again, past the browser's memory cache, which would not reach the service worker.
  const asked = await player(page)?.evaluate(async () => {
    const key = (await (await caches.open('lantern-packages')).keys()).find((k) => k.url.endsWith('/learn.js'));
    return (await fetch((key as Request).url, { cache: 'reload' })).text();
  });
  expect(asked).toContain('lesson_location');
  await expect.poll(() => script(page)).toContain('lesson_location');
});

test('what a course says while its tab is being closed is not lost', async ({ page, browser, server }) => {
  const archive = await zip({
    'imsmanifest.xml': scormManifest(),
    'index.html': `<!doctype html><title>Before you lift</title><p>Reading</p><script>
      const api = parent.API;
      api.LMSInitialize('');
      document.querySelector('p').textContent = 'At ' + (api.LMSGetValue('cmi.core.lesson_location') || 'the start');
      addEventListener('unload', () => {
        api.LMSSetValue('cmi.core.lesson_location', 'page 7');
        api.LMSSetValue('cmi.core.score.raw', '90');
        api.LMSSetValue('cmi.core.lesson_status', 'passed');
        api.LMSFinish('');
      });
    </script>`,
  });
  await playInstead(browser, server, archive);
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await start(page);
  await expect(item(page).getByText('At the start')).toBeVisible();
  await expect(courseSaved(page)).toHaveText('Received');
  const address = page.url();
  // The tab goes elsewhere, with the app and the course in it; the next start of the app hears what was left.
  await page.goto('about:blank');
  await page.goto(server.url);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Good');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('package-open'))).toBe(null);
  await page.goto(`${address.replace(/\?.*/, '')}?step=one`);
  await expect(item(page).getByText('At page 7')).toBeVisible();
  await expect(progress(page, 100)).toBeVisible();
});

test('a SCORM 2004 course is gone on with where it was left, failed, passed, and a training record', async ({ page, server }) => {
  await signIn(page, server, 'liam.murphy@willowbrook.test');
  await course(page, 'Nutrition and hydration').getByRole('button').first().click();
  await expect(item(page).getByText('Page 1 of 4')).toBeVisible();
  for (let i = 0; i < 2; i++) await item(page).getByRole('button', { name: 'Next page' }).click();
  await expect(item(page).getByText('Page 3 of 4')).toBeVisible();
  await expect(courseSaved(page)).toHaveText('Received');
  await page.reload();
  await expect(item(page).getByText('Page 3 of 4')).toBeVisible();
  await item(page).getByRole('button', { name: 'Next page' }).click();
  const choose = async (...words: string[]) => {
    for (const text of words) await item(page).getByRole('radio', { name: text }).check();
    await item(page).getByRole('button', { name: 'See how I did' }).click();
  };
  await choose('Wait until tomorrow', 'Make the portions larger', 'Leave the glass');
  await expect(item(page).getByText('0 of 3 right. Look at the pages again')).toBeVisible();
  await expect(progress(page, 100)).toHaveCount(0);
  await choose('Offer drinks he likes', 'look at her teeth', 'Explain, offer');
  await expect(item(page).getByText('3 of 3 right. You have passed.')).toBeVisible();
  await expect(progress(page, 100)).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText(/Completed on .* with a score of 100 %/)).toBeVisible();
});

test('a SCORM course keeps 6,000 interactions and any character it writes, and finds them again; what is too much is refused and said', async ({
  page,
  browser,
  server,
}) => {
  const sco = `<!doctype html><title>Large</title><p></p><button>More</button><script>
    const api = parent.API, say = (text) => { document.querySelector('p').textContent = text; };
    const odd = 'left ' + String.fromCharCode(0) + String.fromCharCode(0xd83d) + ' here';
    api.LMSInitialize('');
    if (api.LMSGetValue('cmi.suspend_data') === odd) say('Found ' + api.LMSGetValue('cmi.interactions._count'));
    else {
      for (let i = 0; i < 6000; i++) {
        api.LMSSetValue('cmi.interactions.' + i + '.id', 'q' + i);
        api.LMSSetValue('cmi.interactions.' + i + '.type', 'fill-in');
        api.LMSSetValue('cmi.interactions.' + i + '.student_response', 'a'.repeat(200));
      }
      api.LMSSetValue('cmi.suspend_data', odd);
      api.LMSSetValue('cmi.core.exit', 'suspend');
      api.LMSSetValue('cmi.core.lesson_status', 'completed');
      say('Kept ' + api.LMSCommit(''));
    }
    document.querySelector('button').addEventListener('click', () => {
      let refused = 0;
      for (let i = 6000; i < 6400; i++) if (api.LMSSetValue('cmi.interactions.' + i + '.id', 'q' + i) === 'false' || api.LMSSetValue('cmi.comments', 'b'.repeat(64000)) === 'false') refused++;
      say('Refused ' + (refused > 0) + ' ' + (refused > 0 ? api.LMSGetLastError() : ''));
    });
  </script>`;
  await playInstead(browser, server, await zip({ 'imsmanifest.xml': scormManifest(), 'index.html': sco }));
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await start(page);
  await expect(item(page).getByText('Kept true')).toBeVisible({ timeout: 60_000 });
  await expect(progress(page, 100)).toBeVisible({ timeout: 60_000 });
  await expect(courseSaved(page)).toHaveText('Received', { timeout: 60_000 });
  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, 'aisha.khan@willowbrook.test');
  await tablet.page.goto(`${page.url().replace(/\?.*/, '')}?step=one`);
  await expect(item(tablet.page).getByText('Found 6000')).toBeVisible({ timeout: 60_000 });
  await expect(progress(tablet.page, 100)).toBeVisible();
  await tablet.context.close();
});
