import type { Workbox } from 'workbox-window';
import { followShell, noteNoWorker } from '#src/device/app-kept.ts';
import { observable } from '#src/lib/observable.ts';
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

/** Registers the worker; a new version waits until the person agrees, and unsent work stays in its database through it. */
export const registerServiceWorker = () => {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
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
      void workbox.register().catch((error: Error) => {
        if (['SecurityError', 'NotSupportedError', 'InvalidStateError'].includes(error.name)) noteNoWorker();
        else addEventListener('online', register, { once: true });
      });
    register();
    followShell(navigator.serviceWorker, whenIdle);
    const look = () => void workbox.update().catch(() => undefined);
    setInterval(look, 30 * 60_000);
    addEventListener('online', look);
  });
};
