import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, appIsKept, course, courseSaved, expect, keepCourse, newDevice, readToQuiz, signIn, test, wake } from '#tests/support/browser-test.ts';

/** What a device says of a course or of the next shift is true for the second device of a person, too: each thing is opened with the server gone. */
const percentOf = async (page: Page, title: string) => /(\d+) %/.exec((await course(page, title).textContent()) ?? '')?.[1] ?? '';
const home = (page: Page) => page.getByRole('link', { name: 'Back to my courses' }).first().click();

test('a course begun on one device is available offline on the second: it continues there, also after going on elsewhere', async ({
  page,
  browser,
  server,
}) => {
  test.setTimeout(240_000);
  await signIn(page, server, 'learner@willowbrook.test');
  await course(page, 'Fire safety').getByRole('button', { name: 'Renew' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(courseSaved(page)).toHaveText('Received');

  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, 'learner@willowbrook.test');
  const card = await keepCourse(tablet.page, 'Fire safety');

  // The first device goes on, while the second has a line and only shows its home page.
  await readToQuiz(page, 'Fire safety check');
  await page.getByRole('radio', { name: 'Raise the alarm' }).check();
  await expect(courseSaved(page)).toHaveText('Received');
  await home(page);
  await expect(course(page, 'Fire safety').getByRole('button', { name: 'Continue' })).toBeVisible();
  const percent = await percentOf(page, 'Fire safety');
  await wake(tablet.page);
  await expect(card).toContainText(`${percent} %`);
  await expect(card).toContainText('Available offline');

  await server.stop();
  await tablet.page.reload();
  await expect(card).toContainText('Available offline');
  await expect(card.getByRole('button', { name: 'Continue' })).toHaveCount(1);
  await card.getByRole('button', { name: 'Continue' }).click();
  await expect(tablet.page.getByRole('heading', { level: 1, name: 'Fire safety check' })).toBeVisible();
  await expect(tablet.page.getByRole('radio', { name: 'Raise the alarm' })).toBeChecked();
  await tablet.context.close();
});

test('a package begun on one device goes on at its page on the second, with the server gone', async ({ page, browser, server }) => {
  test.setTimeout(240_000);
  const item = (where: Page) => where.frameLocator('iframe[data-shown]').frameLocator('iframe[title]');
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await course(page, 'Data protection').getByRole('button').first().click();
  await item(page).getByRole('button', { name: 'Next page' }).click();
  await expect(item(page).getByText('Page 2 of 4')).toBeVisible();
  await expect(courseSaved(page)).toHaveText('Received');

  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, 'aisha.khan@willowbrook.test');
  const card = await keepCourse(tablet.page, 'Data protection');
  await server.stop();
  await tablet.page.reload();
  await expect(card).toContainText('Available offline');
  await card.getByRole('button', { name: 'Continue' }).click();
  await expect(item(tablet.page).getByText('Page 2 of 4')).toBeVisible();
  await tablet.context.close();
});

