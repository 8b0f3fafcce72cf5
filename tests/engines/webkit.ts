import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { end, type Engine, fromPage, inPage, type OpenEngine, screenSize } from '#tests/engines/engine.ts';
import { until } from '#tests/support/until.ts';
import { freePort } from '#tests/support/free-port.ts';

const root = new URL('../../', import.meta.url).pathname;

/**
 * What Safari on an iPad has and WebKitGTK has switched off: storage that can be asked about, and private files. Those cannot be
 * flushed here all the same (“Backend does not support this operation”).
 */
const asOnIpad = ['StorageAPI', 'StorageAPIEstimate', 'FileSystem', 'AccessHandle'];

/** Nothing that is asked of it takes longer; the driver itself would wait for minutes. */
const answerMs = 40_000;

/** A screen that nobody sees, whose pixels lie in a file. */
type Display = { process: ChildProcess; name: string; folder: string };
const openDisplay = async (): Promise<Display> => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-display-'));
  const { width, height } = screenSize;
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp', '-fbdir', folder], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = (await once(child.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { process: child, name: `:${number.toString().trim()}`, folder };
};

/**
 * What is on the screen, from the file of its pixels (XWD: numbers of four bytes, how long the head is first, the colours of a
 * palette after it). The driver's own pictures wait for a frame that a page at rest does not draw.
 */
const pictureOf = ({ folder }: Display): Promise<Buffer> => {
  const file = readFileSync(join(folder, 'Xvfb_screen0'));
  const word = (n: number) => file.readUInt32BE(n * 4);
  const [head, width, height, lineBytes, colours] = [word(0), word(4), word(5), word(12), word(19)] as const;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = head + colours * 12 + y * lineBytes + x * 4;
      for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = file[from + 2 - c] as number;
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
};

/** WebKitGTK by WebDriver. Variants: `ipad`, with the storage that Safari has there. */
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
      ENGINE_FEATURES: variant === 'ipad' ? asOnIpad.join() : '',
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
    if (!answer.ok) throw new Error(`${path.split('/').pop()}: ${(value as { message?: string }).message || JSON.stringify(value)}`);
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
    screenshot: () => pictureOf(display),
    reopen: async () => {
      // The browser has closed its window before it can be asked about it, and the driver calls that an error.
      await ask('DELETE', '').catch(() => undefined);
      session = await begin();
    },
    quit: async () => {
      await ask('DELETE', '').catch(() => undefined);
      await end(driver);
      await end(display.process);
      rmSync(display.folder, { recursive: true, force: true });
    },
  };
  return engine;
};
