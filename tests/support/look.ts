import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '#tests/support/browser-test.ts';

/** Every screen at tablet and phone size, in both colour schemes. Pictures of all four go to SCREENSHOTS, where that is set. */
const sizes = { tablet: { width: 820, height: 1180 }, phone: { width: 390, height: 844 } } as const;
const schemes = ['light', 'dark'] as const;
/** What is there depends on the size, colours on the scheme: two of the four ask about both sizes and both schemes. */
const alsoPictured = ['tablet dark', 'phone light'];

/** Mantine menus keep the focus on an empty element of their own. */
const ofTheLibrary: Record<string, string[]> = { 'account-menu': ['aria-required-children'] };

export const desktop = { width: 1440, height: 900 } as const;

type RunOptions = Parameters<AxeBuilder['options']>[0];
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;
const axe: { source: string } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core');
/** What can be right in one size or scheme and wrong in another. Names, roles and order are asked once: they are the same. */
const ofSizeAndScheme = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];
const notAsked = ['region', 'landmark-no-duplicate-banner', 'landmark-unique'];

/**
 * The violations that axe finds on a page. A page without frames is asked itself, and only for violations: a quarter of the
 * processor time of the builder, which gathers everything that is right as well, and joins the parts in a new page each time.
 */
const violationsOf = async (page: Page, ofLibrary: readonly string[], isSecond: boolean): Promise<AxeResults['violations']> => {
  const options: RunOptions = isSecond
    ? { runOnly: { type: 'rule', values: ofSizeAndScheme }, resultTypes: ['violations'] }
    : {
        runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
        rules: Object.fromEntries([...notAsked, ...ofLibrary].map((rule) => [rule, { enabled: false }])),
        resultTypes: ['violations'],
      };
  if (page.frames().length > 1) return (await new AxeBuilder({ page }).options(options).analyze()).violations;
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (o) => {
    const { violations } = await (window as unknown as { axe: { run(of: Document, how: RunOptions): Promise<AxeResults> } }).axe.run(document, o);
    return violations;
  }, options);
};

/** What learners, trainers and assessors work with, and what everybody meets. */
const inTheField = new Set([
  ...['login', 'forgot', 'reset', 'verify', 'not-found', 'forbidden', 'update-password', 'request-verify-email', 'own-address'],
  ...['home', 'home-done', 'messages', 'messages-empty', 'help', 'sync-centre', 'account-menu', 'ready-for-tomorrow', 'conflict'],
  ...['topic', 'quiz', 'quiz-result', 'nearly-there', 'own-record-kept', 'pathways-kept', 'lock-settings', 'locked'],
  ...['register', 'register-sign', 'register-taken', 'register-to-come', 'register-cancelled', 'register-conflict', 'registers', 'registers-kept'],
  ...['certificate', 'certificates', 'certificates-kept', 'certificate-entries', 'certificate-conflict', 'observe', 'sign'],
]);

/** The narrowest phones and, where people work in the field, text at twice its size (WCAG 1.4.4 and 1.4.10): nothing is wider than the screen. */
const inspectNarrow = async (page: Page, name: string, overflow: () => Promise<number>) => {
  // The innermost elements that reach beyond the edge.
  const wide = () =>
    page.evaluate(() => {
      const isBeyond = (e: Element) => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility();
      return [...document.body.querySelectorAll('*')]
        .filter((e) => isBeyond(e) && ![...e.children].some(isBeyond))
        .slice(0, 3)
        .map((e) => `${e.tagName}.${e.getAttribute('class')} “${e.textContent.slice(0, 80)}”`)
        .join(', ');
    });
  const fits = async (what: string) => {
    const by = await expect
      .poll(overflow, { timeout: 3000 })
      .toBeLessThanOrEqual(0)
      .then(() => '', wide);
    expect.soft(by, `${name}, ${what}: wider than the screen`).toBe('');
  };
  for (const width of [360, 320]) {
    await page.setViewportSize({ ...sizes.phone, width });
    await fits(`${width} px`);
  }
  await page.setViewportSize(sizes.phone);
  if (!inTheField.has(name)) return;
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await fits('text at 200 %');
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
};

