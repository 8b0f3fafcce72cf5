import { test as base, type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { personDbPrefix } from '#src/offline/store/person-db-name.ts';
import { appIsKept } from '#tests/support/app-is-kept.ts';
import { noteEnds } from '#tests/support/browser-ends.ts';
import { canary } from '#tests/support/canary.ts';
import { HostedServer, ServerHost } from '#tests/support/hosted-server.ts';
import type { TestServer } from '#tests/support/real-server.ts';

/** Contexts in which a super administrator has signed in. */
const seesAll = new WeakSet<BrowserContext>();

/** Checks that a context receives nothing of the canary organisation. */
const watch = (context: BrowserContext) => {
  const reading: Promise<string | null>[] = [];
  // Only finished requests: the body of an aborted one never arrives.
  context.on('requestfinished', (request) => {
    const url = new URL(request.url());
    if (!/^\/(api|manifest)/.test(url.pathname)) return;
    const text = request.response().then((response) => response?.text());
    reading.push(
      text.then(
        (body) => (body?.includes(canary) && !seesAll.has(context) ? `${request.method()} ${url.pathname}${url.search}` : null),
        // Its page has closed.
        () => null,
      ),
    );
  });
  context.on('page', (page) =>
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes(canary) && !seesAll.has(context)) reading.push(Promise.resolve(`web socket ${socket.url()}`));
      }),
    ),
  );
  return async () => (await Promise.all(reading)).filter((leak) => leak !== null);
};

/**
 * Tags at the end of titles. `@online`: nothing to do with storing the app for offline use, so no service worker is registered; storing
 * it takes a third of the processor time of a first visit. `@reading`: changes nothing on the server either, which it shares with
 * others of its kind; what its pages send is checked.
 */
const isOnline = (tags: string[]) => tags.includes('@online') || isReading(tags);
const isReading = (tags: string[]) => tags.includes('@reading');

/** What the app itself sends while somebody only reads. */
const sentByReading = /^\/api\/(login|logout|graphql|sanctum|reports|matrices|devices\/check-in)\b/;

/** Records the changes that the pages of a context request. */
const changesOf = (context: BrowserContext) => {
  const sent: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isMutation = pathname === '/api/graphql' && /^\s*mutation/.test(request.postDataJSON()?.query ?? '');
    if (pathname.startsWith('/api/') && request.method() !== 'GET' && (isMutation || !sentByReading.test(pathname)))
      sent.push(`${request.method()} ${pathname}`);
  });
  return sent;
};

/** Servers, of which the next starts while a test runs: a start takes a processor for a second, and a test often waits. */
class ServersAhead {
  private readonly host = new ServerHost();
  private next: Promise<TestServer> | null = null;
  private shared: Promise<TestServer> | null = null;
  /** The server of the tests that only read. */
  share(): Promise<TestServer> {
    this.shared ??= this.make();
    return this.shared;
  }
  make(settings: Record<string, string> = {}): Promise<TestServer> {
    return HostedServer.create(this.host, settings);
  }
  async take(): Promise<TestServer> {
    const taken = await (this.next ?? this.make());
    this.next = this.make();
    // Said by the test that takes it.
    this.next.catch(() => undefined);
    return taken;
  }
  async close(): Promise<void> {
    for (const left of [this.next, this.shared]) await (await left?.catch(() => null))?.close();
    await this.host.close();
  }
}

/**
 * A browser test with its own server, which it may stop and start. Besides the demo data, the server has a canary organisation
 * with a token in every text; after each test, no browser may have received any of it.
 */
export const test = base.extend<{ server: TestServer; settings: Record<string, string>; noLeaks: undefined }, { ahead: ServersAhead }>({
  /** Additional settings of the server. */
  settings: [{}, { option: true }],
  serviceWorkers: async ({ browserName: _ }, use, { tags }) => use(isOnline(tags) ? 'block' : 'allow'),
  ahead: [
    async ({ browser: _browser }, use) => {
      const servers = new ServersAhead();
      await use(servers);
      await servers.close();
    },
    { scope: 'worker' },
  ],
  server: async ({ settings, ahead }, use, { tags }) => {
    if (isReading(tags)) return use(await ahead.share());
    const server = await (Object.keys(settings).length > 0 ? ahead.make(settings) : ahead.take());
    await use(server);
    await server.close();
  },
  noLeaks: [
    async ({ browser, context }, use, { title, tags }) => {
      const leaks = [watch(context)];
      const changes = [changesOf(context)];
      const ends = noteEnds(browser, () => `“${title}”`);
      const add = (more: BrowserContext) => {
        leaks.push(watch(more));
        changes.push(changesOf(more));
        more.on('page', ends.watch);
      };
      context.on('page', ends.watch);
      browser.on('context', add);
      await use(undefined);
      ends.stop();
      browser.off('context', add);
      expect((await Promise.all(leaks.map((of) => of()))).flat(), 'received from an organisation that is none of theirs').toEqual([]);
      if (isReading(tags)) expect(changes.flat(), 'sent by a test that only reads').toEqual([]);
    },
    { auto: true },
  ],
});
export { appIsKept, expect };

