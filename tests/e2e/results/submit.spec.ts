import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { demoId } from '#server/db/demo/authoring.ts';
import { appIsKept, chip, expect, newOffice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

const personPage = (who: string) => `/users/${demoId(`user:${who}@willowbrook.test`)}?tab=record`;
const photograph = () =>
  sharp({ create: { width: 2400, height: 1800, channels: 3, background: '#f4efe2' } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="2400" height="1800"><rect x="120" y="120" width="2160" height="1560" fill="none" stroke="#2d7a6a" stroke-width="40"/><text x="1200" y="900" font-size="180" text-anchor="middle">Certificate</text></svg>',
        ),
      },
    ])
    .withExif({ IFD0: { Model: 'Pocket camera' } })
    .jpeg()
    .toBuffer();

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer, which: 'camera' | 'file' = 'file') =>
  page.locator(`input[type=file]${which === 'camera' ? '[capture=environment]' : ':not([capture])'}`).setInputFiles({ name, mimeType, buffer });
const fill = async (page: Page, course: string, completed: string) => {
  await page.getByRole('combobox', { name: 'Course' }).fill(course);
  await page.getByRole('option', { name: course, exact: true }).click();
  await page.getByRole('textbox', { name: 'Completed on' }).fill(completed);
};
const submit = (page: Page) => page.getByRole('button', { name: 'Submit for approval' }).click();
const add = (page: Page) => page.getByRole('link', { name: 'Add a certificate' }).click();

