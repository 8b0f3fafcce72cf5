import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, expectLargeTargets, lookOnDesktop } from '#tests/support/look.ts';
import { officeScreens } from '#tests/support/office-screens.ts';

/** Everything in four parts, so that none takes minutes on a busy machine. */
const screens = Object.entries(officeScreens);
const parts = Array.from({ length: 4 }, (_, part) => ({ name: `part ${part + 1}`, some: screens.filter((_screen, i) => i % 4 === part) }));

for (const { name: part, some } of parts)
  test(`an administrator’s screens can be used by everybody on a desktop, too, ${part} @reading`, async ({ page, server }) => {
    await page.setViewportSize(desktop);
    await signIn(page, server, 'admin@willowbrook.test');
    for (const [name, path] of some) {
      await page.goto(server.url + path);
      await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible();
      await expect(page.getByText(/^Loading/), name).toHaveCount(0);
      await expect(page.getByRole('heading', { name: /not found|not allowed|went wrong|no connection/i }), name).toHaveCount(0);
      await lookOnDesktop(page, name);
    }
  });

for (const { name: part, some } of parts)
  test(`an administrator’s screens fit into 320 pixels, with targets that a thumb hits, ${part} @reading`, async ({ page, server }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await signIn(page, server, 'admin@willowbrook.test');
    for (const [name, path] of some) {
      await page.goto(server.url + path);
      await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible();
      await expect(page.getByText(/^Loading/), name).toHaveCount(0);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/narrow-${name}.png`, fullPage: true });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
      await expectLargeTargets(page, name);
    }
  });
