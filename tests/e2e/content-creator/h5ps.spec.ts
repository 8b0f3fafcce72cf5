import { h5pFiles, zip } from '#tests/support/archives.ts';
import { api, expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

/** An activity of one button that says how often it was pressed. */
const steps = `window.Lantern = { Steps: function () {
  H5P.EventDispatcher.call(this);
  this.attach = ($place) => {
    let count = 0;
    $place.append('<button type="button">Pressed 0 times</button>');
    $place.find('button').on('click', (event) => { event.target.textContent = 'Pressed ' + ++count + ' times'; });
  };
} };`;

test('an administrator adds an activity, hears what is wrong with a file, tries it, gives it another name and takes it out again', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/content-creator/h5ps`);
  await expect(page.getByText('5 activities')).toBeVisible();
  await look(page, 'h5p-list');
  await page.getByRole('link', { name: 'Add an activity' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Choose the file of the activity first.').first()).toBeVisible();

  const choose = async (name: string, files: Record<string, string | Buffer>) => {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Choose a/ }).click();
    await (await chosen).setFiles({ name, mimeType: 'application/zip', buffer: await zip(files) });
  };
  const broken = h5pFiles();
  delete broken['Lantern.Steps-1.0/steps.js'];
  await choose('broken.h5p', broken);
  await expect(page.getByText('This file cannot be used yet')).toBeVisible();
  await expect(page.getByText('The library Lantern.Steps 1.0 names “steps.js”, which is not in the package.')).toBeVisible();
  await look(page, 'h5p-refused');

  // A part of the editor that was exported with it fails without the editor; nobody is told.
  const files = h5pFiles({
    'Lantern.Steps-1.0/steps.js': steps,
    'H5PEditor.ShowWhen-1.0/show-when.js': 'H5PEditor.widgets.showWhen = 1;',
    'H5PEditor.ShowWhen-1.0/library.json': JSON.stringify({
      ...{ title: 'Show when', machineName: 'H5PEditor.ShowWhen', majorVersion: 1, minorVersion: 0, patchVersion: 0, runnable: 0 },
      preloadedJs: [{ path: 'show-when.js' }],
    }),
  });
  const about = JSON.parse(String(files['h5p.json'])) as { preloadedDependencies: object[] };
  about.preloadedDependencies.push({ machineName: 'H5PEditor.ShowWhen', majorVersion: 1, minorVersion: 0 });
  await choose('wash.h5p', { ...files, 'h5p.json': JSON.stringify(about) });
  await expect(page.getByLabel('Title')).toHaveValue('Wash your hands');
  await expect(page.getByText('Willowbrook', { exact: true })).toBeVisible();
  await page.frameLocator('iframe[title="Wash your hands"]').getByRole('button', { name: 'Pressed 0 times' }).click();
  await expect(page.frameLocator('iframe[title="Wash your hands"]').getByRole('button', { name: 'Pressed 1 times' })).toBeVisible();
  await expect(page.getByText(/H5PEditor/)).toHaveCount(0);
  await look(page, 'h5p-create');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('H5P has been created.')).toBeVisible();
  await expect(page.getByText('6 activities')).toBeVisible();

  await page.getByRole('link', { name: /Wash your hands/ }).click();
  await page.getByLabel('Title').fill('Wash your hands well');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('H5P has been updated.')).toBeVisible();
  await page.getByLabel('Find an activity').fill('hands well');
  await expect(page.getByText('1 activity')).toBeVisible();
  await page.getByRole('link', { name: /Wash your hands well/ }).click();

  // It gets another file, which is put into a topic with the first one; then the first one is its file again.
  const rows = page.getByRole('table', { name: 'Files of Wash your hands well' }).getByRole('row');
  await expect(rows.filter({ hasText: 'File 1' })).toContainText('Present');
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await api(page, 'POST', '/topics', { title: 'Before you begin', h5p_id: id });
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'H5P activities' })).toBeVisible();
    await page.getByRole('link', { name: /Wash your hands well/ }).click();
  };
  await choose('again.h5p', h5pFiles({ 'Lantern.Steps-1.0/steps.js': steps }));
  await expect(page.getByRole('button', { name: 'Use this file: File 1' })).toBeVisible();
  await save();
  await expect(rows.filter({ hasText: 'File 2' })).toContainText('Present');
  await expect(rows.filter({ hasText: 'File 1' })).toContainText('Before you begin');
  await look(page, 'h5p-files');
  await page.getByRole('button', { name: 'Put the present file into it' }).click();
  await expect(page.getByText('The topics have the present file.')).toBeVisible();
  await expect(rows.filter({ hasText: 'File 2' })).toContainText('Before you begin');
  await page.getByRole('button', { name: 'Use this file: File 1' }).click();
  await save();
  await expect(rows.filter({ hasText: 'File 3' })).toContainText('Present');
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('H5P has been deleted.')).toBeVisible();
  await expect(page.getByText('5 activities')).toBeVisible();

  // Without the server nothing that was chosen is lost, and it is said.
  await page.getByRole('link', { name: 'Add an activity' }).click();
  await page.getByLabel('Title').fill('For later');
  await server.stop();
  await choose('wash.h5p', h5pFiles({ 'Lantern.Steps-1.0/steps.js': steps }));
  await expect(page.getByText('There is no connection to the server. Check the signal and try again.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('For later');
});

test('who may not make content does not see the activities @reading', async ({ page, server }) => {
  await signIn(page, server, 'learner@willowbrook.test');
  await expect(page.getByRole('link', { name: 'Content', exact: true })).toHaveCount(0);
  await page.goto(`${server.url}/content-creator/h5ps`);
  await expect(page).toHaveURL(/\/403/);
});
