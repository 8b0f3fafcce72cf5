import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from '@playwright/test';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { launch } from '#tests/bench/chromium.ts';
import { median, report } from '#tests/bench/report.ts';
import { ThinLine } from '#tests/bench/thin-line.ts';
import { RealServer } from '#tests/support/real-server.ts';

const rounds = Number(process.env.ROUNDS ?? 5);
const bitsPerSecond = 400_000;
const roundTripMs = 600;
const throttling = 4;
/** Somebody who writes an address and a password, in one of the two ways that are measured. */
const typingMs = 8000;

type Facts = { frame: number; form: number; home: number; pressed: number };
const facts = (page: Page) => page.evaluate(() => (window as unknown as { facts: Facts }).facts);

/** Notes, in the page, the first frame with a picture and a word, the form, and the first course: as moments of this machine's clock. */
const watch = () => {
  const seen: Facts = { frame: 0, form: 0, home: 0, pressed: 0 };
  (window as unknown as { facts: Facts }).facts = seen;
  const now = () => performance.timeOrigin + performance.now();
  const isSeen = (element: Element | null) => element !== null && element.getBoundingClientRect().width > 0;
  const look = () => {
    if (!seen.frame && isSeen(document.querySelector('body svg, body img')) && /\w/.test(document.body.innerText)) seen.frame = now();
    if (!seen.form && isSeen(document.querySelector('#end, input[name=email]')) && isSeen(document.querySelector('#end, button[type=submit]')))
      seen.form = now();
    if (seen.pressed && !seen.home && isSeen(document.querySelector('article'))) seen.home = now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  addEventListener('click', () => {
    seen.pressed = now();
  });
};

/** A page of so many bytes, with what is looked for at its end; the bytes do not compress. */
const staticPage = (bytes: number) =>
  `<!doctype html><meta charset="utf-8"><title>Lantern</title><body><!--${randomBytes(bytes).toString('base64').slice(0, bytes)}--><svg width="56" height="56"></svg><p>Lantern</p><form id="end">Sign in</form>`;

/**
 * The first visit on 400 kbit/s with 600 ms, HTTP/1.1, at 4× CPU throttling, by a browser that has nothing of the app: until a frame with a mark
 * and a word, until the form, and from *Sign in* to the courses; each against the time that one answer of the same bytes takes over the same
 * line (targets: 1.3, 1.3, 1.5), and in how many requests (targets: 8 and 15 more).
 */
export const run = async () => {
  let appPort = 0;
  const line = () => new ThinLine(() => appPort, bitsPerSecond, roundTripMs);
  const first = line();
  const port = await first.listen();
  const url = `http://localhost:${port}`;
  const server = await RealServer.create({ PUBLIC_URL: url });
  appPort = Number(new URL(server.url).port);
  const plain = createServer((request, response) => {
    const bytes = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('bytes') ?? 0);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(staticPage(bytes));
  });
  await new Promise<void>((resolve) => plain.listen(0, 'localhost', resolve));
  const plainLine = new ThinLine(() => (plain.address() as AddressInfo).port, bitsPerSecond, roundTripMs);
  const plainUrl = `http://localhost:${await plainLine.listen()}`;

  const opened = async (browser: Browser, address: string) => {
    const context = await browser.newContext({ viewport: { width: 820, height: 1180 } });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttling });
    await page.addInitScript(watch);
    const began = Date.now();
    await page.goto(address, { waitUntil: 'commit', timeout: 60_000 });
    await page.waitForFunction(() => (window as unknown as { facts: Facts }).facts.form > 0, undefined, { timeout: 60_000 });
    return { page, began };
  };
  /** A browser of its own: nothing is left of the round before, not even a connection. */
  const fresh = async <T>(work: (browser: Browser) => Promise<T>): Promise<T> => {
    const browser = await launch();
    try {
      return await work(browser);
    } finally {
      await browser.close();
    }
  };
  const visit = (waitMs: number) =>
    fresh(async (browser) => {
      const from = first.requests.length;
      const { page, began } = await opened(browser, `${url}/login`);
      const before = first.bytesAt(began);
      const { frame, form } = await facts(page);
      await page.waitForTimeout(waitMs);
      await page.getByLabel('E-mail address').fill('learner@willowbrook.test');
      await page.getByLabel('Password', { exact: true }).fill(demoPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForFunction(() => (window as unknown as { facts: Facts }).facts.home > 0, undefined, { timeout: 60_000 });
      const { home, pressed } = await facts(page);
      const sent = first.requests.slice(from);
      const count = (since: number, until: number) => sent.filter(({ at }) => at >= since && at < until).map(({ path }) => path);
      const files = { form: count(began, form), home: count(form, home) };
      const bytes = (since: number, until: number) => first.bytesAt(until) - first.bytesAt(since);
      if (process.env.FILES)
        for (const { at, path } of sent)
          console.log(
            String(Math.round(at - began)).padStart(7),
            path,
            at < form ? '' : at < pressed ? '(typing)' : at < home ? '(signing in)' : '(after)',
          );
      return {
        ...{ frame: frame - began, form: form - began, home: home - pressed, files },
        ...{ formBytes: first.bytesAt(form) - before, frameBytes: bytes(began, frame), homeBytes: bytes(pressed, home) },
      };
    });
  const floor = (bytes: number) =>
    fresh(async (browser) => {
      const { page, began } = await opened(browser, `${plainUrl}/?bytes=${Math.round(bytes)}`);
      return (await facts(page)).form - began;
    });
  /** One answer over a connection that is open already. */
  const answer = (bytes: number) =>
    fresh(async (browser) => {
      const { page } = await opened(browser, `${plainUrl}/?bytes=1`);
      return page.evaluate(async (wanted) => {
        const from = performance.now();
        await (await fetch(`/?bytes=${wanted}`)).text();
        return performance.now() - from;
      }, Math.round(bytes));
    });
  const page = Buffer.byteLength(await (await fetch(`${server.url}/login`, { headers: { Accept: 'text/html' } })).text());

  const ratios = { frame: [] as number[], form: [] as number[], home: [] as number[], typed: [] as number[] };
  const times = { frame: [] as number[], form: [] as number[], home: [] as number[], typed: [] as number[] };
  const weights = { form: 0, home: 0, typed: 0 };
  const files = { form: 0, home: 0 };
  for (let i = 0; i < rounds; i++) {
    const now = await visit(0);
    times.frame.push(now.frame);
    ratios.frame.push(now.frame / (await floor(page)));
    times.form.push(now.form);
    ratios.form.push(now.form / (await floor(now.formBytes)));
    times.home.push(now.home);
    ratios.home.push(now.home / (await answer(now.homeBytes)));
    const later = await visit(typingMs);
    times.typed.push(later.home);
    ratios.typed.push(later.home / (await answer(now.homeBytes)));
    Object.assign(weights, { form: now.formBytes / 1000, home: now.homeBytes / 1000, typed: later.homeBytes / 1000 });
    files.form = Math.max(files.form, now.files.form.length);
    files.home = Math.max(files.home, now.files.home.length);
  }
  const kB = (bytes: number) => `${Math.round(bytes)} kB`;
  report('first visit: a mark and a word', median(times.frame), 'ms', median(ratios.frame), 'the page itself, target 1.3');
  report(`first visit: sign-in usable, ${kB(weights.form)}`, median(times.form), 'ms', median(ratios.form), 'one page of these bytes, target 1.3');
  report(`Sign in to home, at once, ${kB(weights.home)}`, median(times.home), 'ms', median(ratios.home), 'one answer of these bytes, target 1.5');
  report(`the same, ${typingMs / 1000} s later, ${kB(weights.typed)}`, median(times.typed), 'ms', median(ratios.typed), 'the same answer');
  report('requests until sign-in is usable', files.form, '', files.form / 8, 'target 8');
  report('further requests until home', files.home, '', files.home / 15, 'target 15');
  await first.close();
  await plainLine.close();
  plain.close();
  await server.close();
};
