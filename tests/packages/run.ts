import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import type { CoursePackage, PackageProblem } from '#contract/entities/package.ts';
import { verbName } from '#contract/rules/h5p-facts.ts';
import { isSequenced } from '#contract/rules/is-sequenced.ts';
import { launchableActivities } from '#contract/rules/package-completion.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { differences, type Expected, type Seen } from '#tests/packages/expected.ts';
import { noteEnds } from '#tests/support/browser-ends.ts';
import { launchOptions } from '#tests/support/chromium.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * `npm run packages -- FOLDER EXPECTED.json [--offline]`: uploads every package that the file names to a server that it
 * starts, plays the first item of what was accepted, and prints what was seen beside what was expected. With --offline
 * the packages are kept first, and played with the server stopped. Ends with `as expected N, not N`.
 */
const [folder, expectedFile] = process.argv.slice(2).filter((a) => !a.startsWith('--'));
if (!folder || !expectedFile) {
  console.error('npm run packages -- FOLDER EXPECTED.json [--offline]');
  process.exit(2);
}
const offline = process.argv.includes('--offline');
const list = JSON.parse(readFileSync(expectedFile, 'utf8')) as Expected[];
const server = await RealServer.create();
const browser = await chromium.launch(launchOptions);
const context = await browser.newContext();
/** In the player's page, every call to an API is noted as it is made. */
await context.addInitScript(() => {
  if (location.pathname !== '/player/scorm.html') return;
  const calls: string[] = [];
  Object.assign(window, { calls });
  for (const name of ['API', 'API_1484_11']) {
    let own: object | undefined;
    Object.defineProperty(window, name, {
      get: () => own,
      set: (api: object | undefined) => {
        own =
          api &&
          new Proxy(api, {
            get: (target, key) => {
              const value = Reflect.get(target, key) as unknown;
              if (typeof value !== 'function') return value;
              return (...args: unknown[]) => {
                const answer = (value as (...a: unknown[]) => unknown).apply(target, args);
                calls.push(`${String(key)}(${args.join(',')})=${answer}`);
                return answer;
              };
            },
          });
      },
    });
  }
});
const request = async <T>(page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ({ method, path, body }) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(`/api${path}`, {
        method,
        headers: { 'X-XSRF-TOKEN': token, ...(body ? { 'Content-Type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return answer.status === 204 ? null : ((await answer.json()) as unknown);
    },
    { method, path, body },
  ) as Promise<T>;

let playing = 'the upload';
/** What ended while a package was played. */
const { ends, watch, stop } = noteEnds(browser, () => playing);
// Any page of the app can show a player or the downloader, and communicates with it here as the app does.
const freshPage = async (): Promise<Page> => {
  const fresh = await context.newPage();
  watch(fresh);
  await fresh.goto(`${server.url}/login`);
  return fresh;
};
let page = await freshPage();
await request(page, 'GET', '/sanctum/csrf-cookie');
const { data: me } = await request<{ data: { content_origin: string } }>(page, 'POST', '/login', {
  email: 'admin@willowbrook.test',
  password: demoPassword,
});

const upload = async (expected: Expected): Promise<{ data?: CoursePackage; problems?: PackageProblem[] }> => {
  const kind = expected.mainLibrary || expected.file.startsWith('h5p') || expected.file.endsWith('.h5p') ? 'h5p' : 'scorm';
  const cookies = await context.cookies(server.url);
  const answer = await fetch(`${server.url}/api/packages?kind=${kind}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/zip',
      Cookie: cookies.map((c) => `${c.name}=${c.value}`).join('; '),
      'X-XSRF-TOKEN': decodeURIComponent(cookies.find((c) => c.name === 'XSRF-TOKEN')?.value ?? ''),
    },
    body: readFileSync(join(folder, expected.file)),
  });
  return (await answer.json()) as { data?: CoursePackage; problems?: PackageProblem[] };
};

const keep = (tree: string) =>
  page.evaluate(
    ({ origin, tree }) =>
      new Promise<void>((done, failed) => {
        const frame = document.createElement('iframe');
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }: MessageEvent<{ type: string; why?: string }>) => {
          if (data.type === 'ready') port1.postMessage({ id: 1, ask: 'keep', tree });
          if (data.type === 'done') {
            frame.remove();
            done();
          }
          if (data.type === 'failed') failed(new Error(data.why));
        };
        frame.onload = () => frame.contentWindow?.postMessage('lantern-player', origin, [port2]);
        frame.src = `${origin}/player/keeper.html`;
        document.body.append(frame);
      }),
    { origin: me.content_origin, tree },
  );

/** The last report of a session is encrypted with it. */
const sessionKey = Buffer.alloc(32, 7).toString('base64');

/** Plays the first item until it has been quiet for a while, leaves it, and answers what was called. */
const play = async ({ tree, manifest }: CoursePackage): Promise<Pick<Seen, 'calls' | 'trouble'>> => {
  const item = manifest.kind === 'scorm' ? launchableActivities(manifest.activities)[0] : undefined;
  if (!item) return { calls: null, trouble: [] };
  await page.evaluate(
    ({ origin, tree, manifest, item, key, ruled }) =>
      new Promise<void>((done) => {
        const words: { type: string; detail?: string }[] = [];
        const frame = document.createElement('iframe');
        const { port1, port2 } = new MessageChannel();
        Object.assign(window, { words, port: port1 });
        port1.onmessage = ({ data }: MessageEvent<{ type: string }>) => {
          words.push(data);
          if (data.type === 'ready') {
            const course = ruled ? { session_id: crypto.randomUUID(), before: null, key } : null;
            port1.postMessage({ type: 'play', tree, manifest, learner: { id: 'a-learner', name: 'Learner, A' }, course });
            if (ruled) port1.postMessage({ type: 'step', to: 'start', item_id: null });
            else port1.postMessage({ type: 'open', item_id: item, session_id: crypto.randomUUID(), before: null, key });
          }
          // Where a course has rules they say what is opened first; what comes after it is not waited for.
          const { show } = data as { show?: string | null };
          if (data.type === 'course' && show && !words.some((w) => w.type === 'opened'))
            port1.postMessage({ type: 'open', item_id: show, session_id: crypto.randomUUID(), before: null, key });
          if (data.type === 'opened') done();
        };
        frame.onload = () => frame.contentWindow?.postMessage('lantern-player', origin, [port2]);
        frame.src = `${origin}/player/scorm.html`;
        document.getElementById('package')?.remove();
        frame.id = 'package';
        document.body.append(frame);
      }),
    { origin: me.content_origin, tree, manifest, item: item.id, key: sessionKey, ruled: manifest.kind === 'scorm' && isSequenced(manifest) },
  );
  const player = page.frames().find((f) => f.url().endsWith('/player/scorm.html'));
  const count = () => player?.evaluate(() => (window as unknown as { calls: string[] }).calls.length);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  for (let before = -1, now = await count(); before !== now; now = await count()) {
    before = now ?? 0;
    await page.waitForTimeout(400);
  }
  await page.evaluate(() => {
    const { port } = window as unknown as { port: MessagePort };
    port.postMessage({ type: 'close' });
  });
  await page.waitForFunction(() => (window as unknown as { words: { type: string }[] }).words.some((w) => w.type === 'closed'));
  const calls = (await player?.evaluate(() => (window as unknown as { calls: string[] }).calls)) ?? [];
  const words = await page.evaluate(() => (window as unknown as { words: { type: string; problem?: string; detail?: string }[] }).words);
  return { calls, trouble: words.filter((w) => w.type === 'problem').map((w) => `${w.problem}: ${w.detail}`) };
};

/** Opens an H5P activity, waits until it has been quiet for a while, and answers what it said by itself. */
const open = async ({ tree, manifest }: CoursePackage): Promise<Partial<Seen>> => {
  await page.evaluate(
    ({ origin, tree, title, key }) =>
      new Promise<void>((done) => {
        const words: { type: string; problem?: string }[] = [];
        const frame = document.createElement('iframe');
        const { port1, port2 } = new MessageChannel();
        Object.assign(window, { words, port: port1 });
        port1.onmessage = ({ data }: MessageEvent<{ type: string; problem?: string }>) => {
          words.push(data);
          if (data.type === 'ready')
            port1.postMessage({ type: 'activity', tree, item_id: 'one', session_id: crypto.randomUUID(), title, state: null, key });
          // A request that was stopped is not the end of it.
          if (data.type === 'opened' || (data.type === 'problem' && data.problem !== 'blocked')) done();
        };
        setTimeout(done, 20_000);
        frame.onload = () => frame.contentWindow?.postMessage('lantern-player', origin, [port2]);
        frame.src = `${origin}/player/h5p.html`;
        frame.width = '800';
        document.getElementById('package')?.remove();
        frame.id = 'package';
        document.body.append(frame);
      }),
    { origin: me.content_origin, tree, title: manifest.title, key: sessionKey },
  );
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForTimeout(1500);
  const player = page.frames().find((f) => f.url().endsWith('/player/h5p.html'));
  const maxScore = await player?.evaluate(() => {
    const [first] = (window as unknown as { H5P?: { instances: { getMaxScore?: () => number }[] } }).H5P?.instances ?? [];
    if (!first) return undefined;
    try {
      return first.getMaxScore?.() ?? null;
    } catch {
      return null;
    }
  });
  type Word = { type: string; problem?: string; detail?: string; statements?: { verb: string }[] };
  const words = await page.evaluate(() => (window as unknown as { words: Word[] }).words);
  const verbs = words.flatMap((w) => w.statements ?? []).map((s) => verbName(s.verb));
  return {
    opened: words.some((w) => w.type === 'opened') && maxScore !== undefined,
    maxScore: maxScore ?? null,
    // That it was opened is what our player says.
    verbs: verbs.filter((v) => v !== 'initialized'),
    trouble: words.filter((w) => w.type === 'problem').map((w) => `${w.problem}: ${w.detail}`),
  };
};

const accepted: { expected: Expected; pack: CoursePackage; seen: Seen }[] = [];
const all: { expected: Expected; seen: Seen }[] = [];
for (const expected of list) {
  const { data, problems = [] } = await upload(expected);
  const manifest = data?.manifest;
  const seen: Seen = {
    accepted: data !== undefined,
    problems,
    ...(manifest?.kind === 'scorm' ? { standard: manifest.standard, items: manifest.items, scos: manifest.scos } : {}),
    ...(manifest?.kind === 'h5p' ? { mainLibrary: manifest.main_library } : {}),
    calls: null,
    trouble: [],
  };
  all.push({ expected, seen });
  if (data) accepted.push({ expected, pack: data, seen });
}
const playable = accepted.filter((a) => (a.pack.manifest.kind === 'scorm' ? a.expected.launched : a.expected.plays) !== undefined);
if (offline) {
  for (const { pack } of playable) await keep(pack.tree);
  await server.stop();
}
for (const { expected, pack, seen } of playable) {
  if (!browser.isConnected()) {
    console.error(`The browser has ended; ${expected.file} and what comes after it were not played.`);
    break;
  }
  playing = expected.file;
  try {
    Object.assign(seen, await (pack.manifest.kind === 'scorm' ? play(pack) : open(pack)));
  } catch (error) {
    seen.trouble.push(`${ends.splice(0).join(', ') || 'not played'}: ${(error as Error).message.split('\n')[0]}`);
    console.error(`${expected.file}: ${seen.trouble.at(-1)}`);
  }
  // A new page, so that one package leaves nothing behind for the next. Without the server none can be opened.
  if (!offline && browser.isConnected()) {
    await page.close().catch(() => undefined);
    page = await freshPage();
  }
}

let not = 0;
for (const { expected, seen } of all) {
  const wrong = differences(expected, seen);
  if (wrong.length > 0) not++;
  const what = !seen.accepted
    ? `refused: ${seen.problems[0]?.problem}`
    : [
        seen.standard ?? seen.mainLibrary,
        seen.calls && `${seen.calls.length} calls`,
        seen.maxScore != null && `of ${seen.maxScore}`,
        seen.verbs?.join(' '),
        ...seen.trouble,
      ]
        .filter(Boolean)
        .join(', ');
  console.log(`${wrong.length > 0 ? 'NOT ' : 'ok  '} ${expected.file.padEnd(64)} ${what}${wrong.length > 0 ? `  <- ${wrong.join('; ')}` : ''}`);
}
console.log(`as expected ${all.length - not}, not ${not}`);
stop();
await browser.close();
await server.close();
process.exit(not === 0 ? 0 : 1);