/** Checks a screen: no axe violations, and nothing wider than the screen. */
const inspect = async (page: Page, name: string, seen: string) => {
  // A screen that is still loading has no heading.
  await expect(page.locator('h1').first(), `${name} ${seen}: there is a heading`).toBeVisible();
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => undefined))));
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${seen.replace(' ', '-')}.png` });
  // A table takes the new width once it has seen it.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow, { message: `${name} ${seen}: the page is wider than the screen` }).toBeLessThanOrEqual(0);
  // A long name beside a fact would leave it a column of single letters.
  const squeezed = await page.evaluate(() =>
    [...document.querySelectorAll('main dd')].flatMap((fact) => {
      const { width, height } = fact.getBoundingClientRect();
      return width < 80 && height > 90 ? [`${fact.textContent}: ${Math.round(width)}`] : [];
    }),
  );
  expect(squeezed, `${name} ${seen}: facts without room`).toEqual([]);
  // Screen readers say the name of a group of choices before its first choice. Axe does not ask for it.
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('[role=radiogroup], [role=group]')].flatMap((group) => {
      const labelled = (group.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '');
      const name = group.getAttribute('aria-label') || labelled.join('');
      return name?.trim() || !group.checkVisibility() ? [] : [group.outerHTML.slice(0, 200)];
    }),
  );
  expect(nameless, `${name} ${seen}: groups of choices without a name`).toEqual([]);
  if (alsoPictured.includes(seen)) return;
  if (seen.startsWith('phone')) await inspectNarrow(page, name, overflow);
  // What can be done with a row stands on one line, where the row is not a card.
  const wrapped = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[role=row] > [data-actions], li > [data-actions]')].flatMap((cell) => {
        const tops = [...cell.children].map((c) => Math.round(c.getBoundingClientRect().top + c.getBoundingClientRect().height / 2));
        return innerWidth > 640 && Math.max(...tops) - Math.min(...tops) > 4 ? [cell.textContent] : [];
      }),
    );
  await expect.poll(wrapped, { message: `${name} ${seen}: the actions of a row stand on two lines` }).toEqual([]);
  // As tall as the page, so that content below a sticky bar is not reported as cut off.
  const viewport = page.viewportSize() ?? desktop;
  const tall = await page.evaluate(() => document.documentElement.scrollHeight);
  if (tall > viewport.height) await page.setViewportSize({ ...viewport, height: Math.min(tall, 6000) });
  const analyse = () => violationsOf(page, ofTheLibrary[name] ?? [], seen === 'phone dark');
  // Violations during rendering are checked once more.
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

/** Checks a screen in both sizes and both schemes. */
export const look = async (page: Page, name: string) => {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of schemes) {
      if (alsoPictured.includes(`${size} ${colorScheme}`) && !process.env.SCREENSHOTS) continue;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await inspect(page, name, `${size} ${colorScheme}`);
    }
  }
  await page.setViewportSize(sizes.tablet);
};

/** Checks a screen at desktop size. */
export const lookOnDesktop = async (page: Page, name: string) => {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await inspect(page, name, 'desktop');
};

/** Minimum size of touch targets, in pixels. */
const handSize = 44;
/** Checks the size of every visible button, field and choice. */
export const expectLargeTargets = async (page: Page, name: string) => {
  const small = await page.evaluate((least) => {
    const targets = document.querySelectorAll<HTMLElement>(
      'main button, main input:not([type=radio], [type=checkbox], [type=file]), main textarea, main summary, main [role=radiogroup] label, main a[class*=Button]',
    );
    return [...targets].flatMap((t) => {
      // A field with several chosen is as large as its frame.
      const { width, height } = (t.closest('.mantine-MultiSelect-input') ?? t).getBoundingClientRect();
      const seen = t.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 0 && !t.closest('[aria-hidden=true]');
      return seen && (height < least - 0.5 || width < least - 0.5)
        ? [`${t.textContent || t.getAttribute('aria-label') || t.outerHTML.slice(0, 80)}: ${Math.round(width)} × ${Math.round(height)}`]
        : [];
    });
  }, handSize);
  expect.soft(small, `${name}: smaller than ${handSize} pixels`).toEqual([]);
};
