import { demoId } from '#server/db/demo/authoring.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import {
  answerFireQuiz,
  api,
  appIsKept,
  chip,
  course,
  courseSaved,
  expect,
  goTo,
  keepCourse,
  newOffice,
  openPerson,
  readToQuiz,
  signIn,
  test,
  wake,
} from '#tests/support/browser-test.ts';

test('a learner finishes a course without the server, and it arrives exactly once', async ({ page, browser, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  const card = course(page, 'Fire safety');
  await expect(card).toContainText('Overdue');
  await card.getByRole('button', { name: /^Make available offline/ }).click();
  await expect(card).toContainText(/This takes \d+\.\d MB/);
  await card.getByRole('button', { name: /^Download/ }).click();
  await expect(card).toContainText('Available offline');
  await appIsKept(page);

  // The picture of the next start says nothing about what has been sent: that may have changed by then.
  const picture = () => page.evaluate(async () => (await (await caches.open('lantern-last-known')).match('/'))?.text() ?? '');
  await page.reload();
  await expect.poll(picture).toContain('Fire safety');
  expect(await picture()).not.toContain('All sent');

  await server.stop();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Amara');
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Three things a fire needs' })).toBeVisible();
  await expect(page.getByRole('img', { name: /A triangle/ })).toHaveJSProperty('complete', true);
  expect(await page.getByRole('img', { name: /A triangle/ }).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  await readToQuiz(page, 'Fire safety check');
  await answerFireQuiz(page);
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByText('Handed in and saved on this device.')).toBeVisible();
  await expect(chip(page)).toContainText(/Offline · \d+ saved on this device/);
  // Everything outlives a fresh start of the page, still without the server.
  await page.reload();
  await expect(page.getByText('Handed in and saved on this device.')).toBeVisible();

  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(chip(page)).toContainText(/All sent · \d\d:\d\d/);
  await expect(courseSaved(page)).toHaveText('Received');
  await expect(page.getByText('Passed: 100 %')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Course completed' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download certificate of Fire safety' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^Amara Okafor \d\d-\d\d-\d{4}\.pdf$/);
  await page.getByRole('link', { name: 'Back to my courses' }).last().click();
  await page.getByRole('button', { name: /^Done \d+/ }).click();
  await expect(page.getByRole('table', { name: 'Completed courses' }).getByRole('row', { name: /Fire safety/ })).toContainText('100 %');

  const admin = await newOffice(browser);
  await signIn(admin.page, server, 'admin@willowbrook.test');
  await goTo(admin.page, 'People');
  await openPerson(admin.page, 'Amara Okafor');
  await admin.page.getByRole('tab', { name: /^Training record/ }).click();
  const record = admin.page.getByRole('region', { name: 'Training record' });
  await expect(record.getByRole('row', { name: /Fire safety/ }).first()).toContainText('100 %');
  await expect(record.getByRole('row', { name: /Fire safety/ })).toHaveCount(2);
  await admin.context.close();
});

test('a film that was kept plays and seeks without the server', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  const card = course(page, 'Infection prevention and control');
  await card.getByRole('button', { name: /available offline/ }).click();
  await card.getByRole('button', { name: /^Download/ }).click();
  await expect(card).toContainText('Available offline');
  await appIsKept(page);
  await card.getByRole('button', { name: 'Start' }).click();
  await expect(courseSaved(page)).toHaveText('Received');
  await server.stop();
  await page.reload();
  await page.getByRole('button', { name: 'Contents of the course' }).click();
  await page.getByRole('button', { name: 'How to wash' }).click();
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.readyState)).toBeGreaterThanOrEqual(1);
  const at = await video.evaluate(async (v: HTMLVideoElement) => {
    v.muted = true;
    await v.play();
    v.currentTime = 15;
    await new Promise((resolve) => v.addEventListener('seeked', resolve, { once: true }));
    return v.currentTime;
  });
  expect(at).toBeGreaterThanOrEqual(15);
  const ranges = await page.evaluate(async () => {
    const url = document.querySelector('source')?.src as string;
    const ask = async (range: string) => {
      const r = await fetch(url, { headers: { Range: range } });
      return [r.status, r.headers.get('Content-Range')];
    };
    return Promise.all([ask('bytes=-10'), ask('bytes=5-99999999'), ask('bytes=99999999-')]);
  });
  expect(ranges.map((r) => r[0])).toEqual([206, 206, 416]);
});

