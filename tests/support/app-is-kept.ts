import type { Page } from '@playwright/test';
import { until } from '#tests/support/until.ts';
import { personDbPrefix } from '#src/offline/store/person-db-name.ts';

/** Whether the worker has stored the app for offline use. Runs in the page. */
export const appIsKeptHere = async (): Promise<boolean> => {
  const worker = navigator.serviceWorker.controller;
  if (!worker) return false;
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ type: 'shell-look', deep: false }, [port2]);
  const { kept, needed, rest } = await new Promise<{ kept: number; needed: number; rest: number }>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  return kept === needed && rest === 0;
};

/** Whether the courses on the start page are stored, which happens once the page is idle. */
const coursesAreKept = async (prefix: string): Promise<boolean> => {
  if (location.pathname !== '/') return true;
  const names = (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
  for (const name of names) {
    const there = await new Promise<boolean>((found) => {
      const opening = indexedDB.open(name);
      opening.onerror = () => found(false);
      opening.onsuccess = () => {
        const asked = opening.result.transaction('kv').objectStore('kv').count('apollo-cache-persist');
        asked.onsuccess = () => {
          opening.result.close();
          found(asked.result > 0);
        };
      };
    });
    if (there) return true;
  }
  return false;
};

/** Waits until the worker has stored the app for offline use, and the app what the start page shows. */
export const appIsKept = async (page: Page) => {
  // Playwright's own `waitForFunction` treats the promise of an async function as truthy.
  await until('the app kept by its worker', () => page.evaluate(appIsKeptHere), 60_000);
  await until('the courses of the start page kept', () => page.evaluate(coursesAreKept, personDbPrefix), 60_000);
};
