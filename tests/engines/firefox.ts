import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, fromPage, inPage, type OpenEngine, screenSize, startSaying } from '#tests/engines/engine.ts';

/** Nothing that asks its maker for anything, or shows a page of its own. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutConfig.showWarning': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'captivedetect.canonicalURL': '',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.server': 'data:,',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

type Answer = { id?: number; type: string; result?: unknown; error?: string; message?: string };
type Evaluated = { type: string; result: { value: string }; exceptionDetails?: { text: string } };

/** The commands of WebDriver BiDi over its socket. */
const connect = async (address: string) => {
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`${address} does not answer`)), { once: true });
  });
  let last = 0;
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data)) as Answer;
    const asked = waiting.get(id ?? -1);
    waiting.delete(id ?? -1);
    if (type === 'success') asked?.resolve(result as never);
    else asked?.reject(new Error(`${error}: ${message}`));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has gone'));
    waiting.clear();
  });
  return <T>(method: string, params: object): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
};

/**
 * Firefox by WebDriver BiDi. Variants: `private`, where every window is a private one; `files-by-worker`, where only a worker can
 * write private files, as in Safari before 26.
 */
export const openFirefox: OpenEngine = async (profile, variant) => {
  mkdirSync(profile, { recursive: true });
  const all = { ...preferences, ...(variant === 'private' ? { 'browser.privatebrowsing.autostart': true } : {}) };
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(all)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const begin = async () => {
    const { width, height } = screenSize;
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', `--width=${width}`, `--height=${height}`];
    const started = await startSaying('firefox-esr', args, { HOME: profile }, /WebDriver BiDi listening on (ws:\S+)/);
    const send = await connect(started.said[1] as string);
    type Session = { capabilities: { browserVersion: string } };
    const { capabilities } = await send<Session>('session.new', { capabilities: {} });
    const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    const context = contexts[0]?.context as string;
    await send('browsingContext.setViewport', { context, viewport: screenSize });
    if (variant === 'files-by-worker')
      await send('script.addPreloadScript', { functionDeclaration: '() => { delete FileSystemFileHandle.prototype.createWritable; }' });
    return { send, context, process: started.process, version: capabilities.browserVersion };
  };
  let here = await begin();
  const close = async () => {
    const gone = once(here.process, 'exit');
    await here.send('browser.close', {}).catch(() => undefined);
    await gone;
  };
  const engine: Engine = {
    version: `Firefox ${here.version}`,
    goto: async (url) => {
      await here.send('browsingContext.navigate', { context: here.context, url, wait: 'complete' });
    },
    reload: async () => {
      await here.send('browsingContext.reload', { context: here.context, wait: 'complete' });
    },
    evaluate: async (work, ...given) => {
      const expression = inPage(work, given);
      const target = { context: here.context };
      const done = await here.send<Evaluated>('script.evaluate', { expression, target, awaitPromise: true });
      if (done.exceptionDetails) throw new Error(done.exceptionDetails.text);
      return fromPage(done.result.value);
    },
    act: async (actions) => {
      await here.send('input.performActions', { context: here.context, actions });
    },
    screenshot: async () =>
      Buffer.from((await here.send<{ data: string }>('browsingContext.captureScreenshot', { context: here.context })).data, 'base64'),
    reopen: async () => {
      await close();
      here = await begin();
    },
    quit: close,
  };
  return engine;
};