test('a course that is not kept says so without the server, and what is there can still be done', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await expect(course(page, 'Infection prevention and control')).toBeVisible();
  await appIsKept(page);
  await server.stop();
  await page.reload();
  await course(page, 'Infection prevention and control').getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('alert')).toContainText('not on this device yet');
});

test('a course that was completed here and is due again is renewed by a new try without the server, which arrives', async ({ page, server }) => {
  await server.stop();
  const database = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: server.databaseUrl });
  const [user, content, old] = [demoId('user:learner@willowbrook.test'), demoId('content:fire-safety'), demoId('e2e:old-attempt')];
  await database.db.run(sql`insert into attempts (id, user_id, content_id, content_version, try_no, state, percent, score, passed, started_at, completed_at)
    values (${old}, ${user}, ${content}, 1, 1, 'graded', 100, 90, true, now() - interval '13 months', now() - interval '13 months')`);
  await database.db.run(sql`update results set attempt_id = ${old} where user_id = ${user} and content_id = ${content}`);
  await database.close();
  await server.start();
  await signIn(page, server, 'learner@willowbrook.test');
  const card = await keepCourse(page, 'Fire safety');
  await server.stop();
  await page.reload();
  await card.getByRole('button', { name: 'Renew' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Three things a fire needs' })).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  const begun = new URL(page.url()).pathname;
  // The list is as old as the connection: it still names the completed try.
  await page.getByRole('link', { name: 'Back to my courses' }).click();
  await expect(card.getByText(/^[1-9]\d? %/)).toBeVisible();
  await card.getByRole('button', { name: 'Continue' }).click();
  // At the same try, where it was left.
  await expect.poll(() => new URL(page.url()).pathname).toBe(begun);
  await server.start();
  await wake(page);
  await expect(courseSaved(page)).toHaveText('Received');
  const attempts = await api<{ try_no: number; closed: boolean; state: string }[]>(page, 'GET', `/users/${user}/attempts?content_id=${content}`);
  expect(attempts.map(({ try_no, closed, state }) => [try_no, closed, state]).sort()).toEqual([
    [1, true, 'graded'],
    [2, false, 'open'],
  ]);
});

test('ready for tomorrow: one press keeps the next shift’s courses, finds what was damaged, and says when nothing is missing', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await appIsKept(page);
  await page.getByRole('button', { name: 'Ready for tomorrow' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ready for tomorrow' });
  await expect(dialog.getByText(/\d MB are missing on this device/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Download/ }).click();
  await expect(dialog.getByText(/Everything for your next shift is on this device/)).toBeVisible();
  await page.keyboard.press('Escape');
  // One piece of one file goes bad.
  const spoiled = await page.evaluate(async () => {
    const cache = await caches.open('lantern-course-media');
    const piece = (await cache.keys()).find((k) => k.url.includes('?piece=')) as Request;
    const bytes = new Uint8Array(await ((await cache.match(piece)) as Response).arrayBuffer());
    bytes[0] = (bytes[0] ?? 0) ^ 255;
    await cache.put(piece, new Response(bytes, { headers: { 'Content-Length': String(bytes.length) } }));
    return piece.url;
  });
  expect(spoiled).toContain('/api/media/');
  await page.getByRole('button', { name: 'Ready for tomorrow' }).click();
  await expect(dialog.getByText('1 piece damaged').first()).toBeVisible();
  await dialog.getByRole('button', { name: /^Download/ }).click();
  await expect(dialog.getByText(/Everything for your next shift is on this device/)).toBeVisible();
});
