import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { CareCertificate, ObservationRecord } from '#contract/entities/care-certificate.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { KillableBrowser } from '#tests/faults/browser/killable-browser.ts';
import { look } from '#tests/support/look.ts';
import { api, appIsKept, chip, expect, goTo, newDevice, newOffice, signIn, test, wake } from '#tests/support/browser-test.ts';

/**
 * A trainer's day in houses without a signal, beside a manager who observes, too: what was entered on two devices, of which one was
 * killed and one has a wrong clock, is what the server has in the evening, field by field.
 */
const hourMs = 3_600_000;
type Entered = Pick<ObservationRecord, 'seen' | 'feedback' | 'setting'> & {
  who: string;
  said: Record<string, 'met' | 'not_yet_met'>;
  by: string;
  at: number;
};

const people = {
  'Megan Davies': 'megan.davies',
  'Daniel Osei': 'daniel.osei',
  'Grace Adeyemi': 'grace.adeyemi',
  'Aisha Khan': 'aisha.khan',
  'Liam Murphy': 'liam.murphy',
  'Amara Okafor': 'learner',
};
const certificateOf: Record<string, string> = {};

/** Fills the form in, up to Save: the first criterion is met, the second not yet. */
const fill = async (page: Page, url: string, entered: Omit<Entered, 'said' | 'at'>, activity: RegExp): Promise<Entered> => {
  await page.goto(`${url}/care-certificate/${certificateOf[entered.who]}`);
  await page.getByRole('link', { name: 'Record an observation' }).click();
  await page.getByRole('button', { name: activity }).click();
  const groups = page.getByRole('list', { name: 'Criteria' }).getByRole('radiogroup');
  const codeOf = async (n: number) => ((await groups.nth(n).getAttribute('aria-label')) ?? '').split(' ')[0] as string;
  const [met, notYet] = [await codeOf(0), await codeOf(1)];
  await groups.nth(0).getByText('Met', { exact: true }).click();
  await groups.nth(1).getByText('Not yet', { exact: true }).click();
  await page.getByLabel(`What is to be done about ${notYet}`).fill(`Show ${notYet} again`);
  await page.getByLabel('What you saw or heard').fill(entered.seen);
  await page.getByRole('textbox', { name: 'Where' }).fill(entered.setting);
  await page.getByLabel(`Feedback for ${entered.who}`).fill(entered.feedback);
  return { ...entered, said: { [met]: 'met', [notYet]: 'not_yet_met' }, at: Date.now() };
};
const save = async (page: Page, who: string) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Sign the record of ${who}` })).toBeVisible();
};

test('the day of two devices and a manager: nothing is lost, doubled or given to the wrong person', async ({ browser, server }) => {
  test.setTimeout(300_000);
  const email = (name: string) => `${name}@willowbrook.test`;
  const first = new KillableBrowser();
  const open = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  try {
    // In the morning, with a signal: the certificates of the day's people are opened once on each device.
    let a = await first.launch(`${server.url}/login`, open);
    await a.setViewportSize({ width: 820, height: 1180 });
    await signIn(a, server, email('trainer'));
    const b = await newDevice(browser);
    await b.page.addInitScript((ahead) => {
      const Right = Date;
      globalThis.Date = class extends Right {
        constructor(...given: []) {
          super(...((given.length === 0 ? [Right.now() + ahead] : given) as []));
        }
        static override now = () => Right.now() + ahead;
      } as DateConstructor;
    }, 3 * hourMs);
    await signIn(b.page, server, email('manager'));
    for (const [name, account] of Object.entries(people)) {
      const { id } = await api<CareCertificate>(b.page, 'POST', '/care-certificates', { user_id: demoId(`user:${email(account)}`) });
      certificateOf[name] = id;
      for (const page of [a, b.page]) {
        await page.goto(`${server.url}/care-certificate/${id}`);
        await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
        await expect(page.getByText(/^\d+ of 212 criteria$/)).toBeVisible();
      }
    }
    for (const page of [a, b.page]) {
      await page.getByRole('link', { name: 'Record an observation' }).click();
      await page.getByRole('button', { name: 'Choose files' }).waitFor();
      await appIsKept(page);
    }
    await a.goto(`${server.url}/care-certificate/${certificateOf['Megan Davies']}`);
    await a.getByText('1 Understand your role').waitFor();
    await server.stop();

    // The trainer's tablet is killed while a photograph is being saved.
    const entered: Entered[] = [];
    const tomasz = 'Tomasz Zielinski';
    const helen = 'Helen Marsh';
    const drinks = /^Offering drinks/;
    const megan = { who: 'Megan Davies', by: tomasz, seen: 'Offered water and tea, and waited.', setting: 'Lounge', feedback: 'Kind and unhurried.' };
    entered.push(await fill(a, server.url, megan, drinks));
    const photograph = await sharp({ create: { width: 3000, height: 2250, channels: 3, background: '#365' } })
      .jpeg()
      .toBuffer();
    const choose = () => a.locator('input[type=file]').last().setInputFiles({ name: 'jug.jpg', mimeType: 'image/jpeg', buffer: photograph });
    const file = () => a.getByRole('listitem', { name: 'Photograph 1' });
    await choose();
    await first.killTree();
    a = await first.launch(`${server.url}/care-certificate/${certificateOf['Megan Davies']}/record`, open);
    await a.setViewportSize({ width: 820, height: 1180 });
    a.setDefaultTimeout(20_000);
    await expect(a.getByLabel('What you saw or heard')).toHaveValue(megan.seen);
    if ((await file().count()) === 0) await choose();
    await file().getByText('Nobody', { exact: true }).click();
    await save(a, megan.who);
    const pad = a.getByRole('region', { name: 'Your signature' }).getByRole('img', { name: /^Your signature:/ });
    await pad.click({ position: { x: 60, y: 60 } });
    await a.getByRole('region', { name: 'Your signature' }).getByRole('button', { name: 'Sign', exact: true }).click();
    await expect(a.getByText('You signed, by hand', { exact: false })).toBeVisible();

    for (const [page, by, who] of [
      [a, tomasz, 'Grace Adeyemi'],
      [a, tomasz, 'Aisha Khan'],
      [b.page, helen, 'Liam Murphy'],
      [b.page, helen, 'Amara Okafor'],
    ] as const) {
      entered.push(
        await fill(page, server.url, { who, by, seen: `${who} asked first.`, setting: 'Dining room', feedback: `Well done, ${who}.` }, drinks),
      );
      await save(page, who);
    }
    const daniel = { who: 'Daniel Osei', by: helen, seen: 'Talked with the family.', setting: 'Office', feedback: '' };
    entered.push(await fill(b.page, server.url, daniel, /^(Moving|Helping somebody (to )?move|Moving and)/));
    await save(b.page, daniel.who);
    // The same person and criteria, judged differently by somebody who does not know of the trainer's record.
    const again = await fill(b.page, server.url, { ...megan, by: helen, seen: 'The jug was out of reach.', feedback: '' }, drinks);
    const [met] = Object.keys(again.said) as [string];
    await b.page.getByRole('list', { name: 'Criteria' }).getByRole('radiogroup').nth(0).getByText('Not yet', { exact: true }).click();
    await b.page.getByLabel(`What is to be done about ${met}`).fill('Put it in reach');
    entered.push({ ...again, said: { ...again.said, [met]: 'not_yet_met' } });
    await save(b.page, megan.who);

    // In the evening, in one order or the other.
    await server.start();
    const tablets = Math.random() < 0.5 ? [a, b.page] : [b.page, a];
    for (const page of tablets)
      await expect(async () => {
        // A browser that was killed may have forgotten who was signed in: what waits is sent when they are again.
        if (page === a) {
          const form = page.getByLabel('E-mail address');
          await page.goto(`${server.url}/login`);
          await expect(form.or(chip(page)).first()).toBeVisible();
          if (await form.isVisible()) await signIn(page, server, email('trainer'));
        }
        await wake(page);
        await expect(chip(page)).toContainText(/All sent|needs you/, { timeout: 10_000 });
      }).toPass({ timeout: 90_000 });
    for (const page of tablets)
      if (await chip(page).getByText('needs you').count()) {
        await goTo(page, 'Care Certificate');
        await page.getByRole('link', { name: new RegExp(megan.who) }).click();
        const asked = page.getByRole('region', { name: 'Needs you' });
        await expect(asked).toContainText(`Decided on ${met} for ${megan.who}`);
        // The certificate itself shows both sides and the question.
        await expect(asked).toContainText('On this device');
        await expect(asked).toContainText('On the server');
        await look(page, 'certificate-conflict');
        await asked
          .getByRole('button', { name: /^Mine counts/ })
          .first()
          .click();
        await expect(chip(page)).toContainText('All sent');
      }

    // The manager checks that each record exists once, with each field, its assessor and its time.
    const desk = await newOffice(browser);
    await signIn(desk.page, server, email('manager'));
    for (const [name, id] of Object.entries(certificateOf)) {
      const certificate = await api<CareCertificate>(desk.page, 'GET', `/care-certificates/${id}`);
      expect(certificate.user.name).toBe(name);
      const today = certificate.observations.filter((o) => Date.now() - Date.parse(o.received_at) < hourMs);
      const wanted = entered.filter((e) => e.who === name);
      const plain = (list: { seen: string }[]) => list.sort((x, y) => (x.seen < y.seen ? -1 : 1));
      expect(
        plain(
          today.map(({ record, assessor, kind }) => ({
            ...{ kind, by: assessor.name, seen: record?.seen ?? '', setting: record?.setting, feedback: record?.feedback, method: record?.method },
            said: Object.fromEntries((record?.criteria ?? []).map((c) => [c.criterion, c.outcome])),
          })),
        ),
        name,
      ).toEqual(
        plain(
          wanted.map(({ by, seen, setting, feedback, said }) => ({ kind: 'observation', by, seen, setting, feedback, method: 'observation', said })),
        ),
      );
      for (const o of today) {
        const at = wanted.find((w) => w.seen === o.record?.seen)?.at as number;
        // To the minute in the form; the device whose clock is three hours ahead is right, too.
        expect(Math.abs(Date.parse(o.record?.done_at ?? '') - at), `${name}: when it was seen`).toBeLessThan(2 * 60_000);
        expect(Math.abs(Date.parse(o.at) - at), `${name}: when it was saved`).toBeLessThan(3 * 60_000);
        expect(Math.abs((o.skew_ms ?? 0) + (o.assessor.name === helen ? 3 * hourMs : 0)), `${name}: the clock`).toBeLessThan(2 * 60_000);
      }
      for (const { said } of wanted.filter((w) => wanted.length === 1 || w.by === helen))
        for (const criterion of Object.keys(said))
          expect(
            certificate.decisions.filter((d) => d.criterion === criterion),
            criterion,
          ).toHaveLength(1);
      if (name !== megan.who) continue;
      const proof = today.flatMap((o) => o.record?.evidence ?? []);
      expect(proof).toHaveLength(1);
      const bytes = await desk.page.evaluate(
        async (path) => [...new Uint8Array(await (await fetch(path)).arrayBuffer())],
        `/api/care-certificates/${id}/evidence/${proof[0]?.id}`,
      );
      expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).toBe(proof[0]?.hash);
      expect(certificate.signatures.filter((s) => today.some((o) => o.id === s.about)).map((s) => [s.signer, s.by.name])).toEqual([
        ['assessor', tomasz],
      ]);
    }
    await Promise.all([b.context.close(), desk.context.close()]);
  } finally {
    await first.close();
  }
});
