/// <reference lib="webworker" />
import { contentFolder } from '#contract/package-addresses.ts';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';
import type { ShellFile, ToShell } from '#src/offline/shell-messages.ts';
import { answerBrandPicture, isBrandPicture } from './brand-pictures.ts';
import { answerMedia, isMedia } from './media.ts';
import { createShell } from './shell.ts';
import { wake } from './wake.ts';

/**
 * The app's service worker: stores the app's files, so that it opens offline; answers course files from the device, with byte
 * ranges for video; sends waiting work. It makes no decisions about a person's work. A new version waits until the person agrees
 * (message SKIP_WAITING).
 */
declare const self: ServiceWorkerGlobalScope & {
  /** Written before this script by a server with one origin only: the headers of the app's pages. */
  pageHeaders?: Record<string, string>;
  __WB_MANIFEST: unknown;
};
/** Where course packages run on this origin, their code can write to its caches: nothing of them is used unverified. */
const isShared = self.pageHeaders !== undefined;

// Entries added by the build tool without a hash are not files of the app.
const files = (self.__WB_MANIFEST as ShellFile[]).filter((f) => f.hash);
const shell = createShell({ files, caches, fetch: (url, init) => fetch(url, init), origin: self.location.origin, shared: isShared });
const notTheApp = /^\/(api|docs|dev|player)(\/|$)/;

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || event.request.method !== 'GET') return;
  if (isMedia(url)) event.respondWith(answerMedia(event.request));
  else if (isBrandPicture(url)) event.respondWith(answerBrandPicture(event.request));
  else if (event.request.mode === 'navigate' && !notTheApp.test(url.pathname)) event.respondWith(answerPage(url, event.request));
  else if (shell.isFile(url.pathname)) event.respondWith(shell.file(url.pathname).then((kept) => kept ?? fetch(event.request)));
});

/**
 * Answers a page with its snapshot, if there is one (only home), or else with the app. While the app's files are incomplete, the
 * server answers: it may have a newer version, and files of two versions must not be mixed.
 */
const answerPage = async (url: URL, request: Request): Promise<Response> => {
  const app = await shell.file('/index.html');
  if (!app) return fetch(request);
  // A snapshot cannot be verified, and stored headers could have been changed.
  if (self.pageHeaders) return new Response(app.body, { headers: { ...self.pageHeaders, 'Content-Type': 'text/html; charset=utf-8' } });
  const known = await caches
    .open(lastKnownCacheName)
    .then((cache) => cache.match(url.pathname))
    .catch(() => undefined);
  return known ?? app;
};

self.addEventListener('install', (event) => {
  // The first worker replaces nobody: it is active at once and stores the files while the app is used.
  event.waitUntil(self.registration.active ? shell.keepAll() : self.skipWaiting());
});
self.addEventListener('activate', (event) => {
  // A snapshot refers to files of the version that made it.
  event.waitUntil(Promise.all([shell.dropOthers(), caches.delete(lastKnownCacheName), self.clients.claim()]));
});

const tellPages = async (word: unknown) => {
  for (const page of await self.clients.matchAll({ type: 'window', includeUncontrolled: true })) page.postMessage(word);
};
self.addEventListener('message', (event) => {
  const word = event.data as { type: 'SKIP_WAITING' } | ToShell | null;
  if (isShared && event.source && 'url' in event.source && new URL(event.source.url).pathname.startsWith(contentFolder)) return;
  if (word?.type === 'SKIP_WAITING') void self.skipWaiting();
  if (word?.type === 'shell-keep') event.waitUntil(shell.keepFor(word.all, (state) => void tellPages(state)));
  if (word?.type === 'shell-look') event.waitUntil(shell.look(word.deep).then((state) => event.ports[0]?.postMessage(state)));
});
self.addEventListener('sync', (event) => {
  const { tag, waitUntil } = event as unknown as { tag: string; waitUntil(work: Promise<unknown>): void };
  if (tag === 'lantern-outbox') waitUntil.call(event, wake(self.clients));
});
