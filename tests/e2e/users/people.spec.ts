import { demoId } from '#server/db/demo/authoring.ts';
import { appIsKept, expect, goTo, newDevice, openMailedLink, openPerson, signIn, tabTo, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator adds a person, who chooses a password and signs in; changes them; deactivates them and takes them back @online', async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'People');
  await page.getByRole('link', { name: 'Add a person' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a name.').first()).toBeVisible();
  await look(page, 'user-create');
  await page.getByLabel('Name').fill('Rosa Mendes');
  await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
  await page.getByRole('combobox', { name: 'Belongs to' }).fill('house');
  await page.getByRole('option', { name: 'Willowbrook House' }).click();
  await page.getByRole('combobox', { name: 'Job role', exact: true }).click();
  await page.getByRole('option', { name: 'Registered nurse' }).click();
  await page.getByRole('combobox', { name: 'User type' }).click();
  await page.getByRole('option', { name: 'Learner' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This address cannot be used: it may belong to somebody already.').first()).toBeVisible();
  await page.getByLabel('E-mail address').fill('rosa@willowbrook.test');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rosa Mendes' })).toBeVisible();
  await expect(page.getByText('Registered nurse · Willowbrook House · rosa@willowbrook.test')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send welcome e-mail' })).toBeVisible();

  const { page: tablet, context } = await newDevice(browser);
  await openMailedLink(tablet, server, /reset-password/);
  await tablet.getByLabel('New password', { exact: true }).fill('Quiet-lanterns-9');
  await tablet.getByLabel('Repeat new password').fill('Quiet-lanterns-9');
  await tablet
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(tablet.getByText('Your password has been changed.')).toBeVisible();
  await tablet.goto(`${server.url}/login`);
  await tablet.getByLabel('E-mail address').fill('rosa@willowbrook.test');
  await tablet.getByLabel('Password', { exact: true }).fill('Quiet-lanterns-9');
  await tablet.getByRole('button', { name: 'Sign in' }).click();
  await expect(tablet.getByRole('heading', { level: 1 })).toContainText('Good');

  await page.reload();
  await expect(page.getByRole('button', { name: 'Send welcome e-mail' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByLabel('Name').fill('Rosa Mendes-Clarke');
  await look(page, 'user-update');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rosa Mendes-Clarke' })).toBeVisible();
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: 'Mark as left …' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('They cannot sign in.')).toBeVisible();
  await tablet.reload();
  await expect(tablet).toHaveURL(/\/login/);
  await context.close();
  await page.goto(`${server.url}/users`);
  await page.getByRole('radiogroup', { name: 'Which people' }).getByText(/^Left/).click();
  await expect(page.getByText('1 person', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: /Rosa Mendes-Clarke/ }).click();
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: 'Mark as returned' }).click();
  await expect(page.getByText('Rosa Mendes-Clarke can sign in again.')).toBeVisible();
});

test('a person changes their own name and nothing else @online', async ({ page, server }) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  const uuid = await page.evaluate(() => (JSON.parse(localStorage.getItem('authUser') ?? '{}') as { uuid: string }).uuid);
  await page.goto(`${server.url}/users/${uuid}`);
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await expect(page.getByLabel('E-mail address')).toBeDisabled();
  await expect(page.getByText('Where they work')).toHaveCount(0);
  await page.getByLabel('Name').fill('Aisha Khan-Lowe');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Aisha Khan-Lowe' })).toBeVisible();
});

test('a manager who gives a user type that may do more than they is told so, and loses nothing of the form @online', async ({ page, server }) => {
  await signIn(page, server, 'manager@willowbrook.test');
  await goTo(page, 'People');
  await openPerson(page, 'Sunita Patel');
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('combobox', { name: 'Job role', exact: true }).click();
  await page.getByRole('option', { name: 'Senior carer' }).click();
  await page.getByRole('combobox', { name: 'User type' }).click();
  await page.getByRole('option', { name: 'Administrator' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This user type may do things that you may not.').first()).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Job role', exact: true })).toHaveValue('Senior carer');
});

test('the list of people is narrowed by where they work and what they do there, and stays so when one comes back @reading', async ({
  page,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users`);
  const count = page.getByText(/^\d+ people$/);
  const all = await count.textContent();
  // How each stands and why are one line, whatever it says.
  const lines = await page
    .getByRole('button', { name: /^Why\? / })
    .evaluateAll((all) => all.map((b) => [b, b.parentElement].map((e) => e?.getBoundingClientRect().height)));
  expect(lines.filter(([why, both]) => why !== both)).toEqual([]);
  expect(lines.length).toBeGreaterThan(9);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'Service' }).fill('house');
  await page.getByRole('option', { name: 'Willowbrook House' }).click();
  await expect(count).not.toHaveText(all ?? '');
  const house = await count.textContent();
  await page.getByRole('combobox', { name: 'Job role', exact: true }).click();
  await page.getByRole('option', { name: 'Cook' }).click();
  await expect(count.or(page.getByText('1 person', { exact: true }))).not.toHaveText(house ?? '');
  await look(page, 'people-narrowed');
  const address = page.url();
  await page.getByRole('rowheader').getByRole('link').first().click();
  await expect(page).not.toHaveURL(address);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await page.getByRole('button', { name: 'Clear these filters' }).click();
  await expect(count).toHaveText(all ?? '');
});

test('a person with two job roles has to do what both ask for; notes about them are read by those who look after them @online', async ({
  page,
  server,
  browser,
}) => {
  test.slow();
  const email = 'aisha.khan@willowbrook.test';
  const { page: tablet } = await newDevice(browser);
  await signIn(tablet, server, email);
  await tablet.goto(`${server.url}/users/${demoId(`user:${email}`)}`);
  const must = tablet.getByRole('region', { name: 'Required training' }).getByRole('listitem');
  await expect(must.first()).toBeVisible();
  const before = await must.count();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users/update/${demoId(`user:${email}`)}`);
  await page.getByRole('combobox', { name: 'Other job roles' }).click();
  await page.getByRole('option', { name: 'Registered nurse' }).click();
  await page.getByRole('option', { name: 'Cook' }).click();
  await page.keyboard.press('Escape');
  await look(page, 'user-several-roles');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Cook · Registered nurse/)).toBeVisible();
  await page.getByRole('tab', { name: 'Notes' }).click();
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByLabel('New note').fill('Asked for early shifts until March.');
  await notes.getByRole('button', { name: 'Add the note' }).click();
  await expect(notes.getByText('Asked for early shifts until March.')).toBeVisible();
  await expect(notes.getByLabel('New note')).toHaveValue('');
  await look(page, 'person-notes');
  await tablet.reload();
  await expect.poll(() => must.count()).toBeGreaterThan(before);
  await expect(tablet.getByRole('tab', { name: 'Notes' })).toHaveCount(0);
  await notes.getByRole('button', { name: 'Remove …' }).click();
  await notes.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(notes.getByText('Asked for early shifts until March.')).toHaveCount(0);
});