test('a learner adds a certificate without a connection; it is rejected, submitted again and approved', async ({ page, server, browser }) => {
  test.setTimeout(300_000);
  await signIn(page, server, 'grace.adeyemi@willowbrook.test');
  const kept = page.waitForResponse((r) => r.url().endsWith('/api/submissions/courses'));
  await page.goto(server.url + personPage('grace.adeyemi'));
  const record = page.getByRole('region', { name: 'Training record' });
  await expect(record).toBeVisible();
  await kept;
  await appIsKept(page);
  await server.stop();

  await add(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Add a certificate' })).toBeVisible();
  await submit(page);
  for (const wrong of ['Choose the course.', 'Enter a date.', 'Add a photograph or the PDF of the certificate.'])
    await expect(page.getByText(wrong).first()).toBeVisible();
  await fill(page, 'Moving and assisting people', '31/12/2199');
  await choose(page, 'no-picture.jpg', 'image/jpeg', Buffer.from('this is no picture'), 'camera');
  await expect(page.getByText('This file cannot be opened as a picture.')).toBeVisible();
  await choose(page, 'letter.docx', 'application/msword', Buffer.from('a letter'));
  await expect(page.getByText('This kind of file cannot be used. Choose a picture or a PDF.')).toBeVisible();
  await choose(page, 'false.pdf', 'application/pdf', Buffer.from('<html>'));
  await expect(page.getByText('This file cannot be opened as a PDF.')).toBeVisible();
  await choose(page, 'moving.jpg', 'image/jpeg', await photograph(), 'camera');
  await expect(page.getByRole('img', { name: 'The certificate' })).toBeVisible();
  await submit(page);
  await expect(page.getByText('This day has not come yet.').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Completed on' }).fill('02/03/2026');
  await page.getByLabel('Note').fill('Oak Lodge, with their trainer.');
  await page.getByRole('textbox', { name: /^Valid until/ }).fill('01/03/2026');
  await submit(page);
  await expect(page.getByText('This has to be later than the date of completion.').first()).toBeVisible();
  // Somebody closes the page before it is submitted: all of it is kept, with the picture.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(page.getByRole('img', { name: 'The certificate' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Completed on' })).toHaveValue('02/03/2026');
  await page.getByRole('textbox', { name: /^Valid until/ }).fill('01/03/2029');
  await look(page, 'submit');
  await lookOnDesktop(page, 'submit');
  await expectLargeTargets(page, 'submit');
  await submit(page);

  const here = page.getByRole('region', { name: 'Certificates you added' });
  const first = here.getByRole('listitem').filter({ hasText: 'Moving and assisting people' });
  await expect(first).toContainText('Waiting for connection');
  await expect(first).toContainText('valid until 01/03/2029');
  await add(page);
  await expect(page.getByRole('button', { name: 'Continue with it' })).toHaveCount(0);
  await fill(page, 'Food hygiene', '05/02/2026');
  await choose(page, 'food.pdf', 'application/pdf', Buffer.from('%PDF-1.7\nfood'));
  await submit(page);
  await expect(here.getByRole('listitem')).toHaveCount(2);
  await look(page, 'own-certificates');
  await lookOnDesktop(page, 'own-certificates');
  await expectLargeTargets(page, 'own-certificates');
  await here.getByRole('button', { name: 'Withdraw the certificate for Food hygiene' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw this certificate?' });
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(here.getByRole('listitem')).toHaveCount(1);
  await page.reload();
  await expect(first).toContainText('Waiting for connection');
  await chip(page).click();
  await expect(page.getByRole('dialog')).toContainText('Certificate for Moving and assisting people: 1 certificate submitted');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await server.start();
  await wake(page);
  await expect(chip(page)).toContainText('All sent');
  const row = record.getByRole('row', { name: /Moving and assisting people.*Historical.*02\/03\/2026/ });
  await expect(row).toContainText('Pending');
  await expect(first).toContainText('Waiting for approval');
  await look(page, 'own-record-pending');

  const { page: office, context } = await newOffice(browser);
  await signIn(office, server, 'admin@willowbrook.test');
  const decide = async (how: 'Approve' | 'Reject', reason: string) => {
    await office.goto(`${server.url}/results/pending/historical`);
    await expect(office.getByRole('row', { name: /Grace Adeyemi/ })).toContainText('Oak Lodge, with their trainer.');
    await office.getByRole('checkbox', { name: 'Select Grace Adeyemi' }).check();
    const bar = office.getByRole('region', { name: 'What is selected' });
    await bar.getByRole('button', { name: how }).click();
    if (reason) await bar.getByLabel('Reason').fill(reason);
    await bar.getByRole('button', { name: how }).click();
    await expect(office.getByText(/^1 result (approved|rejected)\.$/)).toBeVisible();
  };
  await office.goto(server.url + personPage('grace.adeyemi'));
  await expect(office.getByRole('row', { name: /Moving and assisting people.*Historical.*02\/03\/2026/ })).toContainText('Pending');
  await expect(office.getByRole('button', { name: /^Withdraw/ })).toHaveCount(0);
  await decide('Reject', 'The name cannot be read');

  await page.reload();
  await expect(row).toContainText('The name cannot be read');
  await expect(here).toHaveCount(0);
  await row.getByRole('link', { name: 'Submit again: Moving and assisting people' }).click();
  await expect(page.getByRole('combobox', { name: 'Course' })).toHaveValue('Moving and assisting people');
  await expect(page.getByRole('textbox', { name: /^Valid until/ })).toHaveValue('01/03/2029');
  await choose(page, 'again.pdf', 'application/pdf', Buffer.from('%PDF-1.7\nlegible'));
  await submit(page);
  await expect(first).toContainText('Waiting for approval');
  await expect(row).toHaveCount(2);
  await decide('Approve', '');
  await page.reload();
  await expect(row.filter({ hasText: 'Rejected' })).toHaveCount(1);
  const approved = row.filter({ hasNotText: 'Rejected' });
  await expect(approved).toContainText('Counts');
  await page.goto(`${server.url}/messages`);
  await page.getByText(/“Moving and assisting people”, completed on 02\/03\/2026: approved/).click();
  await expect(page.getByText('Reason: The name cannot be read')).toBeVisible();
  await look(page, 'told-of-decisions');
  await page.goto(server.url + personPage('grace.adeyemi'));
  await expect(approved).toContainText('Counts');
  // What was seen last is there without a connection.
  await server.stop();
  await page.reload();
  await expect(page.getByText(/^No connection\. Last updated on/)).toBeVisible();
  await expect(approved).toContainText('Counts');
  await context.close();
});

test('what cannot be accepted is explained where it was added, and corrected with its file @online', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'megan.davies@willowbrook.test');
  const open = async () => {
    await page.goto(server.url + personPage('megan.davies'));
    await add(page);
    await expect(page.getByRole('heading', { level: 1, name: 'Add a certificate' })).toBeVisible();
  };
  await open();
  await fill(page, 'Food hygiene', '05/02/2026');
  await choose(page, 'food.pdf', 'application/pdf', Buffer.from('%PDF-1.7\nfood'));
  // The server receives what is not the picture that it is said to be.
  await page.route('**/api/submissions/*', (route) =>
    route.continue({ postData: (route.request().postData() ?? '').replace('application/pdf', 'image/jpeg') }),
  );
  await submit(page);
  const here = page.getByRole('region', { name: 'Certificates you added' });
  await expect(here).toContainText('Not accepted');
  await expect(here).toContainText('The file cannot be opened as the picture or PDF');
  await look(page, 'own-certificates-refused');
  await expectLargeTargets(page, 'own-certificates-refused');
  await page.unroute('**/api/submissions/*');
  await here.getByRole('link', { name: 'Correct it' }).click();
  await expect(page.getByText('food.pdf')).toBeVisible();
  await choose(page, 'better.pdf', 'application/pdf', Buffer.from('%PDF-1.7\nbetter'));
  // The record is asked for before the certificate is received, and arrives after it.
  const records = /\/api\/users\/[^/]+\/training-records/;
  const read = Promise.withResolvers<void>();
  const received = page.waitForResponse((answer) => answer.url().includes('/api/submissions/') && answer.ok());
  let asked = 0;
  await page.route(records, async (route) => {
    if (asked++ > 0) return route.continue();
    const response = await route.fetch();
    read.resolve();
    await received;
    await expect(chip(page)).toContainText('All sent');
    await route.fulfill({ response });
  });
  await page.route('**/api/submissions/*', async (route) => {
    await read.promise;
    await route.continue();
  });
  await submit(page);
  const row = page.getByRole('region', { name: 'Training record' }).getByRole('row', { name: /Food hygiene.*Historical.*05\/02\/2026/ });
  await expect(row).toContainText('Pending');
  await expect(here.getByRole('listitem')).toHaveText([/Food hygiene.*better\.pdf.*Waiting for approval/]);
  await expect(chip(page)).toContainText('All sent');
  // Until somebody has decided on it, it can be withdrawn.
  await here.getByRole('button', { name: 'Withdraw the certificate for Food hygiene' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(row).toHaveCount(0);
  await expect(here).toHaveCount(0);
});
