import { useEffect, useSyncExternalStore } from 'react';
import { isKeptTwice } from '#src/access/kept-twice.ts';
import { observable } from '#src/lib/observable.ts';
import type { FromShell, ShellState, ShellTrouble, ToShell } from '#src/offline/shell-messages.ts';

/**
 * Whether the app opens offline on this device: a worker is active, its cache has been counted and is complete, and the
 * signed-in person is stored durably. `none`: this browser has no service worker.
 */
export type AppKept =
  | { state: 'looking' | 'none' }
  /** `rest`: number of files of the office, such as those of a training record, that are not stored yet. */
  | { state: 'kept'; rest: number }
  /** `needed` is 0 until the files have been counted. */
  | { state: 'keeping'; kept: number; needed: number; trouble: ShellTrouble | null };

const known = observable<AppKept>({ state: 'looking' });

/** Time limit for the worker to count. */
const answerMs = 8000;
const keepAgainMs = 15_000;

const note = async ({ kept, needed, rest }: ShellState, trouble: ShellTrouble | null): Promise<AppKept> => {
  if (refused) return known.get();
  const next: AppKept = kept === needed && (await isKeptTwice()) ? { state: 'kept', rest } : { state: 'keeping', kept, needed, trouble };
  known.set(next);
  return next;
};

const activeWorker = async (): Promise<ServiceWorker | null> => {
  const active = (await navigator.serviceWorker.getRegistration())?.active;
  return active?.state === 'activated' ? active : null;
};

const askWorker = (worker: ServiceWorker, deep: boolean): Promise<ShellState | null> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const late = setTimeout(() => resolve(null), answerMs);
    port1.onmessage = ({ data }) => {
      clearTimeout(late);
      port1.close();
      resolve(data as ShellState);
    };
    worker.postMessage({ type: 'shell-look', deep } satisfies ToShell, [port2]);
  });

let refused = false;
/** The browser refuses a service worker, for example because the site may not store data: the app cannot be stored. */
export const noteNoWorker = (): void => {
  refused = true;
  known.set({ state: 'none' });
};

/** Checks now. `deep` reads every file and compares it with the build. */
export const checkAppKept = async (deep = false): Promise<AppKept> => {
  if (refused || !navigator.serviceWorker || !import.meta.env.PROD) {
    known.set({ state: 'none' });
    return known.get();
  }
  const worker = await activeWorker().catch(() => null);
  const state = worker && (await askWorker(worker, deep));
  return note(state ?? { kept: 0, needed: -1, rest: 0 }, null);
};

/** Delivered as soon as a worker has taken control. */
const askToKeep = async (all: boolean): Promise<void> => {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ type: 'shell-keep', all } satisfies ToShell);
};

const whenDone: (() => void)[] = [];
/** Stores missing files, also those of the office, and returns the progress. */
export const keepApp = async (signal: AbortSignal): Promise<AppKept> => {
  const worker = await activeWorker();
  if (worker) {
    const done = new Promise<void>((resolve) => {
      whenDone.push(resolve);
      signal.addEventListener('abort', () => resolve());
    });
    await askToKeep(true);
    await done;
  }
  return checkAppKept(true);
};

/** Follows the worker and makes sure that missing files are stored. Called once, by the page that registers it. */
export const followShell = (workers: ServiceWorkerContainer, whenIdle: (work: () => void) => void) => {
  let again: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(again);
    again = setTimeout(keep, keepAgainMs);
    void askToKeep(false);
  };
  let heard = Promise.resolve();
  const hear = async (data: FromShell) => {
    const { state } = await note(data, data.trouble);
    clearTimeout(again);
    // A worker that stops responding is asked again.
    if (data.busy || state === 'keeping' || data.trouble) again = setTimeout(keep, keepAgainMs);
    if (data.busy) return;
    for (const resolve of whenDone.splice(0)) resolve();
    // The server has another version, which can replace this one only as a whole.
    if (data.trouble === 'changed') void workers.getRegistration().then((r) => r?.update().catch(() => undefined));
    if (state === 'kept' && data.rest > 0 && !data.trouble) whenIdle(() => void askToKeep(true));
  };
  workers.addEventListener('message', ({ data }: MessageEvent<FromShell | null>) => {
    // In sequence, so that the latest answer counts.
    if (data?.type === 'shell') heard = heard.then(() => hear(data));
  });
  workers.addEventListener('controllerchange', keep);
  addEventListener('online', keep);
  keep();
};

/** Whether the app opens offline, checked when first shown and whenever the page becomes visible. */
export const useAppKept = (): AppKept => {
  const state = useSyncExternalStore(known.subscribe, known.get);
  useEffect(() => {
    const look = () => void (document.visibilityState === 'visible' && checkAppKept());
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return state;
};

/** The progress of storing the app, as text; null once complete. */
export const appKeptWords = (app: AppKept): string | null => {
  switch (app.state) {
    case 'kept':
      return null;
    case 'looking':
      return 'Checking what is on this device';
    case 'none':
      return 'This browser cannot store the app for offline use';
    case 'keeping':
      if (app.trouble === 'full') return 'This device does not have enough space for the app';
      if (app.needed <= 0) return 'Keeping the app';
      return `Keeping the app: ${app.kept} of ${app.needed} files${app.trouble ? '. It continues when there is a connection' : ''}`;
  }
};
