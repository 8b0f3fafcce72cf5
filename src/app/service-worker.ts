import type { Workbox } from 'workbox-window';
import { whenContractHeard } from '#src/api/transport.ts';
import { followShell, noteNoWorker } from '#src/device/app-kept.ts';
import { observable } from '#src/lib/observable.ts';
import { storedValue } from '#src/lib/stored-value.ts';
import { whenIdle } from '#src/lib/when-idle.ts';

/** The waiting new version, if there is one: calling it goes over to it. */
export const waitingVersion = observable<null | (() => void)>(null);

const askAgainMs = 2000;
const startAgainMs = 8000;
/** Of this tab: the person agreed to the new version, and the page was loaded again before it could take over. */
const agreedKey = 'update-agreed';

/**
 * Asks the waiting version to take over and loads the page again when it has. Asked once, a browser under load may not
 * hear it; and it waits for what the old version is still busy with for this page, which loading again ends.
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

/** The contract of a server that this app was not built for, where no newer app could be loaded; null otherwise. */
export const otherContract = observable<string | null>(null);
/** The last such contract that somebody here was told of and has read: it is not told again. */
export const otherContractRead = storedValue<string>('otherContractRead');

/** Without a worker, the page itself is what is newer. */
const pageIsNewer = async (): Promise<boolean> => {
  const page = await fetch('/index.html', { cache: 'no-store' }).then((answer) => answer.text());
  const app = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src');
  const newer = !!app && page.includes('type="module"') && !page.includes(app);
  if (newer) waitingVersion.set(() => location.reload());
  return newer;
};

let noteRegistered = () => {};
/** The browser has a worker of this app, or has refused one. */
const registered = new Promise<void>((resolve) => {
  noteRegistered = resolve;
});

/** Looks for a newer version now, which is offered once it is stored. False if there is none that could be loaded. */
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
 * The server tells with each answer which contract it has (decision 058). Another one than this app's has it look for a newer
 * version, once for each; nothing is loaded again by itself.
 */
export const followContract = () => {
  const own: string | undefined = import.meta.env.VITE_CONTRACT;
  if (own === undefined || !import.meta.env.PROD) return;
  // While servers are being replaced, answers of both versions come in turns.
  const known = new Set([own]);
  whenContractHeard((contract) => {
    if (known.has(contract)) return;
    known.add(contract);
    // A connection that broke meanwhile: the worker looks again later.
    findVersion().then(
      (found) => otherContract.set(found ? null : contract),
      () => undefined,
    );
  });
};

/** Registers the worker; a new version waits until the person agrees, and unsent work stays in its database through it. */
export const registerServiceWorker = () => {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return noteRegistered();
  void import('workbox-window').then(({ Workbox }) => {
    const workbox = new Workbox('/sw.js');
    const wasAgreed = sessionStorage.getItem(agreedKey) !== null;
    sessionStorage.removeItem(agreedKey);
    // It took over while this page was being loaded by the old one.
    if (wasAgreed) navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    workbox.addEventListener('waiting', ({ wasWaitingBeforeRegister }) => {
      if (wasAgreed && wasWaitingBeforeRegister) workbox.messageSkipWaiting();
      waitingVersion.set(() => goOver(workbox));
    });
    navigator.serviceWorker.addEventListener('message', (event) => {
      if ((event.data as { type?: string } | null)?.type === 'wake') dispatchEvent(new Event('lantern:wake'));
    });
    // Without a connection it is tried again; what the browser refuses stays refused.
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
