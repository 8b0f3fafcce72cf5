import type { FromShell, ShellFile, ShellState, ShellTrouble } from '#src/offline/shell-messages.ts';

/**
 * The files of the app on this device, each version of the app in a cache of its own.
 *
 *   first visit   the worker takes over at once, with nothing; the page asks it to keep the files, in the order of need
 *   afterwards    a new version is installed only when all its files are here; until then the old one stays whole
 *
 * Guarantees: a file is kept only where it is what the build made (its hash); the page itself is kept last, so that pages are
 * answered from the cache only when everything that they need lies beside it; what is counted is what lies in the cache,
 * never what is remembered.
 */
export const shellPrefix = 'lantern-app-';

/** Four at a time: the page that is open needs the line, too. */
const atOnce = 4;

type Needs = { files: readonly ShellFile[]; caches: CacheStorage; fetch: typeof fetch; origin: string };

class Trouble extends Error {
  readonly why: ShellTrouble;
  constructor(why: ShellTrouble) {
    super(why);
    this.why = why;
  }
}

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const hashOf = async (bytes: BufferSource) => base64(await crypto.subtle.digest('SHA-256', bytes));
const isPage = (url: string) => url.endsWith('.html');

export const createShell = ({ files, caches, fetch, origin }: Needs) => {
  const byUrl = new Map(files.map((f) => [f.url, f]));
  let named: Promise<string> | null = null;
  const name = () => {
    named ??= hashOf(new TextEncoder().encode(JSON.stringify(files))).then((hash) => shellPrefix + hash.slice(0, 16).replace(/[+/]/g, '_'));
    return named;
  };
  const open = async () => caches.open(await name());

  /** A page may have been changed on its way (some proxies add scripts): it has to be one of this version. */
  const isRight = async (file: ShellFile, response: Response): Promise<boolean> => {
    if (!isPage(file.url)) return (await hashOf(await response.arrayBuffer())) === file.hash;
    const own = [...(await response.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((m) => m[1] as string);
    return own.length > 0 && own.every((url) => byUrl.has(url));
  };

  const fetched = async (file: ShellFile): Promise<Response> => {
    let response: Response;
    try {
      // What has its hash in its name is often in the browser's own cache already: the page has just used it.
      response = await fetch(file.url, { cache: file.url.startsWith('/assets/') ? 'default' : 'no-cache', credentials: 'same-origin' });
      if (!response.ok || response.redirected) throw new Trouble(response.status === 404 ? 'changed' : 'unreachable');
      if (!(await isRight(file, response.clone()))) throw new Trouble('changed');
    } catch (error) {
      throw error instanceof Trouble ? error : new Trouble('unreachable');
    }
    return response;
  };

  /** From a version that is here already, where nothing changed in it. */
  const found = async (file: ShellFile): Promise<Response | null> => {
    const kept = await caches.match(file.url, { ignoreVary: true });
    return kept && (await isRight(file, kept.clone())) ? kept : null;
  };

  const keepOne = async (cache: Cache, file: ShellFile): Promise<void> => {
    const response = (await found(file)) ?? (await fetched(file));
    await cache.put(file.url, response).catch((error: Error) => {
      throw new Trouble(error.name === 'QuotaExceededError' ? 'full' : 'unreachable');
    });
  };

  const missing = async (cache: Cache): Promise<ShellFile[]> => {
    const here = new Set((await cache.keys()).map((key) => key.url));
    return files.filter((f) => !here.has(new URL(f.url, origin).href));
  };
  const stateOf = (lacking: readonly ShellFile[]): ShellState => {
    const needed = files.filter((f) => !f.later).length;
    const lacks = lacking.filter((f) => !f.later).length;
    return { kept: needed - lacks, needed, rest: lacking.length - lacks };
  };
  /** What is in the cache at this moment; `deep` reads every file, and takes out what is damaged. */
  const look = async (deep: boolean): Promise<ShellState> => {
    const cache = await open();
    if (deep)
      for (const file of files) {
        const kept = await cache.match(file.url, { ignoreVary: true });
        const right = !kept || (await isRight(file, kept).catch(() => false));
        if (!right) await cache.delete(file.url);
      }
    return stateOf(await missing(cache));
  };

  /** Fetches what is missing, in the order of need. Throws what stopped it; what has come stays. */
  const keep = async (all: boolean, onFile: (state: ShellState) => void): Promise<void> => {
    const cache = await open();
    const left = new Set(await missing(cache));
    let stopped: unknown = null;
    const keepSome = async (some: ShellFile[]) => {
      const work = async () => {
        for (let file = some.shift(); file && !stopped; file = some.shift()) {
          try {
            await keepOne(cache, file);
            left.delete(file);
            onFile(stateOf([...left]));
          } catch (error) {
            stopped = error;
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    };
    // The page comes when all that it needs is here: where it lies, pages are answered from the cache.
    const order = [(f: ShellFile) => !f.later && !isPage(f.url), (f: ShellFile) => isPage(f.url), (f: ShellFile) => all && f.later === true];
    for (const now of order) if (!stopped) await keepSome([...left].filter(now));
    if (stopped) throw stopped;
  };

  let running: Promise<void> | null = null;
  let runningAll = false;
  /** Keeps what is missing for whoever asks, once at a time, and says how far it is. */
  const keepFor = async (all: boolean, say: (word: FromShell) => void): Promise<void> => {
    while (running) {
      const same = runningAll === all;
      await running;
      if (same) return;
    }
    runningAll = all;
    running = (async () => {
      let trouble: ShellTrouble | null = null;
      await keep(all, (state) => say({ type: 'shell', ...state, busy: true, trouble: null })).catch((error: unknown) => {
        trouble = error instanceof Trouble ? error.why : 'unreachable';
      });
      say({ type: 'shell', ...(await look(false)), busy: false, trouble });
    })().finally(() => {
      running = null;
    });
    await running;
  };

  return {
    look,
    keepFor,
    /** Everything of this version; throws where a part cannot be had. */
    keepAll: async (): Promise<void> => {
      await keep(true, () => undefined);
      const { kept, needed, rest } = await look(false);
      if (kept < needed || rest > 0) throw new Trouble('unreachable');
    },
    /** A file of the app that is here. */
    file: async (path: string): Promise<Response | undefined> => {
      const read = async () => (await open()).match(path, { ignoreVary: true });
      // A cache that could not be read once is asked again before it counts as empty.
      return byUrl.has(path) ? read().catch(() => read().catch(() => undefined)) : undefined;
    },
    isFile: (path: string) => byUrl.has(path),
    /** The files of every other version, also those that earlier releases of this worker have kept. */
    dropOthers: async (): Promise<void> => {
      const own = await name();
      const others = (await caches.keys()).filter((n) => (n.startsWith(shellPrefix) && n !== own) || n.startsWith('workbox-precache'));
      await Promise.all(others.map((n) => caches.delete(n)));
    },
  };
};
