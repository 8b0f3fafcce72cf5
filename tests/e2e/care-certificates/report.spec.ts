import { readFileSync } from 'node:fs';
import { demoId } from '#server/db/demo/authoring.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';
import type { TestServer } from '#tests/support/real-server.ts';

/** As many people of this name on their care certificate. */
const addPeople = async (server: TestServer, name: string, many: number) => {
  await server.stop();
  const { db, close } = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: server.databaseUrl });
  await db.run(sql`insert into users (id, name, email, primary_entity_id)
    select md5(${name} || n)::uuid, ${name} || ' ' || n, lower(${name}) || n || '@willowbrook.test', ${demoId('entity:home')} from generate_series(1, ${many}::int) n`);
  await db.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at, rev, standards_id)
    select md5('of ' || ${name} || n)::uuid, md5(${name} || n)::uuid, ${demoId('user:manager@willowbrook.test')}, now(), 0, (select standards_id from care_certificates limit 1) from generate_series(1, ${many}::int) n`);
  await close();
  await server.start();
};

test('a long report is made beside the page, shows how far it is and arrives; what is too large says so @online', async ({ page, server }) => {
  test.setTimeout(240_000);
  await addPeople(server, 'Few', 250);
  await addPeople(server, 'Many', 5_000);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/reports/care-certificate?search=few`);
  await expect(page.getByText('250 people')).toBeVisible();
  const answers: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/reports/care-certificate/file')) answers.push(response.status());
  });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as PDF document' }).click();
  await expect(page.getByText(/Your file is being made: \d+ of 250 rows/)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'How far your file is' })).toBeAttached();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/report-being-made.png` });
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^care certificates Priya Raman \d\d-\d\d-\d{4}\.pdf$/);
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  expect([answers[0], answers.at(-1)]).toEqual([202, 200]);
  await expect(page.getByText(/Your file is being made/)).toHaveCount(0);

  await page.getByRole('searchbox', { name: 'Find a person' }).fill('');
  await expect(page.getByText(/^5,254 people/)).toBeVisible();
  await page.getByRole('button', { name: 'Download as PDF document' }).click();
  await expect(page.getByRole('alert')).toContainText('holds 5,000 at most');
  await look(page, 'report-too-large');
  await lookOnDesktop(page, 'report-too-large');

  await server.stop();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText(/needs a connection/)).toBeVisible();
  await look(page, 'report-offline');
});
