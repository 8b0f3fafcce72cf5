import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Register } from '#contract/entities/training-session.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { openDatabase } from '#server/db/open.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { api, appIsKept, chip, expect, goTo, newDevice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { desktop } from '#tests/support/look.ts';
import type { TestServer } from '#tests/support/real-server.ts';

const grace = demoId('user:grace.adeyemi@willowbrook.test');
const course = demoId('course:Basic life support');
/** What the passing of time does, and no person. */
const later = async (server: TestServer, what: Statement) => {
  const { db, close } = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: server.databaseUrl });
  await db.run(what);
  await close();
};
const grid = (page: Page) => page.getByRole('grid', { name: 'Training matrix' });

test('a red cell is booked, the training company runs the day without a signal, and result, certificate and invoice line are there that evening @online', async ({
  page,
  browser,
  server,
}) => {
  test.setTimeout(240_000);
  await later(server, sql`update results set expires_at = now() - interval '2 days' where user_id = ${grace} and course_id = ${course}`);
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'Training matrix');
  await expect(page.getByText(/^As of /)).toBeVisible();
  await grid(page).getByRole('gridcell').or(grid(page).getByRole('columnheader')).first().focus();
  await page.getByRole('button', { name: 'Find and choose' }).click();
  const jump = page.getByRole('combobox', { name: 'Jump to' });
  await jump.fill('Grace');
  await page.getByRole('option', { name: /Grace Adeyemi/ }).click();
  await jump.fill('Basic life');
  await page.getByRole('option', { name: /Basic life support/ }).click();
  await expect(grid(page).locator(':focus')).toHaveAccessibleName(/Grace Adeyemi, Basic life support, expired/);
  await page.keyboard.press('Enter');
  const why = page.getByRole('dialog');
  await why.getByRole('link', { name: 'Book a place: Basic life support' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Brightpath' }).getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Book', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^BP-/ })).toBeVisible();
  const [booking] = await api<{ id: string; reference: string }[]>(page, 'GET', '/bookings?sort=-created_at');
  const { sessions } = await api<{ sessions: { id: string }[] }>(page, 'GET', `/bookings/${booking?.id}`);
  const session = sessions[0]?.id as string;

  // The day has come.
  await later(
    server,
    sql`update training_sessions set date = (now() at time zone 'Europe/London')::date, start_time = '00:01', end_time = '23:59' where id = ${session}`,
  );
  const hall = await newDevice(browser, 'allow');
  await signIn(hall.page, server, 'admin@brightpath.test');
  await hall.page.goto(`${server.url}/training-sessions/${session}`);
  await expect(hall.page.getByRole('button', { name: 'Here: Grace Adeyemi' })).toBeVisible();
  await appIsKept(hall.page);
  await hall.context.setOffline(true);
  await hall.page.getByRole('button', { name: 'Here: Grace Adeyemi' }).click();
  await hall.page.getByRole('img', { name: /^Your signature:/ }).click({ position: { x: 60, y: 60 } });
  await hall.page.getByRole('button', { name: 'Finish the register' }).click();
  await expect(hall.page.getByText(/^Joanna Clarke finished it,/)).toBeVisible();
  await expect(chip(hall.page)).toContainText('saved on this device');
  await hall.context.setOffline(false);
  await wake(hall.page);
  await expect(chip(hall.page)).toContainText('All sent');
  expect((await api<Register>(hall.page, 'GET', `/training-sessions/${session}`)).delegates).toMatchObject([{ name: 'Grace Adeyemi' }]);
  await hall.context.close();

  // The same evening, at the office of the client.
  await goTo(page, 'Training matrix');
  await expect(page.getByText(/^As of /)).toBeVisible();
  await grid(page).getByRole('gridcell').or(grid(page).getByRole('columnheader')).first().focus();
  await page.getByRole('button', { name: 'Find and choose' }).click();
  await jump.fill('Grace');
  await page.getByRole('option', { name: /Grace Adeyemi/ }).click();
  await jump.fill('Basic life');
  await page.getByRole('option', { name: /Basic life support/ }).click();
  await expect(grid(page).locator(':focus')).toHaveAccessibleName(/Grace Adeyemi, Basic life support, in date/);
  await page.goto(`${server.url}/manage-bookings/${booking?.id}`);
  const cost = page.getByRole('region', { name: 'Cost', exact: true });
  await expect(cost).toContainText('VAT');
  const download = page.waitForEvent('download');
  await page.getByRole('region', { name: 'For the accounts' }).getByRole('button', { name: 'CSV' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8');
  expect(lines).toContain(booking?.reference);
  expect(lines).toContain('Basic life support');

  const { page: own } = await newDevice(browser);
  await signIn(own, server, 'grace.adeyemi@willowbrook.test');
  await own.getByRole('button', { name: /^Done \d/ }).click();
  const row = own.getByRole('row', { name: /Basic life support/ });
  const certificate = own.waitForEvent('download');
  await row.getByRole('button', { name: /ertificate/ }).click();
  expect((await certificate).suggestedFilename()).toMatch(/\.pdf$/);
});
