import { readFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';
import { designFrom } from '#contract/design-templates.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, goTo, newOffice, signIn, test } from '#tests/support/browser-test.ts';
import type { TestServer } from '#tests/support/real-server.ts';
import { look, lookOnDesktop } from '#tests/support/look.ts';

/** A policy in a course that everybody has to do, which Amara has signed. */
const policyToSign = async (browser: Browser, server: TestServer) => {
  const office = await newOffice(browser);
  await signIn(office.page, server, 'admin@willowbrook.test');
  const design = designFrom('policy');
  const course_id = demoId('course:Fire safety');
  const { id } = await api<{ id: string }>(office.page, 'POST', '/designed-contents', { course_id, title: 'Gifts and favours', design });
  await api(office.page, 'POST', `/content/${id}/publish`, {});
  await office.context.close();
  const learner = await newOffice(browser);
  await signIn(learner.page, server, 'learner@willowbrook.test');
  const block = design.pages.flatMap((p) => p.rows.flatMap((r) => r.blocks)).find((b) => b.kind === 'acknowledgement');
  const change = (command: string, args: object) => ({ id: crypto.randomUUID(), version: 1, at: new Date().toISOString(), command, args });
  await api(learner.page, 'PATCH', `/attempts/${await attemptIdOf(demoId('user:learner@willowbrook.test'), id, 1)}`, {
    changes: [
      change('attempt.start', { content_id: id, content_version: 1 }),
      change('attempt.progress', { topic_id: block?.id, state: 'completed', percent: 100, seconds: { tablet: 4 } }),
    ],
  });
  await learner.context.close();
};

test('a manager freezes a pack, reads it without a connection, and anybody can check a file of it', async ({ page, browser, server }) => {
  test.slow();
  await policyToSign(browser, server);
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'Inspection packs');
  await expect(page.getByRole('heading', { name: 'There are no inspection packs yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Freeze a pack' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Inspection in November');
  await look(page, 'inspection-create');
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Inspection in November' })).toBeVisible();
  await expect(page.getByText(/^Unchanged: its fingerprint .*kept on this device/)).toBeVisible({ timeout: 60_000 });
  await page.getByLabel('Find in this pack').fill('amara fire');
  await expect(page.getByText('0 lines')).toBeVisible();
  await page.getByLabel('Find in this pack').fill('amara');
  await expect(page.getByRole('row', { name: /Amara Okafor/ }).first()).toBeVisible();
  await look(page, 'inspection');
  await lookOnDesktop(page, 'inspection');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: /^PDF/ }).click();
  const file = await (await saving).path();

  await server.stop();
  await page.reload();
  await expect(page.getByText(/^Unchanged: its fingerprint/)).toBeVisible();
  await page.getByRole('tab', { name: /^People/ }).click();
  await expect(page.getByRole('row', { name: /Amara Okafor/ })).toBeVisible();
  await page.getByRole('button', { name: /^PDF/ }).click();
  await expect(page.getByText('There is no connection. What is on this device can be read below.')).toBeVisible();
  await page.getByRole('tab', { name: /^Policies read/ }).click();
  await expect(page.getByText(/1 of \d+ have signed · version 1/)).toBeVisible();
  await expect(page.getByRole('row', { name: /Gifts and favours.*Amara Okafor.*Signed/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Gifts and favours.*Not signed/ }).first()).toBeVisible();
  await look(page, 'inspection-policies');
  await lookOnDesktop(page, 'inspection-policies');
  await page.setViewportSize({ width: 820, height: 1180 });
  await goTo(page, 'Inspection packs');
  await expect(page.getByText('1 pack is on this device and can be read.')).toBeVisible();
  await look(page, 'inspections-offline');
  await server.start();

  await page.goto(`${server.url}/verify-inspection`);
  const choose = page.locator('input[type=file]');
  await choose.setInputFiles({ name: 'pack.pdf', mimeType: 'application/pdf', buffer: readFileSync(file) });
  await expect(page.getByText(/^pack\.pdf: Unchanged\. .*“Inspection in November” of Willowbrook/)).toBeVisible();
  await look(page, 'verify-inspection');
  await choose.setInputFiles({ name: 'other.pdf', mimeType: 'application/pdf', buffer: Buffer.concat([readFileSync(file), Buffer.from('x')]) });
  await expect(page.getByText(/^other\.pdf: This is not a file of an inspection pack/)).toBeVisible();
});
