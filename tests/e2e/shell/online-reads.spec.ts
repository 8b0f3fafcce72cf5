import { appIsKept, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';

test('a late answer to an earlier question is never shown, a list follows its address, and what had no connection comes with it', async ({
  page,
  server,
}) => {
  await signIn(page, server, 'admin@willowbrook.test');
  const person = async (name: string) => {
    await page.goto(`${server.url}/users?search=${encodeURIComponent(name)}`);
    await page.getByRole('link', { name: new RegExp(name) }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    return new URL(page.url()).pathname.split('/').at(-1) as string;
  };
  const [grace, liam] = [await person('Grace Adeyemi'), await person('Liam Murphy')];

  // The first answer arrives after the second, which belongs to the present question.
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let answered = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve;
  });
  await page.goto(`${server.url}/users/update/${liam}`);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Liam Murphy');
  await page.route(`**/api/users/${grace}`, async (route) => {
    const response = await route.fetch();
    asked();
    await held;
    // The page may no longer wait for it.
    await route.fulfill({ response }).catch(() => undefined);
    answered();
  });
  // As a link from one to the other would.
  await page.evaluate((to) => {
    history.pushState({ idx: 1 }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: { idx: 1 } }));
  }, `/users/update/${grace}`);
  await isAsked;
  await page.goBack();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Liam Murphy');
  letGo();
  await isAnswered;
  // Whatever came of it has been drawn when something asked for later has.
  await page.evaluate(async () => {
    await (await fetch('/api/check')).text();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Liam Murphy');
  await page.unroute(`**/api/users/${grace}`);

  // What is typed goes to the address; another address is shown as it says, and stays.
  await page.goto(`${server.url}/users`);
  const find = page.getByRole('searchbox', { name: 'Find a person' });
  await find.fill('Liam');
  await expect(page).toHaveURL(/search=Liam/);
  await expect(page.getByText('Grace Adeyemi')).toHaveCount(0);
  await expect(page.getByText('Liam Murphy')).toBeVisible();
  await goTo(page, 'People');
  await expect(find).toHaveValue('');
  await expect(page.getByText('Grace Adeyemi')).toBeVisible();
  await expect(page).toHaveURL(/\/users$/);
  await page.goBack();
  await expect(find).toHaveValue('Liam');
  await expect(page.getByText('Grace Adeyemi')).toHaveCount(0);
  await expect(page).toHaveURL(/search=Liam/);

  // Without a connection it says so, and asks by itself when there is one again.
  await appIsKept(page);
  await page.context().setOffline(true);
  await goTo(page, 'Services');
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('link', { name: /Willowbrook House/ })).toBeVisible();
});
