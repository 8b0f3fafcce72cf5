/// <reference lib="webworker" />
import { addPlugins, precacheAndRoute } from 'workbox-precaching';
import { nameIn, packagesFolder } from '#contract/package-addresses.ts';
import { connectionAllowlist, packagePolicy } from '#contract/package-policy.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { addressOf, hashOf, isKept, keptList, openCache } from '../player/kept-packages.ts';

/**
 * The worker of the content origin: the players open without a network, and packages that are kept are played from this
 * device. Whatever lies in the cache is believed only where it is what the package's name says: other people's code runs
 * on this origin, and could have changed it.
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

/** Larger files hold no code; they are checked once while the worker lives, not for each piece of a film. */
const checkedOnceFrom = 4_000_000;
const checked = new Set<string>();

/**
 * A file from the cache under the policy of packages, beside what it was kept with: a package can change what is kept, its headers
 * too, and a file that came in pieces has none. Scripts as well: a worker has the policy that its script came with.
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

/** The file that the list of a kept package has under this name, and where it lies in the cache. */
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

/** A file of a kept package that was damaged comes from the server, and is kept again where it is what it has to be. */
const mend = async (tree: string, path: string, fresh: Response): Promise<void> => {
  const file = await fileOf(tree, path);
  const cache = await openCache();
  // A package that was taken off the device since is not gathered again file by file.
  if (!file || fresh.status !== 200 || !(await isKept(tree))) return;
  const copy = fresh.clone();
  if ((await hashOf(await fresh.arrayBuffer())) === file.hash) await cache.put(file.url, copy);
};

const answer = async (request: Request, tree: string, path: string, later: (work: Promise<void>) => void): Promise<Response> => {
  // The keeper asks for what is missing here: it must hear the server.
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
// The players of two releases understand each other's channel: there is nothing to wait for.
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
