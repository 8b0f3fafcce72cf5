import { beforeEach, describe, expect, it } from 'vitest';
import type { FromShell, ShellFile } from '#src/offline/shell-messages.ts';
import { createShell } from './shell.ts';

const origin = 'http://localhost';
const hash = async (text: string) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))));
const addressOf = (key: string | Request) => (typeof key === 'string' ? new URL(key, origin).href : key.url);

class MemoryCache {
  readonly kept = new Map<string, string>();
  full = false;
  match = async (key: string) => {
    const text = this.kept.get(addressOf(key));
    return text === undefined ? undefined : new Response(text);
  };
  put = async (key: string, response: Response) => {
    if (this.full) throw new DOMException('full', 'QuotaExceededError');
    this.kept.set(addressOf(key), await response.text());
  };
  delete = async (key: string) => this.kept.delete(addressOf(key));
  keys = async () => [...this.kept.keys()].map((url) => ({ url }));
}

class MemoryCaches {
  readonly all = new Map<string, MemoryCache>();
  open = async (name: string) => {
    const cache = this.all.get(name) ?? new MemoryCache();
    this.all.set(name, cache);
    return cache;
  };
  match = async (key: string) => {
    for (const cache of this.all.values()) {
      const found = await cache.match(key);
      if (found) return found;
    }
    return undefined;
  };
  keys = async () => [...this.all.keys()];
  delete = async (name: string) => this.all.delete(name);
}

const release = async (version: string) => {
  const contents: Record<string, string> = {
    '/index.html': `<script src="/assets/app-${version}.js"></script>`,
    [`/assets/app-${version}.js`]: `app ${version}`,
    '/assets/home-same.js': 'home',
    '/icons/lantern.svg': 'a picture',
    [`/assets/office-${version}.js`]: `office ${version}`,
  };
  const files: ShellFile[] = await Promise.all(
    Object.entries(contents).map(async ([url, text]) => ({
      url,
      hash: await hash(text),
      ...(url.includes('office') ? { later: true as const } : {}),
    })),
  );
  return { contents, files };
};

describe('the files of the app', async () => {
  const one = await release('1');
  const two = await release('2');
  let caches: MemoryCaches;
  let asked: string[];
  let served: Record<string, string>;
  let linesLeft: number;
  const open = (files: readonly ShellFile[]) =>
    createShell({
      files,
      origin,
      caches: caches as never,
      fetch: (async (url: string) => {
        asked.push(url);
        if (linesLeft-- <= 0) throw new TypeError('no line');
        const text = served[url];
        return text === undefined ? new Response('', { status: 404 }) : new Response(text);
      }) as typeof fetch,
    });
  const keep = async (shell: ReturnType<typeof open>, all = false) => {
    const said: FromShell[] = [];
    await shell.keepFor(all, (word) => said.push(word));
    return said;
  };
  beforeEach(() => {
    caches = new MemoryCaches();
    asked = [];
    linesLeft = Number.POSITIVE_INFINITY;
    served = { ...one.contents };
  });

  it('are stored in order of need, the page last, with progress; deferred files on request', async () => {
    const shell = open(one.files);
    expect(await shell.look(false)).toEqual({ kept: 0, needed: 4, rest: 1 });
    expect(await shell.file('/index.html')).toBeUndefined();
    const said = await keep(shell);
    expect(asked).toEqual(['/assets/app-1.js', '/assets/home-same.js', '/icons/lantern.svg', '/index.html']);
    expect(said.map((s) => s.kept)).toEqual([1, 2, 3, 4, 4]);
    expect(said.at(-1)).toEqual({ type: 'shell', kept: 4, needed: 4, rest: 1, busy: false, trouble: null });
    expect(await shell.file('/index.html')).toBeDefined();
    expect((await keep(shell, true)).at(-1)).toMatchObject({ rest: 0 });
  });

  it('are counted in the cache: a missing one is noticed and stored again', async () => {
    const shell = open(one.files);
    await keep(shell);
    for (const cache of caches.all.values()) cache.kept.delete(`${origin}/assets/home-same.js`);
    expect(await shell.look(false)).toMatchObject({ kept: 3, needed: 4 });
    asked = [];
    await keep(shell);
    expect(asked).toEqual(['/assets/home-same.js']);
    expect(await shell.look(false)).toMatchObject({ kept: 4 });
  });

  it('are verified on a deep check: a damaged one is deleted', async () => {
    const shell = open(one.files);
    await keep(shell);
    for (const cache of caches.all.values()) cache.kept.set(`${origin}/assets/app-1.js`, 'half of it');
    expect(await shell.look(false)).toMatchObject({ kept: 4 });
    expect(await shell.look(true)).toMatchObject({ kept: 3 });
  });

  it.each([
    ['a page of somebody else', () => ({ '/index.html': '<p>Sign in to this network</p>' }), 'changed'],
    ['the page of another version', () => ({ '/index.html': two.contents['/index.html'] as string }), 'changed'],
    ['a cut script', () => ({ '/assets/app-1.js': 'app' }), 'changed'],
  ])('are not taken from %s', async (_what, other, trouble) => {
    Object.assign(served, other());
    const shell = open(one.files);
    expect((await keep(shell)).at(-1)).toMatchObject({ trouble, busy: false });
    expect(await shell.file('/index.html')).toBeUndefined();
  });

  it('resume after a lost connection and after a full disk', async () => {
    const shell = open(one.files);
    linesLeft = 2;
    expect((await keep(shell)).at(-1)).toMatchObject({ kept: 2, trouble: 'unreachable' });
    linesLeft = Number.POSITIVE_INFINITY;
    for (const cache of caches.all.values()) cache.full = true;
    expect((await keep(shell)).at(-1)).toMatchObject({ kept: 2, trouble: 'full' });
    for (const cache of caches.all.values()) cache.full = false;
    expect((await keep(shell)).at(-1)).toMatchObject({ kept: 4, trouble: null });
  });

  it('of a new version are stored completely or not at all, and the old version stays intact', async () => {
    const before = open(one.files);
    await keep(before, true);
    served = { ...two.contents };
    const after = open(two.files);
    asked = [];
    linesLeft = 1;
    await expect(after.keepAll()).rejects.toThrow('unreachable');
    expect(await before.look(true)).toMatchObject({ kept: 4, rest: 0 });
    expect(await before.file('/index.html')).toBeDefined();
    expect(await after.file('/index.html')).toBeUndefined();
    linesLeft = Number.POSITIVE_INFINITY;
    await after.keepAll();
    // Unchanged files are not fetched again.
    expect(asked).not.toContain('/assets/home-same.js');
    expect(await before.look(true)).toMatchObject({ kept: 4, rest: 0 });
    await after.dropOthers();
    expect(await after.look(true)).toMatchObject({ kept: 4, rest: 0 });
    expect(caches.all.size).toBe(1);
  });
});
