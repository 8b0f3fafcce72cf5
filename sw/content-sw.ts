/// <reference lib="webworker" />
import { contentFolder, nameIn, packagesFolder } from '#contract/package-addresses.ts';
import { contentHeaders } from '#contract/package-policy.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { fileType } from '#contract/rules/file-types.ts';
import { addressOf, hashOf, isKept, keptList, openCache, playersCacheName } from '../player/kept-packages.ts';

/**
 * The content origin's service worker: opens the players offline and plays stored packages. The code of packages can write to every
 * store of this origin, so a stored file is used only if its bytes have the hash in this script (players) or in the package's list, and
 * nothing else of what is stored is used: its headers are set here.
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; hash?: string }[]; appOrigin: string };

// Entries added by the build tool without a hash are not files of the players.
const players = new Map(self.__WB_MANIFEST.flatMap(({ url, hash }) => (hash ? [[url, hash] as const] : [])));
/** A package can register this script again for a part of its scope, to keep an old release of it: such a worker does nothing. */
const isOurs = new URL(self.registration.scope).pathname === contentFolder;

const headersOf = (path: string): Record<string, string> => ({
  'Content-Type': fileType(path) ?? 'application/octet-stream',
  ...contentHeaders(self.location.origin, self.appOrigin, path),
});

/** Verified large files, such as videos, which are read range by range: hashing them each time would take seconds. Nobody else can write here. */
const verified = new Map<string, Blob>();
const rememberedFrom = 4_000_000;
const mostRemembered = 3;

/** The bytes of a stored file if they have this hash; a damaged one is deleted. */
const intact = async (cache: Cache, url: string, hash: string): Promise<Blob | null> => {
  const known = verified.get(hash);
  if (known) return known;
  const kept = await cache.match(url);
  const bytes = await kept?.arrayBuffer();
  if (!bytes) return null;
  if ((await hashOf(bytes)) !== hash) {
    await cache.delete(url);
    return null;
  }
  const blob = new Blob([bytes]);
  if (bytes.byteLength >= rememberedFrom) {
    if (verified.size >= mostRemembered) verified.delete(verified.keys().next().value as string);
    verified.set(hash, blob);
  }
  return blob;
};

/** Stores a file of the players if it is the one of this release. */
const keepPlayer = async (url: string, hash: string, fresh: Response): Promise<boolean> => {
  const bytes = await fresh.arrayBuffer();
  if (fresh.status !== 200 || (await hashOf(bytes)) !== hash) return false;
  await (await caches.open(playersCacheName)).put(url, new Response(bytes));
  return true;
};
const keepPlayers = async (): Promise<void> => {
  const cache = await caches.open(playersCacheName);
  for (const [url, hash] of players)
    if (!(await intact(cache, url, hash)) && !(await keepPlayer(url, hash, await fetch(url, { cache: 'no-cache' }))))
      throw new Error(`${url} is of another release`);
};
const dropOtherPlayers = async (): Promise<void> => {
  const cache = await caches.open(playersCacheName);
  for (const key of await cache.keys()) if (!players.has(new URL(key.url).pathname)) await cache.delete(key);
};
const answerPlayer = async (request: Request, path: string, hash: string, later: Later): Promise<Response> => {
  const kept = await caches
    .open(playersCacheName)
    .then((cache) => intact(cache, path, hash))
    .catch(() => null);
  if (kept) return new Response(kept, { headers: headersOf(path) });
  const fresh = await fetch(request);
  const copy = fresh.clone();
  later(keepPlayer(path, hash, copy));
  return fresh;
};

const packageUrl = new RegExp(`^${packagesFolder}([0-9a-f]{64})/(.+)$`);

/** A file of a stored package by name, with its location in the cache. */
const fileOf = async (tree: string, path: string) => {
  const files = await keptList(tree);
  const name = files && nameIn(files, path);
  const known = name ? files[name] : undefined;
  return name && known ? { url: addressOf(tree, name), hash: known[0] } : null;
};

const whole = async (tree: string, path: string): Promise<Blob | null> => {
  const file = await fileOf(tree, path);
  return file && intact(await openCache(), file.url, file.hash);
};

/** Replaces a damaged file of a stored package with the server's, if that matches the list. */
const mend = async (tree: string, path: string, fresh: Response): Promise<void> => {
  const file = await fileOf(tree, path);
  const cache = await openCache();
  // A package deleted meanwhile is not stored again.
  if (!file || fresh.status !== 200 || !(await isKept(tree))) return;
  const copy = fresh.clone();
  if ((await hashOf(await fresh.arrayBuffer())) === file.hash) await cache.put(file.url, copy);
};

type Later = (work: Promise<unknown>) => void;
const answer = async (request: Request, tree: string, path: string, later: Later): Promise<Response> => {
  // The downloader's requests must reach the server.
  const asKeeper = request.headers.has('X-Lantern-Keep');
  const wanted = request.headers.get('Range');
  const blob = asKeeper ? null : await whole(tree, path);
  if (!blob) {
    const fresh = await fetch(request);
    if (!asKeeper && wanted === null) later(mend(tree, path, fresh.clone()));
    return fresh;
  }
  const headers = new Headers(headersOf(new URL(request.url).pathname));
  headers.set('Accept-Ranges', 'bytes');
  const range = wanted === null ? 'whole' : byteRange(wanted, blob.size);
  if (range === 'whole') return new Response(blob, { headers });
  if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${blob.size}` } });
  headers.set('Content-Range', `bytes ${range.start}-${range.end}/${blob.size}`);
  headers.set('Content-Length', String(range.end - range.start + 1));
  return new Response(blob.slice(range.start, range.end + 1), { status: 206, headers });
};

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (!isOurs || url.origin !== self.location.origin || request.method !== 'GET') return;
  const later: Later = (work) => event.waitUntil(work.catch(() => undefined));
  const [, tree, path] = packageUrl.exec(url.pathname) ?? [];
  const player = players.get(url.pathname);
  if (tree && path) event.respondWith(answer(request, tree, decodeURIComponent(path), later));
  else if (player) event.respondWith(answerPlayer(request, url.pathname, player, later));
});
self.addEventListener('install', (event) => {
  // The players of two releases are compatible, so a new worker need not wait.
  void self.skipWaiting();
  if (isOurs) event.waitUntil(keepPlayers());
});
self.addEventListener('activate', (event) => {
  if (isOurs) event.waitUntil(Promise.all([dropOtherPlayers(), self.clients.claim()]));
  // Not awaited: it ends once the worker is active.
  else void self.registration.unregister();
});
