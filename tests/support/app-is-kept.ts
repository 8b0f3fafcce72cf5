import type { Page } from '@playwright/test';

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

/** Waits until the worker has stored the app for offline use. */
export const appIsKept = async (page: Page) => {
  // Not at each frame, which is the default: the worker that answers is the one that stores.
  await page.waitForFunction(appIsKeptHere, undefined, { polling: 200 });
};
