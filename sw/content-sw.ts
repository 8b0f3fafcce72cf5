/// <reference lib="webworker" />
import { addPlugins, precacheAndRoute } from 'workbox-precaching';
import { nameIn, packagesFolder } from '#contract/package-addresses.ts';
import { connectionAllowlist, packagePolicy } from '#contract/package-policy.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { addressOf, hashOf, isKept, keptList, openCache } from '../player/kept-packages.ts';

/**
 * The content origin's service worker: opens the players offline and plays stored packages. Cached files are verified against the
 * package's list, because other packages' code on this origin could have changed them.
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

/** Larger files contain no code and are verified once per worker lifetime, not for each range of a video. */
const checkedOnceFrom = 4_000_000;
const checked = new Set<string>();

/**
 * Headers for a cached file, always with the policy of packages: stored headers could have been changed by a package, and files
 * downloaded in pieces have none. Scripts too, because a worker inherits its script's policy.
 */
const guardedHeaders = (kept: Response): Headers => {
  const headers = new Headers(kept.headers);
  headers.append('Content-Security-Policy', packagePolicy(self.location.origin));
  headers.set(connectionAllowlist.name, connectionAllowlist.value);
  headers.set('X-Content-Type-Options', 'nosniff');
  return headers;
};
const guarded = (kept: Response): Response => new Response(kept.body, { status: kept.status, headers: guardedHeaders(kept) });

const packageUrl = new RegExp(`^${packagesFolder}([0-9a-f]{64})/(.+)$`);

/** A file of a stored package by name, with its location in the cache. */
const fileOf = async (tree: string, path: string) => {
  const files = await keptList(tree);
  const name = files && nameIn(files, path);
  const known = name ? files[name] : undefined;
  return name && known ? { url: addressOf(tree, name), hash: known[0], bytes: known[1] } : null;
};

const whole = async (tree: string, path: string): Promise<Response | null> => {
  const file = await fileOf(tree, path);
  if (!file) return null;
  const { url, hash, bytes } = file;
  const cache = await openCache();
  const kept = await cache.match(url);
  if (!kept) return null;
  if (checked.has(url)) return kept;
  if ((await hashOf(await kept.clone().arrayBuffer())) !== hash) {
    await cache.delete(url);
    return null;
  }
  if (bytes >= checkedOnceFrom) checked.add(url);
  return kept;
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

const answer = async (request: Request, tree: string, path: string, later: (work: Promise<void>) => void): Promise<Response> => {
  // The downloader's requests must reach the server.
  const asKeeper = request.headers.has('X-Lantern-Keep');
  const wanted = request.headers.get('Range');
  const kept = asKeeper ? null : await whole(tree, path);
  if (!kept) {
    const fresh = await fetch(request);
    if (!asKeeper && wanted === null) later(mend(tree, path, fresh.clone()).catch(() => undefined));
    return fresh;
  }
  if (wanted === null) return guarded(kept);
  const blob = await kept.blob();
  const range = byteRange(wanted, blob.size);
  const headers = guardedHeaders(kept);
  if (range === 'whole') return new Response(blob, { headers });
  if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${blob.size}` } });
  headers.set('Content-Range', `bytes ${range.start}-${range.end}/${blob.size}`);
  headers.set('Content-Length', String(range.end - range.start + 1));
  return new Response(blob.slice(range.start, range.end + 1), { status: 206, headers });
};

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  const [, tree, path] = (url.origin === self.location.origin && event.request.method === 'GET' && packageUrl.exec(url.pathname)) || [];
  if (tree && path) event.respondWith(answer(event.request, tree, decodeURIComponent(path), (work) => event.waitUntil(work)));
});
addPlugins([{ handlerWillRespond: async ({ response }) => guarded(response) }]);
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' });
// The players of two releases are compatible, so a new worker need not wait.
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