test('an interrupted download goes on by itself when the line is back, also after a reload', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await appIsKept(page);
  const card = course(page, 'Infection prevention and control');
  await card.getByRole('button', { name: /^Make available offline/ }).click();
  await page.context().route(/\/api\/media\//, (route) => route.abort());
  await card.getByRole('button', { name: /^Download/ }).click();
  await expect(card).toContainText('Incomplete: it goes on');
  await expect(card.getByRole('button', { name: /Continue|Download/ })).toHaveCount(0);
  await page.context().unroute(/\/api\/media\//);
  await page.reload();
  await expect(card).toContainText('Available offline');
});

test('ready for tomorrow on a second device: each thing it names opens with the server gone', async ({ page, browser, server }) => {
  test.setTimeout(300_000);
  // A document of tomorrow's session, and a course begun on another device.
  const office = await newDevice(browser, 'block');
  await signIn(office.page, server, 'admin@willowbrook.test');
  await office.page.goto(`${server.url}/training-sessions/${demoId('session:life-support')}`);
  const documents = (where: Page) => where.getByRole('region', { name: 'Documents', exact: true });
  await documents(office.page).getByRole('button', { name: 'Add a document …' }).click();
  const adding = office.page.getByRole('dialog', { name: 'Add a document' });
  const slides = Buffer.from('%PDF-1.7\n% Slides');
  await adding.locator('input[type=file]').setInputFiles({ name: 'slides.pdf', mimeType: 'application/pdf', buffer: slides });
  await adding.getByRole('button', { name: 'Add it' }).click();
  await expect(documents(office.page).getByRole('listitem')).toContainText(['slides']);
  await office.context.close();

  await signIn(page, server, 'trainer@willowbrook.test');
  const me = await page.evaluate(() => (JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string }).uuid);
  const records = await api<{ course_title: string; certificate: boolean; expires_at: string | null }[]>(
    page,
    'GET',
    `/users/${me}/training-records`,
  );
  const certified = records.find((r) => r.certificate && (r.expires_at === null || r.expires_at > new Date().toISOString()));
  const cards = page.getByRole('article').filter({ has: page.getByRole('button', { name: /Make available offline/ }) });
  const begun = cards.first();
  await expect(begun).toBeVisible();
  const title = (await begun.getAttribute('aria-label')) ?? '';
  await begun.getByRole('button', { name: /^(Start|Renew|Continue)/ }).click();
  await expect(courseSaved(page)).toHaveText('Received');
  await home(page);

  const tablet = (await newDevice(browser)).page;
  await signIn(tablet, server, 'trainer@willowbrook.test');
  await tablet.getByRole('button', { name: 'Ready for tomorrow' }).click();
  const dialog = tablet.getByRole('dialog', { name: 'Ready for tomorrow' });
  const people = dialog.getByRole('region', { name: 'People you observe' });
  await expect(people).toContainText('Nobody is chosen: without a connection you can record for nobody.');
  await dialog.getByRole('button', { name: /^(Get everything ready|Download)/ }).click();
  await expect(dialog).toContainText('nobody to observe is chosen', { timeout: 60_000 });
  await expect(dialog).not.toContainText('Everything for your next shift is on this device');
  await people.getByRole('combobox', { name: 'People you are visiting' }).fill('Daniel');
  await tablet.getByRole('option', { name: 'Daniel Osei' }).click();
  await dialog.getByRole('button', { name: /^(Get everything ready|Download)/ }).click();
  await expect(dialog).toContainText('Everything for your next shift is on this device', { timeout: 60_000 });
  const named = await dialog.getByRole('region', { name: 'Your own pages' }).getByRole('listitem').allTextContents();
  expect(named.join('|')).toMatch(/Documents of your sessions.*Your pathways.*Your training record and certificates/);
  for (const words of named) expect(words).toContain('On this device');
  await tablet.keyboard.press('Escape');

  await server.stop();
  const open = async (path: string) => {
    await tablet.goto(server.url + path);
    await expect(tablet.getByRole('heading', { level: 1 }).first()).toBeVisible();
  };
  const download = async (button: ReturnType<Page['getByRole']>) => {
    const [file] = await Promise.all([tablet.waitForEvent('download'), button.click()]);
    return readFileSync(await file.path());
  };
  // The course begun elsewhere.
  await open('/');
  await course(tablet, title).getByRole('button', { name: 'Continue' }).click();
  await expect(courseSaved(tablet)).toBeVisible();
  // The register, and the document of its session.
  await open('/training-sessions');
  await tablet.getByRole('link', { name: /Basic life support/ }).click();
  await expect(tablet.getByRole('article', { name: 'Aisha Khan' })).toBeVisible();
  expect((await download(documents(tablet).getByRole('button', { name: 'Download slides' }))).equals(slides)).toBe(true);
  // Who is observed.
  await open('/care-certificate');
  await tablet.getByRole('link', { name: /Daniel Osei/ }).click();
  await tablet.getByRole('link', { name: 'Record an observation' }).click();
  await expect(tablet.getByRole('button', { name: /^Offering drinks/ })).toBeVisible();
  // Their own pages.
  if (named.some((words) => words.includes('Your bookings'))) {
    await open('/your-bookings');
    await expect(tablet.getByText(/^No connection\. Last updated/)).toBeVisible();
  }
  await open('/pathways');
  await expect(tablet.getByText(/Last updated/)).toBeVisible();
  for (const link of await tablet.getByRole('main').getByRole('link').all()) expect(await link.getAttribute('href')).toBeTruthy();
  await open(`/users/${me}`);
  await expect(tablet.getByText(/Last updated/)).toBeVisible();
  if (certified) {
    await tablet.getByRole('tab', { name: /^Training record/ }).click();
    const button = tablet.getByRole('button', { name: `Download certificate of ${certified.course_title}` }).first();
    expect((await download(button)).subarray(0, 5).toString()).toBe('%PDF-');
  }

  // With the server gone, the sentence is not said again: nothing could be brought up to date.
  await open('/?ready=1');
  await expect(dialog).toContainText('Not up to date, because the server could not be reached: Your registers');
  await expect(dialog).not.toContainText('Everything for your next shift');
});
