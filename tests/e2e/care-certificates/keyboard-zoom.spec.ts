import type { Locator, Page } from '@playwright/test';
import { demoId } from '#server/db/demo/authoring.ts';
import { chip, expect, passwordIsKnown, signIn, tabTo, test } from '#tests/support/browser-test.ts';

const certificate = demoId('certificate:daniel.osei@willowbrook.test');
const session = demoId('session:moving');
/** Moves the focus there with Tab, and presses the key. */
const press = async (page: Page, target: Locator, key = 'Enter') => {
  await tabTo(page, target);
  await page.keyboard.press(key);
};

test('an observation is recorded and signed, and a register taken, with a keyboard alone @online', async ({ page, server }) => {
  test.setTimeout(180_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  await passwordIsKnown(page);
  await page.goto(`${server.url}/care-certificate/${certificate}`);
  await press(page, page.getByRole('link', { name: 'Record an observation' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Observe Daniel Osei' })).toBeVisible();
  await press(page, page.getByRole('button', { name: /^Offering drinks/ }));
  const first = page.getByRole('list', { name: 'Criteria' }).getByRole('radiogroup').first();
  // The group is one tab stop; arrow keys choose within it.
  await tabTo(page, first.getByRole('radio', { checked: true }));
  await page.keyboard.press('ArrowLeft');
  await expect(first.getByRole('radio', { name: 'Not yet' })).toBeChecked();
  const action = page.getByLabel(/^What is to be done about/);
  await tabTo(page, action);
  await page.keyboard.type('Show it again');
  const seen = page.getByLabel('What you saw or heard');
  await tabTo(page, seen);
  await page.keyboard.type('Poured slowly, and asked first.');
  await press(page, page.getByRole('button', { name: 'Save', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Sign the record of Daniel Osei' })).toBeVisible();
  // Somebody who cannot draw signs as the signed-in person.
  const own = page.getByRole('region', { name: 'Your signature' });
  await tabTo(page, own.getByRole('radio', { checked: true }));
  await page.keyboard.press('ArrowRight');
  await expect(own.getByText('You sign as Tomasz Zielinski')).toBeVisible();
  await press(page, own.getByRole('button', { name: 'Sign', exact: true }));
  await expect(own).toContainText('You signed');
  await press(page, page.getByRole('button', { name: 'Hand over to Daniel Osei' }));
  await press(page, page.getByRole('button', { name: 'No PIN: I use my password' }));
  const handed = page.getByRole('dialog', { name: 'For Daniel Osei' });
  await expect(handed.getByRole('heading', { name: /is this how it was/ })).toBeFocused();
  // Nothing outside can be reached.
  for (let i = 0; i < 14; i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null)).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(handed.getByRole('heading', { name: /is this how it was/ })).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Not now: hand the device back' }));
  await expect(page.getByLabel('Password of Tomasz Zielinski', { exact: true })).toBeFocused();
  await page.keyboard.type('Lantern-demo-1');
  await page.keyboard.press('Enter');
  await expect(handed).toHaveCount(0);
  await expect(chip(page)).toContainText('All sent');

  await page.goto(`${server.url}/training-sessions/${session}`);
  await press(page, page.getByRole('button', { name: 'Here: Grace Adeyemi' }));
  await press(page, page.getByRole('button', { name: 'Passed: Grace Adeyemi' }), 'Space');
  await expect(page.getByRole('button', { name: 'Passed: Grace Adeyemi' })).toHaveAttribute('aria-pressed', 'true');
  await press(page, page.getByRole('button', { name: 'Late, early, note: Grace Adeyemi' }));
  const note = page.getByLabel('Note about Grace Adeyemi');
  await tabTo(page, note);
  await page.keyboard.type('Well done');
  await press(page, page.getByRole('article', { name: 'Grace Adeyemi' }).getByRole('button', { name: 'Save', exact: true }));
  await expect(page.getByRole('article', { name: 'Grace Adeyemi' })).toContainText('“Well done”');
  await press(page, page.getByRole('button', { name: 'Absent: Daniel Osei' }));
  await expect(page.getByRole('article', { name: 'Daniel Osei' })).toContainText('Absent');
  await expect(chip(page)).toContainText('All sent');
});

test('at twice the size nothing is cut off, and everything can be pressed', async ({ page, server }) => {
  test.setTimeout(180_000);
  await signIn(page, server, 'trainer@willowbrook.test');
  const screens = {
    certificates: '/care-certificate',
    certificate: `/care-certificate/${certificate}`,
    record: `/care-certificate/${certificate}/record`,
    registers: '/training-sessions',
    register: `/training-sessions/${session}`,
    ready: '/?ready=1',
  };
  // A device and a laptop at 200 %, and what a laptop has at 400 %.
  for (const viewport of [
    { width: 410, height: 590 },
    { width: 640, height: 400 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(viewport);
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(server.url + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      if (name === 'record') {
        // What was chosen at another size is a draft by now.
        const chosen = page.getByRole('button', { name: 'Something else' });
        const drinks = page.getByRole('button', { name: /^Offering drinks/ });
        await expect(chosen.or(drinks)).toBeVisible();
        if (await drinks.isVisible()) await drinks.click();
      }
      if (name === 'ready') await expect(page.getByRole('dialog')).toContainText('Registers');
      const wide = await page.evaluate(() =>
        document.documentElement.scrollWidth <= innerWidth
          ? []
          : [...document.querySelectorAll<HTMLElement>('main *')]
              .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
              .slice(0, 3)
              .map((e) => e.outerHTML.slice(0, 120)),
      );
      expect(wide, `${name} at ${viewport.width}`).toEqual([]);
      // After scrolling, the element can be pressed: no bar covers it.
      const buttons = page.locator(name === 'ready' ? '[role=dialog] button:visible:enabled' : 'main button:visible:enabled');
      for (let i = 0; i < Math.min(await buttons.count(), 8); i++) await buttons.nth(i).click({ trial: true });
    }
  }
});