export const signIn = async (page: Page, server: TestServer, email: string) => {
  if (email === 'super@lantern.test') seesAll.add(page.context());
  await page.goto(`${server.url}/login`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Good');
};

/** Opens an item of the main navigation, expanding its group, or *More* on a phone. */
export const goTo = async (page: Page, name: string) => {
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav).toBeVisible();
  const place = nav.locator('a').filter({ has: page.getByText(name, { exact: true }) });
  // The organisation's terms arrive with its branding.
  await expect(place).toBeAttached();
  if (!(await place.isVisible()))
    await nav
      .locator('div')
      .filter({ has: page.locator(`> [hidden] a:has-text("${name}")`) })
      .getByRole('button')
      .first()
      .click();
  await place.click();
};

/**
 * Waits until typed input is stored: a reload at that moment would be faster than any person. Writes are serialised, so an empty
 * transaction completes after all earlier ones.
 */
export const draftIsKept = (page: Page) =>
  page.evaluate(async (prefix) => {
    for (const { name } of await indexedDB.databases()) {
      if (!name?.startsWith(prefix)) continue;
      await new Promise<void>((resolve, reject) => {
        const open = indexedDB.open(name);
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const turn = open.result.transaction('kv', 'readwrite');
          turn.onabort = () => reject(turn.error);
          turn.oncomplete = () => {
            open.result.close();
            resolve();
          };
        };
      });
    }
  }, personDbPrefix);

export const course = (page: Page, title: string) => page.getByRole('article', { name: title });
/** Makes a course, and with it the app, available offline from the start page. Returns its card. */
export const keepCourse = async (page: Page, title: string): Promise<Locator> => {
  const card = course(page, title);
  await card.getByRole('button', { name: /^Make available offline/ }).click();
  await card.getByRole('button', { name: /^Download/ }).click();
  await expect(card).toContainText('Available offline');
  await appIsKept(page);
  return card;
};
export const chip = (page: Page) => page.getByRole('button', { name: /Open the list\.$/ });
export const courseSaved = (page: Page) => page.locator('[data-state]').filter({ hasText: /^(Saved on this device|Sending|Received|Needs you)$/ });

/** Presses Next until the quiz appears. */
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

/** Answers the fire safety quiz correctly. */
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

/** Moves focus to an element with the Tab key. */
export const tabTo = async (page: Page, target: Locator) => {
  for (let i = 0; i < 250; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
};

/** Opens somebody from the list of people, once the list shows only them: a row that moves while it is pressed is not opened. */
export const openPerson = async (page: Page, name: string) => {
  await page.getByLabel('Find a person').fill(name);
  await expect(page.getByText('1 person', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: new RegExp(name) }).click();
};

/** Opens a link in the server's mailbox; e-mail may arrive shortly after the response. */
export const openMailedLink = async (page: Page, server: TestServer, name: RegExp) => {
  const link = page.getByRole('link', { name });
  await expect(async () => {
    await page.goto(`${server.url}/dev/mail`);
    await expect(link).toBeVisible({ timeout: 1000 });
  }).toPass();
  await link.click();
};

type Opens = { newContext(options?: object): Promise<BrowserContext> };
/** A second device: a separate context. It stores the app where the first one does, or as `serviceWorkers` says. */
export const newDevice = async (browser: Opens, serviceWorkers?: 'allow' | 'block') => {
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, locale: 'en-GB', ...(serviceWorkers && { serviceWorkers }) });
  return { context, page: await context.newPage() };
};
/** One that has a line all the time, such as that of the office. */
export const newOffice = (browser: Opens) => newDevice(browser, 'block');

/** Calls the API as the page's person. */
export const api = <T>(page: Page, method: string, path: string, body?: unknown): Promise<T> =>
  page.evaluate(
    async ([how, where, what]) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(`/api${where}`, {
        method: how as string,
        headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token },
        ...(what ? { body: what as string } : {}),
      });
      if (answer.status === 204) return undefined as never;
      const json = (await answer.json()) as { data: unknown };
      if (!answer.ok) throw new Error(JSON.stringify(json));
      return json.data as never;
    },
    [method, path, body ? JSON.stringify(body) : ''],
  );
/** Until this device can verify a password, which it prepares after somebody has signed in. */
export const passwordIsKnown = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<number>((resolve, reject) => {
            const opening = indexedDB.open('lantern-device');
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => {
              const records = opening.result.transaction('keys').objectStore('keys').getAll();
              records.onsuccess = () => {
                opening.result.close();
                resolve(records.result.filter((r: { password?: object; recovery: object | null }) => r.password && r.recovery).length);
              };
            };
          }),
      ),
    )
    .toBeGreaterThan(0);
/** Hands the device over without choosing a PIN, when it is offered for the first time. */
export const withoutPin = (page: Page) => page.getByRole('button', { name: 'No PIN: I use my password' }).click();
/** The owner takes a device back that was handed over. */
export const takeBack = async (page: Page, owner: string, password = demoPassword) => {
  await page.getByLabel(`Password of ${owner}`, { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Take the device back' }).click();
};
/** Tells the device that the connection is back. */
export const wake = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')));
