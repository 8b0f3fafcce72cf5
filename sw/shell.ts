import { fileType } from '#contract/rules/file-types.ts';
import type { FromShell, ShellFile, ShellState, ShellTrouble } from '#src/offline/shell-messages.ts';

/**
 * The app's files on this device, each version in its own cache.
 *
 *   first visit   the worker takes over immediately without files; the page asks it to store them in order of need
 *   later         a new version is installed only once it is complete; until then the old one stays intact
 *
 * Guarantees: a file is stored only if it matches its hash from the build; the page itself is stored last, so pages are
 * answered from the cache only if everything they need is there; counts are always taken from the cache.
 */
export const shellPrefix = 'lantern-app-';

/** Parallel downloads; few, because the open page needs the connection too. */
const atOnce = 4;

type Needs = {
  files: readonly ShellFile[];
  caches: CacheStorage;
  fetch: typeof fetch;
  origin: string;
  /** Set if course packages run on this origin: their code can write to these caches, so each file is verified before each use. */
  shared?: boolean;
};

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

export const createShell = ({ files, caches, fetch, origin, shared = false }: Needs) => {
  const byUrl = new Map(files.map((f) => [f.url, f]));
  let named: Promise<string> | null = null;
  const name = () => {
    named ??= hashOf(new TextEncoder().encode(JSON.stringify(files))).then((hash) => shellPrefix + hash.slice(0, 16).replace(/[+/]/g, '_'));
    return named;
  };
  const open = async () => caches.open(await name());

  /** Some proxies add scripts to pages, so a page is checked to be of this version. */
  const isRight = async (file: ShellFile, response: Response): Promise<boolean> => {
    if (shared || !isPage(file.url)) return (await hashOf(await response.arrayBuffer())) === file.hash;
    const own = [...(await response.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((m) => m[1] as string);
    return own.length > 0 && own.every((url) => byUrl.has(url));
  };

  const fetched = async (file: ShellFile): Promise<Response> => {
    let response: Response;
    try {
      // Files with a hash in their name are often still in the browser's HTTP cache.
      response = await fetch(file.url, { cache: file.url.startsWith('/assets/') ? 'default' : 'no-cache', credentials: 'same-origin' });
      if (!response.ok || response.redirected) throw new Trouble(response.status === 404 ? 'changed' : 'unreachable');
      if (!(await isRight(file, response.clone()))) throw new Trouble('changed');
    } catch (error) {
      throw error instanceof Trouble ? error : new Trouble('unreachable');
    }
    return response;
  };

  /** Copies a file from an earlier version if it has not changed. */
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
    const cached = new Set((await cache.keys()).map((key) => key.url));
    return files.filter((f) => !cached.has(new URL(f.url, origin).href));
  };
  const stateOf = (lacking: readonly ShellFile[]): ShellState => {
    const needed = files.filter((f) => !f.later).length;
    const lacks = lacking.filter((f) => !f.later).length;
    return { kept: needed - lacks, needed, rest: lacking.length - lacks };
  };
  /** Counts the files in the cache; `deep` verifies each and deletes damaged ones. */
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

  /** Fetches missing files in order of need. Throws if interrupted; stored files are kept. */
  const keep = async (all: boolean, onFile: (state: ShellState) => void): Promise<void> => {
    const cache = await open();
    // What was changed would be noticed only when it is needed, perhaps without a connection.
    if (shared) await look(true);
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
    // The page is stored last, because pages are then answered from the cache.
    const order = [(f: ShellFile) => !f.later && !isPage(f.url), (f: ShellFile) => isPage(f.url), (f: ShellFile) => all && f.later === true];
    for (const now of order) if (!stopped) await keepSome([...left].filter(now));
    if (stopped) throw stopped;
  };

  let running: Promise<void> | null = null;
  let runningAll = false;
  /** Stores missing files, one run at a time, and reports progress. */
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
    /** Stores all files of this version, or throws. */
    keepAll: async (): Promise<void> => {
      await keep(true, () => undefined);
      const { kept, needed, rest } = await look(false);
      if (kept < needed || rest > 0) throw new Trouble('unreachable');
    },
    /** A stored file of the app. On a shared origin only if its bytes and type are right; a wrong one is deleted. */
    file: async (path: string): Promise<Response | undefined> => {
      const read = async () => {
        const cache = await open();
        const kept = await cache.match(path, { ignoreVary: true });
        const known = byUrl.get(path);
        if (!shared || !kept || !known) return kept;
        const hasType = kept.headers.get('Content-Type')?.split(';')[0] === fileType(path);
        if (kept.status === 200 && hasType && (await isRight(known, kept.clone()))) return kept;
        await cache.delete(path);
        const fresh = await fetched(known).catch(() => undefined);
        if (fresh) await cache.put(path, fresh.clone()).catch(() => undefined);
        return fresh;
      };
      // A failed cache read is retried once.
      return byUrl.has(path) ? read().catch(() => read().catch(() => undefined)) : undefined;
    },
    isFile: (path: string) => byUrl.has(path),
    /** Deletes all other versions, including those of earlier worker releases. */
    dropOthers: async (): Promise<void> => {
      const own = await name();
      const others = (await caches.keys()).filter((n) => (n.startsWith(shellPrefix) && n !== own) || n.startsWith('workbox-precache'));
      await Promise.all(others.map((n) => caches.delete(n)));
    },
  };
};
