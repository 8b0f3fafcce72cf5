import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { demoId } from '#server/db/demo/authoring.ts';
import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

const taken = async (page: Page, click: () => Promise<void>) => {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
};

test('a manager takes the certificates of three people as a ZIP, and their wallet cards @online', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'People');
  const people = ['Amara Okafor', 'Chidi Nwosu', 'Grace Adeyemi'];
  for (const name of people) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const bar = page.getByRole('region', { name: 'What is selected' });
  await bar.getByRole('button', { name: 'Certificates' }).click();
  await expect(bar).toContainText('The newest certificate of each course of 3 people, as one ZIP file.');
  await look(page, 'people-certificates');
  await expectLargeTargets(page, 'people-certificates');
  await page.setViewportSize(desktop);
  const zip = await taken(page, () => bar.getByRole('button', { name: 'Certificates' }).click());
  expect(zip.name).toMatch(/^certificates Helen Marsh \d\d-\d\d-\d{4}\.zip$/);
  const files = Object.entries(unzipSync(zip.bytes));
  for (const name of people) {
    const own = files.filter(([file]) => file.startsWith(`${name} - `));
    expect([name, own.length > 0, own.every(([, bytes]) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-')]).toEqual([name, true, true]);
  }
  await expect(page.getByText('The certificates of 3 people are saved as a file.')).toBeVisible();

  for (const name of people) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await bar.getByRole('button', { name: 'Wallet cards' }).click();
  const cards = await taken(page, () => bar.getByRole('button', { name: 'Wallet cards' }).click());
  expect([cards.name, cards.bytes.subarray(0, 5).toString()]).toEqual([expect.stringMatching(/^wallet cards Helen Marsh .*\.pdf$/), '%PDF-']);
  await expect(page.getByText('The wallet cards of 3 people are saved as a file.')).toBeVisible();
});

test('a learner takes their wallet card and all certificates, and without a connection is offered neither', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'learner@willowbrook.test');
  await page.goto(`${server.url}/users/${demoId('user:learner@willowbrook.test')}?tab=record`);
  const record = page.getByRole('region', { name: 'Training record' });
  const take = async (what: RegExp) => {
    await record.getByRole('button', { name: 'Download', exact: true }).click();
    return taken(page, () => page.getByRole('menuitem', { name: what }).click());
  };
  const card = await take(/^Wallet card/);
  expect([card.name, card.bytes.subarray(0, 5).toString()]).toEqual([expect.stringMatching(/^Amara Okafor wallet card .*\.pdf$/), '%PDF-']);
  await look(page, 'record-certificates');
  await lookOnDesktop(page, 'record-certificates');
  await page.setViewportSize(desktop);
  const zip = await take(/certificates \(ZIP\)$/);
  const names = Object.keys(unzipSync(zip.bytes));
  expect(names.length).toBeGreaterThan(1);
  expect(names.every((name) => name.startsWith('Amara Okafor - '))).toBe(true);
  // Certificates are made by the server: without it, what is kept of the record is shown and nothing to take is offered.
  await server.stop();
  await page.reload();
  await expect(record.getByRole('row').nth(1)).toBeVisible();
  await expect(record.getByRole('button', { name: 'Download', exact: true })).toHaveCount(0);
});
