import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { end, type Engine, fromPage, inPage, type OpenEngine, screenSize, until } from '#tests/engines/engine.ts';
import { freePort } from '#tests/support/free-port.ts';

const root = new URL('../../', import.meta.url).pathname;

/** What Safari on an iPad has and WebKitGTK has switched off: storage that can be asked about, and private files. */
const asOnIpad = ['StorageAPI', 'StorageAPIEstimate', 'FileSystem', 'AccessHandle'];

/** Nothing that is asked of it takes longer; the driver itself would wait for minutes. */
const answerMs = 40_000;

/** A screen that nobody sees. Answers its name. */
const openDisplay = async (): Promise<{ process: ChildProcess; name: string }> => {
  const { width, height } = screenSize;
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = (await once(child.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { process: child, name: `:${number.toString().trim()}` };
};

/** WebKitGTK by WebDriver. Variants: `ipad`, with the storage that Safari has there; `private`, the same in a private window. */
export const openWebkit: OpenEngine = async (profile, variant) => {
  const display = await openDisplay();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display.name,
      GDK_BACKEND: 'x11',
      // Tests run as root in containers, where WebKit's own sandbox cannot be made, and without a graphics card.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      ENGINE_PROFILE: profile,
      ENGINE_FEATURES: variant === null ? '' : asOnIpad.join(),
      ENGINE_PRIVATE: variant === 'private' ? '1' : '0',
      ENGINE_SIZE: `${screenSize.width}x${screenSize.height}`,
    },
  });
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(answerMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => {
      throw new Error(`WebKitWebDriver, ${method} …/${path.split('/').slice(3).join('/')}: ${error.message}`);
    });
    const { value } = (await answer.json()) as { value: T };
    if (!answer.ok) throw new Error(`${path.split('/').pop()}: ${(value as { message?: string }).message ?? JSON.stringify(value)}`);
    return value;
  };
  type Session = { sessionId: string; capabilities: { browserVersion: string } };
  const begin = (): Promise<Session> => {
    const browser = { binary: '/usr/bin/gjs', args: [`${root}tests/engines/webkit-browser.js`] };
    return call<Session>('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } } });
  };
  await until('WebKitWebDriver', () => call<{ ready: boolean }>('GET', '/status'));
  let session = await begin();
  const ask = <T>(method: string, path: string, body?: object): Promise<T> => call<T>(method, `/session/${session.sessionId}${path}`, body);
  const engine: Engine = {
    version: `WebKitGTK ${session.capabilities.browserVersion}`,
    goto: (url) => ask('POST', '/url', { url }),
    reload: () => ask('POST', '/refresh', {}),
    evaluate: async (work, ...given) =>
      fromPage(
        await ask('POST', '/execute/async', {
          script: `const done = arguments[0]; ${inPage(work, given)}.then(done)`,
          args: [],
        }),
      ),
    act: async (actions) => {
      await ask('POST', '/actions', { actions });
    },
    screenshot: async () => Buffer.from(await ask<string>('GET', '/screenshot'), 'base64'),
    reopen: async () => {
      await ask('DELETE', '');
      session = await begin();
    },
    quit: async () => {
      await ask('DELETE', '').catch(() => undefined);
      await end(driver);
      await end(display.process);
    },
  };
  return engine;
};