test('a manager in a house without signal reads who is in date and why not, of when it is, and never another’s', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'manager@willowbrook.test');
  await appIsKept(page);
  const kept = () =>
    page.evaluate(async () => {
      const name = (await indexedDB.databases())
        .map((d) => d.name ?? '')
        .find((n) => n.startsWith('person-') || n.includes(JSON.parse(localStorage.getItem('authUser') ?? '{}').uuid));
      if (!name) return 0;
      const db = await new Promise<IDBDatabase>((resolve) => {
        const open = indexedDB.open(name);
        open.onsuccess = () => resolve(open.result);
      });
      const count = await new Promise<number>((resolve) => {
        const asked = db.transaction('kv').objectStore('kv').count('team');
        asked.onsuccess = () => resolve(asked.result);
      });
      db.close();
      return count;
    });
  await expect.poll(kept).toBe(1);
  // The page has been opened once, so that its code is on the device too.
  await goTo(page, 'People');
  await openPerson(page, 'Amara Okafor');
  await expect(page.getByRole('region', { name: 'Required training' })).toBeVisible();
  await server.stop();
  await page.goto(`${server.url}/users`);
  await expect(page.getByText(/No connection. Last updated on/)).toBeVisible();
  await look(page, 'people-kept');
  await openPerson(page, 'Amara Okafor');
  await expect(page.getByRole('heading', { level: 1, name: 'Amara Okafor' })).toBeVisible();
  await expect(page.getByText(/It must be completed again|Never completed/).first()).toBeVisible();
  await look(page, 'person-kept');
  await page
    .getByLabel('Find a person')
    .or(page.getByRole('button', { name: 'Try again' }))
    .first()
    .click();
  await server.start();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('tab', { name: /^Training record/ }).click();
  await expect(page.getByRole('region', { name: 'Training record' })).toBeVisible();
});

