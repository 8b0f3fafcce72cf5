/// <reference lib="webworker" />
import { matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { wake } from './wake.ts';
import { answerMedia, isMedia } from './media.ts';

/**
 * The app's worker: keeps the shell, so that the app opens without a network; answers course files from the device, with
 * the byte ranges that a film needs; wakes the outbox. It decides nothing about a person's work.
 *
 * It never takes over by itself: a new version waits until the person agrees (message SKIP_WAITING).
 */
declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const notTheApp = /^\/(api|docs|dev)(\/|$)/;

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || event.request.method !== 'GET') return;
  if (isMedia(url)) event.respondWith(answerMedia(event.request));
  else if (event.request.mode === 'navigate' && !notTheApp.test(url.pathname)) {
    event.respondWith(matchPrecache('/index.html').then((page) => page ?? fetch(event.request)));
  }
});
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' });

self.addEventListener('message', (event) => {
  if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
self.addEventListener('sync', (event) => {
  const { tag, waitUntil } = event as unknown as { tag: string; waitUntil(work: Promise<unknown>): void };
  if (tag === 'lantern-outbox') waitUntil.call(event, wake(self.clients));
});
