import type { Workbox } from 'workbox-window';
import { currentUser, watchSession } from '#src/access/session.ts';
import { whenContractHeard } from '#src/api/transport.ts';
import { followShell, noteNoWorker } from '#src/device/app-kept.ts';
import { observable } from '#src/lib/observable.ts';
import { storedValue } from '#src/lib/stored-value.ts';
import { whenIdle, whenPageIsShown } from '#src/lib/when-idle.ts';

/** Activates the waiting new version, if there is one. */
export const waitingVersion = observable<null | (() => void)>(null);

const askAgainMs = 2000;
const startAgainMs = 8000;
/** For this tab: the person accepted the new version, and the page was reloaded before it could take over. */
const agreedKey = 'update-agreed';

/**
 * Asks the waiting version to take over and reloads the page when it has. Repeated, because a busy browser may miss one
 * message; and because it waits for the old version's work for this page, which reloading ends.
 */
const goOver = (workbox: Workbox) => {
  const asking = setInterval(() => workbox.messageSkipWaiting(), askAgainMs);
  const givingUp = setTimeout(() => {
    sessionStorage.setItem(agreedKey, '1');
    location.reload();
  }, startAgainMs);
  workbox.addEventListener('controlling', () => {
    clearInterval(asking);
    clearTimeout(givingUp);
    location.reload();
  });
  workbox.messageSkipWaiting();
};

/** The contract of a server for which this app was not built, if no newer app could be loaded; null otherwise. */
export const otherContract = observable<string | null>(null);
/** The last such contract whose message was dismissed: it is not shown again. */
export const otherContractRead = storedValue<string>('otherContractRead');

/** Without a worker, reloading the page loads the newer version. */
const pageIsNewer = async (): Promise<boolean> => {
  const page = await fetch('/index.html', { cache: 'no-store' }).then((answer) => answer.text());
  const app = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src');
  const newer = !!app && page.includes('type="module"') && !page.includes(app);
  if (newer) waitingVersion.set(() => location.reload());
  return newer;
};

let noteRegistered = () => {};
/** The browser has a worker of this app, or has refused to install one. */
const registered = new Promise<void>((resolve) => {
  noteRegistered = resolve;
});

/** Looks for a newer version now, which is offered once it is stored. Returns false if none could be loaded. */
const findVersion = async (): Promise<boolean> => {
  await registered;
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.active) return pageIsNewer();
  await registration.update();
  const { installing } = registration;
  if (installing)
    await new Promise<void>((resolve) => {
      installing.addEventListener('statechange', () => resolve(), { once: true });
    });
  return registration.waiting !== null;
};

/**
 * Each answer of the server has the fingerprint of its contract (decision 058). If it differs from this app's, look for a newer
 * version, once per fingerprint; nothing is reloaded automatically.
 */
export const followContract = () => {
  const ownContract: string | undefined = import.meta.env.VITE_CONTRACT;
  if (ownContract === undefined || !import.meta.env.PROD) return;
  // While servers are being replaced, answers of both versions alternate.
  const known = new Set([ownContract]);
  whenContractHeard((contract) => {
    if (known.has(contract)) return;
    known.add(contract);
    // The connection was lost meanwhile: the worker looks again later.
    findVersion().then(
      (found) => otherContract.set(found ? null : contract),
      () => undefined,
    );
  });
};

const installsWithinMs = 30_000;
const takesOverWithinMs = 10_000;
const within = (ms: number, work: Promise<unknown>) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);
const stateOf = (worker: ServiceWorker, state: ServiceWorkerState) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (worker.state === state || worker.state === 'redundant') resolve();
    };
    worker.addEventListener('statechange', look);
    look();
  });

/**
 * Loads this address again in the newest version that can be loaded. A page whose version is no longer on the server cannot open a
 * screen that it has not stored, however often it is reloaded: the worker answers with the same page.
 */
export const reloadNewest = async (): Promise<void> => {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (registration) {
    await within(
      installsWithinMs,
      registration.update().catch(() => undefined),
    );
    if (registration.installing) await within(installsWithinMs, stateOf(registration.installing, 'installed'));
    const { waiting } = registration;
    if (waiting) {
      waiting.postMessage({ type: 'SKIP_WAITING' });
      await within(takesOverWithinMs, stateOf(waiting, 'activated'));
    } else if (await pageIsNewer().catch(() => false)) await registration.unregister();
  }
  location.reload();
};

/** Registers the worker again, after the browser has emptied this site's storage with the worker and the app's files in it. */
export const registerAgain = (): void => {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  navigator.serviceWorker.register('/sw.js').catch(() => addEventListener('online', registerAgain, { once: true }));
};

/** After this time also a page on which nobody signs in is stored. */
const nobodySignsInMs = 20_000;

/**
 * Registers the first worker once the page that somebody came for can be used: after sign-in the home page. What the worker stores is the
 * whole app, and on a thin connection it would take that from the page.
 */
export const registerOnceUsable = () => {
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    whenPageIsShown(registerServiceWorker, 60_000);
  };
  if (currentUser()) begin();
  else {
    watchSession(() => {
      if (currentUser()) begin();
    });
    setTimeout(begin, nobodySignsInMs);
  }
};

/** Registers the worker; a new version waits until the person agrees, and unsent work stays in its database through it. */
export const registerServiceWorker = () => {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return noteRegistered();
  void import('workbox-window').then(({ Workbox }) => {
    const workbox = new Workbox('/sw.js');
    const wasAgreed = sessionStorage.getItem(agreedKey) !== null;
    sessionStorage.removeItem(agreedKey);
    // It took over while the old one was loading this page.
    if (wasAgreed) navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    workbox.addEventListener('waiting', ({ wasWaitingBeforeRegister }) => {
      if (wasAgreed && wasWaitingBeforeRegister) workbox.messageSkipWaiting();
      waitingVersion.set(() => goOver(workbox));
    });
    navigator.serviceWorker.addEventListener('message', (event) => {
      if ((event.data as { type?: string } | null)?.type === 'wake') dispatchEvent(new Event('lantern:wake'));
    });
    // Offline this is retried; a refusal by the browser is final.
    const register = () =>
      void workbox.register().then(noteRegistered, (error: Error) => {
        if (['SecurityError', 'NotSupportedError', 'InvalidStateError'].includes(error.name)) {
          noteNoWorker();
          noteRegistered();
        } else addEventListener('online', register, { once: true });
      });
    register();
    followShell(navigator.serviceWorker, whenIdle);
    const look = () => void workbox.update().catch(() => undefined);
    setInterval(look, 30 * 60_000);
    addEventListener('online', look);
  });
};