test('a leaver takes their training record to another organisation, and signs in there as before @online', async ({ page, server, browser }) => {
  test.slow();
  const uuid = demoId('user:learner@willowbrook.test');
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/users/update/${uuid}`);
  await page.getByRole('button', { name: 'Mark as left …' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const record = page.getByRole('region', { name: 'Training record for their next employer' });
  await record.getByRole('button', { name: 'Make a code' }).click();
  const code = (await record.getByRole('status').locator('strong').textContent()) ?? '';
  await look(page, 'hand-over');

  const { page: desk } = await newDevice(browser);
  await signIn(desk, server, 'admin@brightpath.test');
  await desk.goto(`${server.url}/users/create`);
  await desk.getByRole('button', { name: 'They bring a transfer code' }).click();
  await desk.getByRole('button', { name: 'Add them with this code' }).click();
  await expect(desk.getByText('Enter the code.', { exact: true })).toBeVisible();
  await desk.getByLabel('Code').fill('aaaa-bbbb-cccc-dddd');
  await desk.getByRole('button', { name: 'Add them with this code' }).click();
  await expect(desk.getByText(/This code does not work/)).toBeVisible();
  await look(desk, 'take-over');
  await desk.getByLabel('Code').fill(code);
  await desk.getByRole('button', { name: 'Add them with this code' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Amara Okafor' })).toBeVisible();
  const { page: tablet } = await newDevice(browser);
  await signIn(tablet, server, 'learner@willowbrook.test');
  await page.reload();
  await expect(record.getByText(/^Taken over on/)).toBeVisible();
});

test('a person is added with the keyboard alone @online', async ({ page, server }) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const { keyboard } = page;
  await tabTo(page, page.getByRole('link', { name: 'People', exact: true }));
  await keyboard.press('Enter');
  const add = page.getByRole('link', { name: 'Add a person' });
  await expect(add).toBeVisible();
  await tabTo(page, add);
  await keyboard.press('Enter');
  const name = page.getByLabel('Name');
  await expect(name).toBeVisible();
  await tabTo(page, name);
  await keyboard.type('Rosa Mendes');
  await keyboard.press('Tab');
  await keyboard.type('rosa@willowbrook.test');
  const place = page.getByRole('combobox', { name: 'Belongs to', exact: true });
  await tabTo(page, place);
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('house');
  const house = page.getByRole('option', { name: 'Willowbrook House' });
  await expect(house).toBeVisible();
  for (let i = 0; i < 5 && (await house.getAttribute('data-combobox-selected')) === null; i++) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(place).toHaveValue('Willowbrook House');
  const role = page.getByRole('combobox', { name: 'Job role', exact: true });
  await tabTo(page, role);
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('option').first()).toBeVisible();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(role).not.toHaveValue('');
  const save = page.getByRole('button', { name: 'Save' });
  await tabTo(page, save);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Rosa Mendes' })).toBeVisible();
  await expect(page.getByText(/Willowbrook House · rosa@willowbrook.test/)).toBeVisible();
});
