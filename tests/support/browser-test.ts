import { test as base, type BrowserContext, expect, type Page } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { RealServer } from '#tests/support/real-server.ts';

/** A browser test with a server of its own, that it may stop and start. */
export const test = base.extend<{ server: RealServer; settings: Record<string, string> }>({
  /** Settings of the server, beside those that every test has. */
  settings: [{}, { option: true }],
  server: async ({ settings }, use) => {
    const server = await RealServer.create(settings);
    await use(server);
    await server.close();
  },
});
export { expect };

export const signIn = async (page: Page, server: RealServer, email: string) => {
  await page.goto(`${server.url}/login`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Good');
};

/** Waits until the worker has kept the app, so that it opens without a network. */
export const appIsKept = async (page: Page) => {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
  });
};

export const course = (page: Page, title: string) => page.getByRole('article', { name: title });
export const chip = (page: Page) => page.getByRole('button', { name: /Open the list\.$/ });
export const courseSaved = (page: Page) => page.locator('[data-state]').filter({ hasText: /^(Saved on this tablet|Sending|Received|Needs you)$/ });

/** Presses Next until the quiz is there. */
export const readToQuiz = async (page: Page, quiz: string) => {
  const heading = page.getByRole('heading', { level: 1, name: quiz });
  const next = page.getByRole('button', { name: 'Next' });
  for (let i = 0; i < 30 && !(await heading.isVisible()); i++) {
    const before = await page.getByRole('heading', { level: 1 }).textContent();
    await next.click();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(before ?? '');
  }
  await expect(heading).toBeVisible();
};

/** Answers the fire safety quiz, all right. */
export const answerFireQuiz = async (page: Page) => {
  await page.getByRole('radio', { name: 'Raise the alarm' }).check();
  const wanted = ['Raise the alarm', 'Move those nearest to danger', 'Close doors behind you', 'Call 999', 'Count heads at the place of safety'];
  const items = page.locator('ol > li > span').filter({ hasText: /^\d\. / });
  for (const [place, text] of wanted.entries()) {
    for (let i = 0; i < wanted.length; i++) {
      const texts = (await items.allTextContents()).map((t) => t.replace(/^\d\. /, ''));
      if (texts.indexOf(text) <= place) break;
      const at = texts.indexOf(text);
      await page.getByRole('button', { name: `Move “${text}” up` }).click();
      await expect(items.nth(at - 1)).toHaveText(`${at}. ${text}`);
    }
  }
  await page.getByLabel('Paper in a bin').selectOption({ label: 'Water' });
  await page.getByLabel('A burning television').selectOption({ label: 'Carbon dioxide' });
  await page.getByLabel('A deep fat fryer').selectOption({ label: 'Wet chemical' });
  await page.getByRole('radio', { name: 'False' }).check();
  for (const name of ['It is smaller than a waste-paper bin', 'The alarm has been raised', 'Your way out is behind you'])
    await page.getByRole('checkbox', { name }).check();
};

/** A second device: a context of its own. */
export const newDevice = async (browser: { newContext(options?: object): Promise<BrowserContext> }) => {
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, locale: 'en-GB' });
  return { context, page: await context.newPage() };
};
