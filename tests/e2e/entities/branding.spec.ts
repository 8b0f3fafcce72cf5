import { readFileSync } from 'node:fs';
import { appIsKept, expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

const logo = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" rx="8" fill="#7a1f5c"/></svg>'),
};

test('an administrator gives a group its looks and words: previewed, applied at once, on the sign-in page and the installed app', async ({
  page,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await appIsKept(page);
  await page.goto(`${server.url}/entities/willowbrook`);
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Branding' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Willowbrook');
  await page.getByLabel('Term for organisations (plural)').fill('Homes');
  await page.getByLabel('Primary', { exact: true }).fill('#ffd400');
  await expect(page.getByText(/White text on this colour would not be readable \(1\.4 : 1/)).toBeVisible();
  await page.getByLabel('Primary', { exact: true }).fill('#7a1f5c');
  await expect(page.getByText(/White text on this colour would not be readable/)).toHaveCount(0);
  const files = page.locator('input[type=file]');
  await files.nth(0).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') });
  await page.getByLabel('Amber from (%)').fill('90');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(
    page
      .getByText('Green must start above amber (90 %).')
      .or(page.getByText(/This picture cannot be used/))
      .first(),
  ).toBeVisible();
  await page.getByLabel('Amber from (%)').fill('60');
  await files.nth(0).setInputFiles(logo);
  await files.nth(2).setInputFiles(logo);
  await expect(page.getByRole('img', { name: 'Preview: Willowbrook in its colours' })).toBeVisible();
  await look(page, 'branding');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Successfully updated.')).toBeVisible();

  // Applied here, with the organisation's word and sign.
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Homes' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Willowbrook, start page' }).locator('img')).toBeVisible();
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand-filled'))).toBe('#7a1f5c');
  await look(page, 'branded');

  // The installed app.
  const manifest = await page.evaluate(async () => {
    const href = document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? '';
    return (await fetch(href)).json() as Promise<{ name: string; theme_color: string; icons: { src: string; sizes: string }[] }>;
  });
  expect(manifest).toMatchObject({ name: 'Willowbrook', theme_color: '#7a1f5c' });
  expect(manifest.icons.map((i) => i.sizes)).toEqual(['192x192', '512x512', '512x512']);

  // The sign is there without a server too.
  await page.goto(`${server.url}/`);
  await expect(page.getByRole('link', { name: 'Willowbrook, start page' }).locator('img')).toBeVisible();
  await server.stop();
  await page.reload();
  const drawn = () =>
    page
      .getByRole('link', { name: 'Willowbrook, start page' })
      .locator('img')
      .evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0);
  await expect.poll(drawn).toBe(true);
  await server.start();

  // Before anybody has signed in: by the host's first name.
  const other = await page.context().browser()?.newContext();
  const visitor = await other?.newPage();
  if (!visitor) throw new Error('no browser');
  await visitor.goto(`${server.url.replace('//localhost', '//willowbrook.localhost')}/login`);
  await expect(visitor.getByText('Willowbrook', { exact: true })).toBeVisible();
  await other?.close();
});

test('what certificates say is changed with an example to look at @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook/certificate-branding`);
  await page.getByRole('textbox', { name: 'Heading' }).fill('Certificate of training');
  await page.getByLabel('Statement below the course').fill('Assessed in practice by a registered nurse.');
  await page.getByRole('checkbox', { name: 'The score' }).uncheck();
  await page.getByRole('textbox', { name: 'Name' }).fill('Grace Adeyemi');
  await page.locator('input[type=file]').setInputFiles(logo);
  await expect(page.getByRole('img', { name: 'Preview of a certificate: Certificate of training' })).not.toContainText('Score');
  await look(page, 'certificate-branding');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download an example' }).click()]);
  expect(
    readFileSync(await download.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Successfully updated.')).toBeVisible();
});
