import type { Page } from '@playwright/test';
import { demoId } from '#server/db/demo/authoring.ts';
import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, look, lookOnDesktop } from '#tests/support/look.ts';

const sizes = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desktop } as const;
const mainNav = (page: Page) => page.getByRole('navigation', { name: 'Main' });
/** The names of the entries, without their counts, which arrive later. */
const words = async (page: Page) => {
  const all = await mainNav(page)
    .locator('a:visible, button:visible')
    .evaluateAll((places) =>
      places.map((place) =>
        [...place.querySelectorAll<HTMLElement>('[data-live]')].reduce(
          (text, count) => text.replace(count.innerText, ''),
          (place as HTMLElement).innerText,
        ),
      ),
    );
  return all.map((t) => t.replace(/\s+/g, ' ').trim()).filter(Boolean);
};

/** The entries of each kind of person in the bottom bar, on the rail and in the sidebar. */
const people = {
  'learner@willowbrook.test': {
    phone: ['Today', 'My record', 'Messages'],
    tablet: ['Today', 'My record', 'Messages'],
    desktop: ['Today', 'My record', 'My record', 'Your bookings', 'My dashboard', 'Pathways', 'Care Certificate', 'Messages', 'Collapse menu'],
  },
  'trainer@willowbrook.test': {
    phone: ['Today', 'Care Certificate', 'Registers', 'Messages', 'More'],
    tablet: ['Today', 'Care Certificate', 'Registers', 'Messages', 'People', 'Bookings', 'My learning', 'Devices'],
    desktop: [...['Today', 'Care Certificate', 'Registers', 'Messages', 'People', 'Bookings'], ...['My learning', 'Devices', 'Collapse menu']],
  },
  'manager@willowbrook.test': {
    phone: ['Home', 'People', 'Care Certificate', 'Messages', 'More'],
    tablet: [
      'Home',
      'People',
      'Care Certificate',
      'Messages',
      'Bookings',
      'Ordering',
      'Training records',
      'Dashboards',
      'Reports',
      'My learning',
      'Devices',
    ],
    desktop: [
      ...['Home', 'People', 'Care Certificate', 'Messages', 'Bookings', 'Ordering', 'Training records', 'Dashboards', 'Reports'],
      ...['My learning', 'Devices', 'Collapse menu'],
    ],
  },
  'admin@willowbrook.test': {
    phone: ['Home', 'People', 'Learning', 'Services', 'More'],
    tablet: [
      ...['Home', 'People', 'Learning', 'Services', 'Care Certificate', 'Registers', 'Bookings', 'Ordering', 'Training records'],
      ...['Messages', 'Dashboards', 'Reports', 'Devices', 'Settings', 'My record', 'Your bookings'],
    ],
    desktop: [
      ...['Home', 'People', 'Learning', 'Services', 'Care Certificate', 'Registers', 'Bookings', 'Ordering', 'Training records'],
      ...['Messages', 'Dashboards', 'Reports', 'Devices', 'Settings', 'My record', 'Your bookings', 'Collapse menu'],
    ],
  },
  'super@lantern.test': {
    phone: ['Home', 'Entities', 'People', 'Learning', 'More'],
    tablet: [
      ...['Home', 'Entities', 'People', 'Learning', 'Care Certificate', 'Registers', 'Bookings', 'Ordering', 'Training records'],
      ...['Messages', 'Dashboards', 'Reports', 'Devices', 'Settings', 'My record', 'Your bookings'],
    ],
    desktop: [
      ...['Home', 'Entities', 'People', 'Learning', 'Care Certificate', 'Registers', 'Bookings', 'Ordering', 'Training records'],
      ...['Messages', 'Dashboards', 'Reports', 'Devices', 'Settings', 'My record', 'Your bookings', 'Collapse menu'],
    ],
  },
};

for (const [email, expected] of Object.entries(people))
  test(`the navigation of ${email} fits what they do at three sizes, and leads nowhere that they may not go @online`, async ({ page, server }) => {
    test.slow();
    await signIn(page, server, email);
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await expect.poll(() => words(page), size).toEqual(expected[size as keyof typeof sizes]);
    }
    // Every entry, also within closed groups. An administrator may open all.
    if (/^(admin|super)/.test(email)) return;
    const places = await mainNav(page)
      .locator('a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href') as string));
    expect(new Set(places).size, 'each place once').toBe(places.length);
    for (const place of places) {
      await page.goto(server.url + place);
      await expect(mainNav(page).locator('a[aria-current=page]'), place).toHaveAttribute('href', place);
      await expect(page.getByRole('heading', { level: 1 }).first(), place).toBeVisible();
      expect(new URL(page.url()).pathname).not.toMatch(/403|404|login/);
    }
  });

test('on a phone, areas that do not fit into the bar are under More @reading', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, server, 'admin@willowbrook.test');
  const nav = mainNav(page);
  const devices = nav.getByRole('link', { name: 'Devices' });
  const more = nav.getByRole('button', { name: 'More' });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await expect(devices).toBeHidden();
  await more.click();
  await expect(devices).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(devices).toBeHidden();
  await expect(more).toBeFocused();
  await more.click();
  await devices.click();
  await expect(page).toHaveURL(/\/devices$/);
  await expect(devices).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
  await more.click();
  await look(page, 'more');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(devices).toBeVisible();
  await expect(more).toBeHidden();
});

