import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '#tests/support/browser-test.ts';

/** Every screen at tablet and phone size, in both colour schemes. Pictures go to SCREENSHOTS, where that is set. */
const sizes = { tablet: { width: 820, height: 1180 }, phone: { width: 390, height: 844 } } as const;
const schemes = ['light', 'dark'] as const;
/** What is in sight is the same in both schemes, and colours are the same at both sizes: axe looks at three of the four. */
const likeTheOthers = 'phone light';

/** Our menus come from Mantine, which keeps the focus of an open menu on an empty element of its own. */
const ofTheLibrary: Record<string, string[]> = { 'account-menu': ['aria-required-children'] };

export const desktop = { width: 1440, height: 900 } as const;

/** One screen as it stands: nothing axe objects to, and nothing wider than the screen. */
const inspect = async (page: Page, name: string, seen: string) => {
  // A screen that is still on its way has no heading yet.
  await expect(page.locator('h1').first(), `${name} ${seen}: there is a heading`).toBeVisible();
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => undefined))));
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${seen.replace(' ', '-')}.png` });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow, `${name} ${seen}: the page is wider than the screen`).toBeLessThanOrEqual(0);
  if (seen === likeTheOthers) return;
  // As tall as the page: what lies under a bar that stays in sight can be scrolled to, and is not cut off.
  const viewport = page.viewportSize() ?? desktop;
  const tall = await page.evaluate(() => document.documentElement.scrollHeight);
  if (tall > viewport.height) await page.setViewportSize({ ...viewport, height: Math.min(tall, 6000) });
  const analyse = async () =>
    (
      await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .disableRules(['region', 'landmark-no-duplicate-banner', 'landmark-unique', ...(ofTheLibrary[name] ?? [])])
        .analyze()
    ).violations;
  // What is wrong on a screen that was still being drawn is looked at once more; what is wrong stays wrong.
  let violations = await analyse();
  if (violations.length > 0) violations = await analyse();
  await page.setViewportSize(viewport);
  expect(
    violations.map(
      (v) =>
        `${name} ${seen}: ${v.id} ${v.nodes
          .map((n) => `${n.target.join(' ')} ${n.failureSummary?.split('\n')[1]?.trim()}`)
          .slice(0, 3)
          .join(' | ')}`,
    ),
  ).toEqual([]);
};

/** Looks at a screen in every size and scheme. */
export const look = async (page: Page, name: string) => {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await inspect(page, name, `${size} ${colorScheme}`);
    }
  }
  await page.setViewportSize(sizes.tablet);
};

/** Looks at a screen as it stands on a desktop. */
export const lookOnDesktop = async (page: Page, name: string) => {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await inspect(page, name, 'desktop');
};

/** What is pressed with one hand, walking: nothing of it is smaller than this, in pixels. */
const handSize = 44;
/** Every button, field and choice in sight can be met with a finger. */
export const expectLargeTargets = async (page: Page, name: string) => {
  const small = await page.evaluate((least) => {
    const targets = document.querySelectorAll<HTMLElement>(
      'main button, main input:not([type=radio], [type=checkbox], [type=file]), main textarea, main summary, main [role=radiogroup] label, main a[class*=Button]',
    );
    return [...targets].flatMap((t) => {
      const { width, height } = t.getBoundingClientRect();
      const seen = t.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 0 && !t.closest('[aria-hidden=true]');
      return seen && (height < least - 0.5 || width < least - 0.5)
        ? [`${t.textContent || t.getAttribute('aria-label') || t.outerHTML.slice(0, 80)}: ${Math.round(width)} × ${Math.round(height)}`]
        : [];
    });
  }, handSize);
  expect(small, `${name}: smaller than ${handSize} pixels`).toEqual([]);
};
