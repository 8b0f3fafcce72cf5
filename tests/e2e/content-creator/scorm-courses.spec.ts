import { scormManifest, zip } from '#tests/support/archives.ts';
import { course, courseSaved, expect, goTo, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

type Page = import('@playwright/test').Page;
const choose = async (page: Page, name: string, files: Record<string, string | Buffer>) => {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Choose a.*\(\.zip\)/ }).click();
  await (await chosen).setFiles({ name, mimeType: 'application/zip', buffer: await zip(files) });
};
const pages = {
  'index.html': '<!doctype html><html lang="en"><title>Before you lift</title><h1>Before you lift</h1><p>Look at the box first.</p></html>',
};

test('an administrator adds a SCORM course that reports nothing; who has to do it does it, and says when it is finished', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, 'learner@willowbrook.test');
  const title = 'Health and safety awareness';
  await tablet.page.getByRole('button', { name: /^Do next/ }).click();
  await expect(course(tablet.page, title).getByText('Your manager books this course for you.')).toBeVisible();

  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'Content');
  await look(page, 'content-creator');
  await page.getByRole('link', { name: /^SCORM courses/ }).click();
  await expect(page.getByText('2 courses')).toBeVisible();
  await expect(page.getByText('Nutrition and hydration')).toHaveCount(2);
  await look(page, 'scorm-list');
  await page.getByRole('link', { name: 'Add a SCORM course' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  for (const wrong of ['Choose the file of the course first.', 'Choose the course that this is for.', 'Enter a title.'])
    await expect(page.getByText(wrong).first()).toBeVisible();

  await choose(page, 'broken.zip', pages);
  await expect(page.getByText('This file cannot be used yet')).toBeVisible();
  // Requests to other hosts are blocked: the hosts are named at the upload, and in the preview.
  const asks = pages['index.html']
    .replace('<h1>', '<script src="https://cdn.example/wrapper.js"></script><script>fetch("https://api.example/").catch(() => 0)</script><h1>')
    .replace('</p>', '</p><iframe title="More" src="inner.html"></iframe>');
  await choose(page, 'elsewhere.zip', {
    'imsmanifest.xml': scormManifest(),
    'index.html': asks,
    'inner.html': '<!doctype html><script src="https://inner.example/a.js"></script>',
  });
  await expect(page.getByText(/loads parts of its pages from cdn\.example, inner\.example/)).toBeVisible();
  for (const host of ['cdn.example', 'api.example', 'inner.example'])
    await expect(page.getByText(`This course tried to load something from ${host}.`)).toBeVisible();
  await look(page, 'scorm-elsewhere');
  await choose(page, 'lifting.zip', { 'imsmanifest.xml': scormManifest(), ...pages });
  await expect(page.getByLabel('Title')).toHaveValue('Moving people safely');
  await expect(page.getByText('It has reported nothing so far.')).toBeVisible();
  // The player of the package before is just being replaced: a look into it ends with its process.
  await expect(async () => {
    await expect(page.frameLocator('iframe[title="Before you lift"]').frameLocator('iframe').getByText('Look at the box first.')).toBeVisible();
  }).toPass({ timeout: 60_000 });
  await page.getByRole('combobox', { name: 'Course' }).fill(title.slice(0, 8));
  await expect(page.getByRole('option', { name: title, exact: true })).toBeVisible();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/scorm-course-select.png` });
  await page.getByRole('option', { name: title, exact: true }).click();
  await page.getByLabel('What people can do afterwards').fill('Lift a box\n\nAsk for help');
  await page.getByRole('radio', { name: 'When the learner says so' }).check();
  await look(page, 'scorm-create');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Content has been created.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Moving people safely' })).toBeVisible();

  await tablet.page.reload();
  await tablet.page.getByRole('button', { name: /^Do next/ }).click();
  await course(tablet.page, title)
    .getByRole('button', { name: /^(Start|Renew)$/ })
    .click();
  await expect(tablet.page.frameLocator('iframe[data-shown]').frameLocator('iframe').getByText('Look at the box first.')).toBeVisible();
  await tablet.page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(tablet.page.getByRole('heading', { name: 'Have you finished?' })).toBeVisible();
  await look(tablet.page, 'scorm-confirm');
  await tablet.page.getByRole('button', { name: 'I have finished this course' }).click();
  await expect(tablet.page.getByText('It is in your training record.')).toBeVisible();
  await expect(courseSaved(tablet.page)).toHaveText('Received');

  await page.reload();
  await expect(page.getByLabel('What people can do afterwards')).toHaveValue('Lift a box\nAsk for help');
  await choose(page, 'lifting-2.zip', { 'imsmanifest.xml': scormManifest(), 'index.html': pages['index.html'].replace('box', 'bag') });
  await expect(page.getByText('People who have begun the course finish it with the file they began with.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Published' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Content has been updated.')).toBeVisible();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('row', { name: /Version 2/ })).toContainText('Taken now');
  await look(page, 'scorm-versions');
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Content has been deleted.')).toBeVisible();
  await expect(page.getByText('2 courses')).toBeVisible();
});

test('who may not make content comes to no screen of it @online', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  for (const path of ['', '/content/scorm', '/content/scorm/create']) {
    await page.goto(`${server.url}/content-creator${path}`);
    await expect(page).toHaveURL(/\/403/);
  }
});