test('groups open by keyboard; beside a rail they close again, in a sidebar they stay; the choice of its width is kept @reading', async ({
  page,
  server,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  const nav = mainNav(page);
  const learning = nav.getByRole('button', { name: 'Learning' });
  const content = nav.getByRole('link', { name: 'Content', exact: true });
  await learning.focus();
  await page.keyboard.press('Enter');
  await expect(content).toBeVisible();
  await look(page, 'navigation-group');
  await page.keyboard.press('Escape');
  await expect(content).toBeHidden();
  await expect(learning).toBeFocused();
  await page.keyboard.press('Enter');
  await page.mouse.click(600, 600);
  await expect(content).toBeHidden();
  await goTo(page, 'Content');
  await expect(page.getByRole('heading', { level: 1, name: 'Content' })).toBeFocused();
  await expect(content).toBeHidden();
  await page.setViewportSize(desktop);
  await expect(content).toHaveAttribute('aria-current', 'page');
  await goTo(page, 'People');
  await expect(learning).toHaveAttribute('aria-expanded', 'false');
  await lookOnDesktop(page, 'sidebar');
  await nav.getByRole('button', { name: 'Collapse menu' }).click();
  await page.reload();
  await expect(nav.getByRole('button', { name: 'Expand menu' })).toBeVisible();
  await lookOnDesktop(page, 'sidebar-narrow');
  await nav.getByRole('button', { name: 'Expand menu' }).click();
  await expect(nav.getByRole('button', { name: 'Collapse menu' })).toBeVisible();
});

test('every page below a list says where it is, in the breadcrumbs and the title of the window @reading', async ({ page, server }) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await expect(page).toHaveTitle('Today · Willowbrook Care Group');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(crumbs).toHaveCount(0);
  await page.goto(`${server.url}/entities/willowbrook-house`);
  await expect(crumbs.getByRole('listitem')).toHaveText(['Services', 'Willowbrook House']);
  await expect(page).toHaveTitle('Willowbrook House · Willowbrook Care Group');
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Job roles' }).click();
  await expect(crumbs.getByRole('listitem')).toHaveText(['Services', 'Willowbrook House', 'Settings', 'Job roles']);
  await expect(crumbs.locator('[aria-current=page]')).toHaveText('Job roles');
  await page.setViewportSize(desktop);
  const settings = page.getByRole('navigation', { name: 'Settings' });
  await expect(settings.getByRole('link', { name: 'Job roles' })).toHaveAttribute('aria-current', 'page');
  await settings.getByRole('link', { name: 'Tags' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tags' })).toBeFocused();
  await expect(page).toHaveTitle('Tags · Willowbrook Care Group');
  await lookOnDesktop(page, 'settings-tags');
  // One of them is where one is: also on a page that begins like another of them, or is below one.
  await page.goto(`${server.url}/entities/willowbrook/types/permissions`);
  await expect(settings.locator('[aria-current]')).toHaveText(['Permissions of user types']);
  await page.goto(`${server.url}/entities/willowbrook/role/${demoId('role:group:care')}/courses`);
  await expect(settings.locator('[aria-current]')).toHaveText(['Job roles']);
  // Settings whose address names no organisation are those of one's own.
  await page.goto(`${server.url}/importer/logs`);
  await expect(crumbs.getByRole('listitem')).toHaveText(['Services', 'Willowbrook Care Group', 'Settings', 'Imports']);
  // A result is below the person whose it is.
  await page.goto(`${server.url}/results/exempt`);
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Grace Adeyemi/ })
    .click();
  await expect(crumbs.getByRole('listitem')).toHaveText(['People', 'Grace Adeyemi', 'Food hygiene']);
  // So is the page on which somebody is changed, also where it is opened by its address.
  await page.goto(`${server.url}/users/update/${demoId('user:learner@willowbrook.test')}`);
  await expect(crumbs.getByRole('listitem')).toHaveText(['People', 'Amara Okafor', 'Edit']);
  await expect(page).toHaveTitle('Edit · Amara Okafor · Willowbrook Care Group');
  // And what is recorded about somebody is below their certificate.
  await page.goto(`${server.url}/care-certificate/${demoId('certificate:daniel.osei@willowbrook.test')}/record`);
  await expect(crumbs.getByRole('listitem')).toHaveText(['Care Certificate', 'Daniel Osei', 'Record an observation']);
  await page.goto(`${server.url}/update-password`);
  await expect(crumbs.getByRole('listitem')).toHaveText(['How I sign in', 'Change password']);
  await page.goto(`${server.url}/nowhere`);
  await expect(page).toHaveTitle('This page could not be found');
  // A phone shows the way back.
  await page.goto(`${server.url}/users`);
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Aisha Khan/ })
    .click();
  await expect(crumbs.getByRole('listitem')).toHaveText(['People', 'Aisha Khan']);
  await page.setViewportSize(sizes.phone);
  await crumbs.getByRole('link', { name: 'People' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
});
