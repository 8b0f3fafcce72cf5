import { observable } from '#src/lib/observable.ts';

/** The waiting new version, if there is one. */
export const waitingVersion = observable<null | (() => void)>(null);

/** Registers the worker; a new version waits until the person agrees, and unsent work stays in its database through it. */
export const registerServiceWorker = () => {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  void import('workbox-window').then(({ Workbox }) => {
    const workbox = new Workbox('/sw.js');
    workbox.addEventListener('waiting', () => {
      waitingVersion.set(() => {
        workbox.addEventListener('controlling', () => location.reload());
        workbox.messageSkipWaiting();
      });
    });
    navigator.serviceWorker.addEventListener('message', (event) => {
      if ((event.data as { type?: string } | null)?.type === 'wake') dispatchEvent(new Event('lantern:wake'));
    });
    void workbox.register().catch(() => undefined);
    const look = () => void workbox.update().catch(() => undefined);
    setInterval(look, 30 * 60_000);
    addEventListener('online', look);
  });
};
