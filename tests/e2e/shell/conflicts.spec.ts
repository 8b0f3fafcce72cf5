import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type * as certificates from '#src/offline/kinds/certificate/commands.ts';
import type * as packages from '#src/offline/kinds/attempt/package-commands.ts';
import type { personDb } from '#src/offline/store/person-db.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, chip, course, expect, newDevice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

/** Each conflict that can arise between two devices, as the person sees it: in their words, with choices that do what they say. */
type Device = typeof certificates & typeof packages & { personDb: typeof personDb };
declare global {
  interface Window {
    device: Device;
  }
}

let commands = '';
test.beforeAll(async () => {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      minify: false,
      rolldownOptions: { input: new URL('../../support/device-commands.ts', import.meta.url).pathname },
    },
  })) as unknown as { output: { code: string }[] };
  commands = built.output[0]?.code ?? '';
});
/** Gives the page the device's commands, as its own script. */
const withCommands = async (page: Page) => {
  await page.route('**/device-commands.js', (route) => route.fulfill({ contentType: 'text/javascript', body: commands }));
  await page.addScriptTag({ type: 'module', url: '/device-commands.js' });
  await page.waitForFunction(() => 'device' in window);
};

test.use({ serviceWorkers: 'block' });

test('two assessors decide differently: both records are kept, the assessor says which counts @online', async ({ page, browser, server }) => {
  test.setTimeout(180_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  const other = await newDevice(browser);
  await signIn(other.page, server, 'manager@willowbrook.test');
  const certificate = await api<CareCertificate>(other.page, 'POST', '/care-certificates', { user_id: demoId('user:learner@willowbrook.test') });
  await withCommands(page);
  await page.evaluate(async (c) => {
    const me = JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string; name: string };
    const db = window.device.personDb(me.uuid);
    await window.device.noteServerCertificate(db, c);
    await window.device.recordObservation(db, me, c, {
      done_at: new Date().toISOString(),
      method: 'observation',
      setting: 'Breakfast',
      seen: 'Offered a choice of drinks and wrote down what was taken.',
      feedback: '',
      criteria: [{ criterion: '8.1a', outcome: 'met', action: null, due: null }],
    });
  }, certificate);
  const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: new Date().toISOString(), command, args });
  const observed = change('observation.record', {
    done_at: new Date().toISOString(),
    method: 'observation',
    setting: '',
    seen: 'The jug was out of reach all morning.',
    feedback: '',
    criteria: [{ criterion: '8.1a', outcome: 'not_yet_met', action: 'Put it in reach', due: null }],
  });
  await api(other.page, 'PATCH', `/care-certificates/${certificate.id}`, {
    changes: [observed, change('observation.decide', { criterion: '8.1a', outcome: 'not_yet_met', observation_id: observed.id, instead_of: null })],
  });
  await wake(page);
  await expect(chip(page)).toContainText('1 thing needs you');
  await chip(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Decided on 8.1a for Amara Okafor');
  await expect(dialog).toContainText('Care certificate of Amara Okafor');
  await expect(dialog).toContainText('Both records are kept. Choose which decision counts.');
  await expect(dialog).toContainText('Helen Marsh');
  await expect(dialog).toContainText('The jug was out of reach all morning.');
  await look(page, 'conflict-decision');
  await dialog.getByRole('button', { name: 'Mine counts: met' }).click();
  await expect(chip(page)).toContainText('All sent');
  const after = await api<CareCertificate>(other.page, 'GET', `/care-certificates/${certificate.id}`);
  expect(after.observations).toHaveLength(2);
  expect(after.decisions).toMatchObject([{ criterion: '8.1a', outcome: 'met', by: { name: 'Tomasz Zielinski' } }]);
  await other.context.close();
});

test('a package was gone on with on two devices: the person says where to go on', async ({ page, server }) => {
  test.setTimeout(180_000);
  await signIn(page, server, 'learner@willowbrook.test');
  await course(page, 'Fire safety')
    .getByRole('button', { name: /Renew|Continue/ })
    .click();
  await expect(page).toHaveURL(/\/attempt\//);
  await expect(chip(page)).toContainText('All sent');
  const attempt = page.url().split('/').at(-1) as string;
  await withCommands(page);
  await page.evaluate(async (id) => {
    const me = JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string };
    const facts = { ticks: 1, seconds: 600, completion: 'incomplete', success: 'unknown', score: null, percent: 60, cmi: {} } as const;
    const here = { attempt: { id, user_id: me.uuid }, item: { id: 'sco', title: 'Using the hoist' } };
    const change = (command: string, args: object) => ({ id: crypto.randomUUID(), version: 1, at: new Date().toISOString(), command, args });
    const session = crypto.randomUUID();
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
    await fetch(`/api/attempts/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token },
      body: JSON.stringify({
        changes: [
          change('attempt.scorm_commit', { item_id: 'sco', session_id: session, ...facts, percent: 75, seconds: 900 }),
          change('attempt.scorm_resume', { item_id: 'sco', session_id: session, instead_of: null }),
        ],
      }),
    });
    await window.device.commitScorm(window.device.personDb(me.uuid), here, crypto.randomUUID(), facts);
  }, attempt);
  await wake(page);
  await expect(chip(page)).toContainText('1 thing needs you');
  await chip(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('What you did on both counts, and your time is added up. Choose where to go on.');
  await expect(dialog).toContainText('At 60 %, after 10 minutes');
  await look(page, 'conflict-resume');
  await dialog.getByRole('button', { name: 'Go on at 75 % (the other device)' }).click();
  await expect(chip(page)).toContainText('All sent');
});
