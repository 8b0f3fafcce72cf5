/// <reference lib="webworker" />
import { matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';
import { answerBrandPicture, isBrandPicture } from './brand-pictures.ts';
import { wake } from './wake.ts';
import { answerMedia, isMedia } from './media.ts';

/**
 * The app's worker: keeps the shell, so that the app opens without a network; answers course files from the device, with
 * the byte ranges that a film needs; wakes the outbox. It decides nothing about a person's work.
 *
 * It never takes over by itself: a new version waits until the person agrees (message SKIP_WAITING).
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const notTheApp = /^\/(api|docs|dev|player)(\/|$)/;

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || event.request.method !== 'GET') return;
  if (isMedia(url)) event.respondWith(answerMedia(event.request));
  else if (isBrandPicture(url)) event.respondWith(answerBrandPicture(event.request));
  else if (event.request.mode === 'navigate' && !notTheApp.test(url.pathname)) {
    event.respondWith(answerPage(url, event.request));
  }
});
/** A page as it last looked, with the app beside it, where there is one (only home, so far); else the app. */
const answerPage = async (url: URL, request: Request): Promise<Response> => {
  const known = await caches.open(lastKnownCacheName).then((cache) => cache.match(url.pathname));
  return known ?? (await matchPrecache('/index.html')) ?? fetch(request);
};
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' });

self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  // The picture names the files of the version that took it.
  event.waitUntil(Promise.all([caches.delete(lastKnownCacheName), self.clients.claim()]));
});
self.addEventListener('sync', (event) => {
  const { tag, waitUntil } = event as unknown as { tag: string; waitUntil(work: Promise<unknown>): void };
  if (tag === 'lantern-outbox') waitUntil.call(event, wake(self.clients));
});
