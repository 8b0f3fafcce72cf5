import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Register } from '#contract/entities/training-session.ts';
import { addDays } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import {
  api,
  appIsKept,
  chip,
  draftIsKept,
  expect,
  goTo,
  newDevice,
  newOffice,
  passwordIsKnown,
  signIn,
  takeBack,
  test,
  wake,
  withoutPin,
} from '#tests/support/browser-test.ts';
import { expectLargeTargets, look } from '#tests/support/look.ts';

const session = demoId('session:moving');
const open = async (page: Page, url: string) => {
  await page.goto(`${url}/training-sessions/${session}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Moving and assisting people' })).toBeVisible();
};
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const press = (page: Page, label: string, name: string) => page.getByRole('button', { name: `${label}: ${name}`, exact: true }).click();
const sign = async (page: Page, label: string) => {
  await page.getByRole('img', { name: new RegExp(`^${label}:`) }).click({ position: { x: 60, y: 60 } });
};

test('a trainer takes a register without a signal, while the office cancels the session and takes somebody off its list', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(240_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  await passwordIsKnown(page);
  await goTo(page, 'Registers');
  await expect(page.getByRole('row', { name: /Moving and assisting people/ })).toContainText('On the list: 4');
  await look(page, 'registers');
  // Nobody has opened the register of tomorrow: it is kept all the same.
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise((found) => {
            const asked = indexedDB.databases().then((all) => {
              const name = all.find((d) => d.name?.startsWith('lantern-') && d.name.length > 30)?.name ?? '';
              const opening = indexedDB.open(name);
              opening.onsuccess = () => {
                const db = opening.result;
                const counted = db.transaction('registers').objectStore('registers').count();
                counted.onsuccess = () => {
                  db.close();
                  found(counted.result);
                };
              };
            });
            void asked;
          }),
      ),
    )
    .toBe(3);
  await open(page, server.url);
  await expect(page.getByRole('button', { name: 'Everybody is here' })).toBeVisible();
  await look(page, 'register');
  await appIsKept(page);

  // The office, online, while the trainer is offline.
  const office = await newOffice(browser);
  await signIn(office.page, server, 'admin@willowbrook.test');
  await page.context().setOffline(true);
  await open(office.page, server.url);
  await press(office.page, 'Take off the list', 'Grace Adeyemi');
  await expect(card(office.page, 'Grace Adeyemi')).toHaveCount(0);
  await office.page.getByRole('button', { name: 'Cancel it …' }).click();
  await office.page.getByRole('button', { name: 'Cancel the session' }).click();
  await expect(office.page.getByText('Enter a reason.').first()).toBeVisible();
  await office.page.getByRole('combobox', { name: 'Reason' }).click();
  await office.page.getByRole('option', { name: 'The venue is not available.' }).click();
  await office.page.getByLabel('Why it is cancelled').fill('The hall is flooded.');
  await office.page.getByRole('button', { name: 'Cancel the session' }).click();
  await expect(office.page.getByText(/Priya Raman cancelled this session.*The venue is not available\. The hall is flooded\./)).toBeVisible();

  // In the hall.
  await page.getByRole('button', { name: 'Everybody is here' }).click();
  await expect(page.getByText('4 people, 4 here')).toBeVisible();
  await press(page, 'Absent', 'Daniel Osei');
  await press(page, 'Passed', 'Grace Adeyemi');
  await press(page, 'Late, early, note', 'Liam Murphy');
  await page.getByLabel('Liam Murphy arrived late, at').fill('late');
  await card(page, 'Liam Murphy').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a time, for example 09:30.')).toBeVisible();
  await page.getByLabel('Liam Murphy arrived late, at').fill('12:45');
  await card(page, 'Liam Murphy').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The session ended at 12:30.')).toBeVisible();
  await page.getByLabel('Liam Murphy arrived late, at').fill('09:50');
  await page.getByLabel('Note about Liam Murphy').fill('Came from a night shift');
  // Put down before it is saved: what was typed is there again.
  await draftIsKept(page);
  await page.reload();
  await press(page, 'Late, early, note', 'Liam Murphy');
  await expect(page.getByLabel('Note about Liam Murphy')).toHaveValue('Came from a night shift');
  await card(page, 'Liam Murphy').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(card(page, 'Liam Murphy')).toContainText('Here, from 09:50, “Came from a night shift”, 160 minutes');
  // All the others in one tap: what was noted about each of them stays.
  await page.getByRole('button', { name: 'The other 2 passed' }).click();
  await expect(card(page, 'Liam Murphy')).toContainText('Here, from 09:50, practical passed, “Came from a night shift”');
  await press(page, 'Not yet', 'Megan Davies');
  await expectLargeTargets(page, 'register');
  await page.getByRole('button', { name: 'Somebody else came' }).click();
  await page.getByRole('combobox', { name: 'Who came' }).fill('Jade');
  await page.getByRole('option', { name: 'Jade Robinson, Willowbrook House' }).click();
  await page.getByRole('button', { name: 'Add to the register' }).click();
  await expect(card(page, 'Jade Robinson')).toContainText('came without being on the list');
  await press(page, 'Passed', 'Jade Robinson');
  await page.getByRole('button', { name: 'Somebody else came' }).click();
  await page.getByRole('button', { name: 'Add to the register' }).click();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Who came' }).fill('Sunny');
  await page.getByLabel('Note, such as where they work').fill('agency');
  // Put down in the middle of it, too.
  await draftIsKept(page);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Who came' })).toHaveValue('Sunny');
  await expect(page.getByLabel('Note, such as where they work')).toHaveValue('agency');
  await page.getByRole('button', { name: 'Add to the register' }).click();
  await press(page, 'Passed', 'Sunny');
  await press(page, 'Sign', 'Grace Adeyemi');
  await withoutPin(page);
  const handed = page.getByRole('dialog', { name: 'For Grace Adeyemi' });
  await expect(handed).toContainText('Here, practical passed');
  await expect(handed).not.toContainText('Liam');
  await expectLargeTargets(page, 'register-sign');
  await look(page, 'register-sign');
  await sign(page, 'Signature of Grace Adeyemi');
  await handed.getByRole('button', { name: 'Sign', exact: true }).click();
  await takeBack(page, 'Tomasz Zielinski');
  await expect(card(page, 'Grace Adeyemi')).toContainText('Signed');
  await look(page, 'register-taken');
  await sign(page, 'Your signature');
  await page.getByRole('button', { name: 'Finish the register' }).click();
  await expect(page.getByText(/^Tomasz Zielinski finished it,/)).toBeVisible();
  await expect(chip(page)).toContainText('saved on this device');
  // A finished register looks finished: it is changed only after confirmation.
  await expect(page.getByRole('button', { name: /^(Here|Absent|Passed|Sign|Late, early, note): / })).toHaveCount(0);
  await page.getByRole('button', { name: 'Change what was noted …' }).click();
  await expect(page.getByRole('button', { name: 'Here: Daniel Osei' })).toBeVisible();
  // That of tomorrow is a list until then.
  await page.goto(`${server.url}/training-sessions/${demoId('session:life-support')}`);
  await expect(page.getByText('The register is taken on the day: Tomorrow, from 13:00.')).toBeVisible();
  await expect(page.getByRole('article', { name: 'Aisha Khan' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Here|Everybody|Somebody else came|Finish/ })).toHaveCount(0);
  await look(page, 'register-to-come');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Registers' }).click();
  await expect(page.getByText('These registers are on this device')).toBeVisible();
  await expect(page.getByRole('link', { name: /Moving and assisting people/ })).toContainText('Finished, 5 there');
  await look(page, 'registers-kept');

  // The connection is back: everything is sent, and the trainer has nothing to decide.
  await page.context().setOffline(false);
  await wake(page);
  await expect(chip(page)).toContainText('All sent');
  await open(page, server.url);
  await expect(page.getByText('A register was taken all the same and is kept.')).toBeVisible();
  await look(page, 'register-cancelled');
  const taken = await api<Register>(page, 'GET', `/training-sessions/${session}`);
  expect(
    taken.delegates.map(({ name, marks, walk_in, removed, recorded, signature }) => ({
      ...{ name, walk_in, removed: removed !== null, recorded, signed: signature !== null },
      mark: [marks.at(-1)?.presence, marks.at(-1)?.arrived, marks.at(-1)?.outcome],
    })),
  ).toEqual([
    { name: 'Daniel Osei', walk_in: false, removed: false, recorded: false, signed: false, mark: ['absent', null, null] },
    { name: 'Grace Adeyemi', walk_in: true, removed: false, recorded: false, signed: true, mark: ['present', null, 'passed'] },
    { name: 'Jade Robinson', walk_in: true, removed: false, recorded: false, signed: false, mark: ['present', null, 'passed'] },
    { name: 'Liam Murphy', walk_in: false, removed: false, recorded: false, signed: false, mark: ['present', '09:50', 'passed'] },
    { name: 'Megan Davies', walk_in: false, removed: false, recorded: false, signed: false, mark: ['present', null, 'not_yet'] },
    { name: 'Sunny', walk_in: true, removed: false, recorded: false, signed: false, mark: ['present', null, 'passed'] },
  ]);

  // The person who cancelled it confirms that it took place; then it counts.
  await open(office.page, server.url);
  await office.page.getByRole('button', { name: 'It took place' }).click();
  await expect(card(office.page, 'Grace Adeyemi')).toContainText('In their record');
  await expect(card(office.page, 'Megan Davies')).toContainText('Not in their record by this session');
  // And reverses it, and confirms it again: the records follow.
  await office.page.getByRole('button', { name: 'It did not take place after all' }).click();
  await expect(office.page.getByText('It did not take place. The register is kept')).toBeVisible();
  await expect(card(office.page, 'Grace Adeyemi')).not.toContainText('In their record');
  await office.page.getByRole('button', { name: 'It took place after all' }).click();
  await expect(card(office.page, 'Grace Adeyemi')).toContainText('In their record');
  await office.page.getByRole('combobox', { name: 'Who Sunny is' }).fill('Sunita');
  const sunita = office.page.getByRole('option', { name: 'Sunita Patel' });
  await expect(sunita).toBeVisible();
  // What was found stays to be chosen wherever the page is scrolled to.
  await office.page.evaluate(() => scrollTo(0, 0));
  await expect(sunita).toBeVisible();
  await sunita.click();
  await expect(card(office.page, 'Sunita Patel')).toContainText('In their record');
  await office.context.close();
});

test('a register that two have taken differently is asked about where it is, and an office plans a session', async ({ page, server, browser }) => {
  test.setTimeout(180_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  await passwordIsKnown(page);
  await open(page, server.url);
  await expect(page.getByRole('button', { name: 'Everybody is here' })).toBeVisible();
  const office = await newOffice(browser);
  await signIn(office.page, server, 'admin@willowbrook.test');
  await goTo(office.page, 'Registers');
  await office.page.getByRole('link', { name: 'Plan a session' }).click();
  await office.page.getByRole('button', { name: 'Plan the session' }).click();
  await expect(office.page.getByText('Choose a course.').first()).toBeVisible();
  await office.page.getByRole('combobox', { name: 'Training' }).fill('Fire');
  await office.page.getByRole('option', { name: 'Fire safety' }).click();
  await office.page.getByRole('combobox', { name: 'Trainer' }).fill('Tomasz');
  await office.page.getByRole('option', { name: 'Tomasz Zielinski' }).click();
  await office.page.getByRole('combobox', { name: 'Venue' }).fill('Willowbrook House');
  // A trainer is not in two places.
  await expect(office.page.getByText('They give “Moving and assisting people” from 09:30 to 12:30 that day.')).toBeVisible();
  await office.page.getByRole('button', { name: 'Plan the session' }).click();
  await expect(office.page.getByText(/^They give “Moving and assisting people” on .*09:30 to 12:30\.$/).first()).toBeVisible();
  await look(office.page, 'session-create');
  await office.page.getByRole('textbox', { name: 'From' }).fill('13:30');
  await office.page.getByRole('textbox', { name: 'To', exact: true }).fill('16:30');
  await office.page.getByRole('button', { name: 'Plan the session' }).click();
  await expect(office.page.getByText('Nobody is on the list yet')).toBeVisible();
  await office.page.getByRole('combobox', { name: 'Add somebody to the list' }).fill('Amara');
  await office.page.getByRole('option', { name: 'Amara Okafor' }).click();
  await expect(card(office.page, 'Amara Okafor')).toBeVisible();

  await page.context().setOffline(true);
  await press(page, 'Here', 'Grace Adeyemi');
  await press(page, 'Passed', 'Grace Adeyemi');
  await press(page, 'Sign', 'Grace Adeyemi');
  await withoutPin(page);
  await sign(page, 'Signature of Grace Adeyemi');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }).click();
  await takeBack(page, 'Tomasz Zielinski');
  await open(office.page, server.url);
  await press(office.page, 'Absent', 'Grace Adeyemi');
  await press(office.page, 'Here', 'Liam Murphy');
  await expect(chip(office.page)).toContainText('All sent');
  await page.context().setOffline(false);
  await wake(page);
  await expect(card(page, 'Grace Adeyemi')).toContainText('Both are kept. Choose what counts.');
  await expect(card(page, 'Liam Murphy')).toContainText('Here');
  await look(page, 'register-conflict');
  await card(page, 'Grace Adeyemi')
    .getByRole('button', { name: /^Mine counts: was there/ })
    .click();
  await expect(chip(page)).toContainText('All sent');
  await expect(card(page, 'Grace Adeyemi')).toContainText('Here, practical passed');
  const register = await api<Register>(page, 'GET', `/training-sessions/${session}`);
  const grace = register.delegates.find((d) => d.name === 'Grace Adeyemi');
  expect(grace?.marks.map((m) => [m.presence, m.outcome, m.by.name])).toEqual([
    // Replaced on the tablet before it was sent: it stands behind what was said elsewhere.
    ['present', null, 'Tomasz Zielinski'],
    ['absent', null, 'Priya Raman'],
    ['present', 'passed', 'Tomasz Zielinski'],
  ]);
  expect(grace?.signature?.mark_id).toBe(grace?.marks.at(-1)?.id);
  await office.context.close();
});

test('a register finished on a day from which its session was moved counts once the office says so @online', async ({ page, browser, server }) => {
  await signIn(page, server, 'trainer@willowbrook.test');
  const office = await newDevice(browser);
  await signIn(office.page, server, 'admin@willowbrook.test');
  const { date, delegates } = await api<Register>(page, 'GET', `/training-sessions/${session}`);
  await api(office.page, 'PATCH', `/training-sessions/${session}`, { date: addDays(date, 7) });
  // What the trainer's device, which has not heard of it, sends.
  const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: new Date().toISOString(), command, args });
  const there = { presence: 'present', arrived: null, left: null, outcome: 'passed', note: '', instead_of: null };
  const marks = delegates.map((d) => change('register.mark', { delegate_id: d.id, ...there }));
  const finish = change('register.complete', { marks: marks.map((m) => m.id), note: '', method: 'drawn', drawing: 'M10 10L90 40' });
  await api(page, 'PATCH', `/training-sessions/${session}/register`, { changes: [...marks, finish] });

  await open(page, server.url);
  await expect(page.getByText(/^It was moved to .*, and its register was finished for .*, a day that it had before\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^It took place/ })).toHaveCount(0);
  await open(office.page, server.url);
  await expect(card(office.page, 'Grace Adeyemi')).not.toContainText('In their record');
  await look(office.page, 'register-moved');
  await office.page.getByRole('button', { name: /^It took place on \d\d\/\d\d\/\d{4}$/ }).click();
  await expect(card(office.page, 'Grace Adeyemi')).toContainText('In their record');
  await expect(office.page.getByText(/^It was moved to/)).toHaveCount(0);
});
