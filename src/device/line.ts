import { useEffect, useSyncExternalStore } from 'react';
import { request, slowRequests, whenHeard, whenSlow } from '#src/api/transport.ts';
import { observable } from '#src/lib/observable.ts';
import { serverIsLate } from '#src/lib/server-is-late.ts';

/** Whether the server was reached at the last attempt. The browser's own online state is only a reason to try. */
const line = observable(globalThis.navigator?.onLine !== false);
let heardAt = 0;
whenHeard((how) => {
  heardAt = Date.now();
  serverIsLate.set(how === 'late');
  // A slow server is not a lost connection: a short question tells them apart.
  if (how === 'late') checkServer();
  else line.set(how === 'reached');
});

const askAgainMs = 15_000;
const quietMs = 30_000;
let isChecking = false;
const checkServer = () => {
  if (isChecking) return;
  isChecking = true;
  void request('GET', '/check', { timeoutMs: 10_000 })
    .then((answer) => {
      if (answer.kind !== 'unreachable' || answer.reason !== 'timeout') return;
      serverIsLate.set(false);
      line.set(false);
    })
    .finally(() => {
      isChecking = false;
    });
};

let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const look = () => {
  if (document.visibilityState === 'visible' && (!line.get() || Date.now() - heardAt > quietMs)) checkServer();
};
const setOffline = () => line.set(false);

/** Whether the server was reached at the last attempt. */
export const hasLine = line.get;

/** Whether the server can be reached; retried while it does not respond and the state is shown. */
export const useLine = (): boolean => {
  useEffect(() => {
    if (watchers++ === 0) {
      timer = setInterval(look, askAgainMs);
      addEventListener('online', checkServer);
      addEventListener('offline', setOffline);
      document.addEventListener('visibilitychange', look);
    }
    return () => {
      if (--watchers > 0) return;
      clearInterval(timer);
      removeEventListener('online', checkServer);
      removeEventListener('offline', setOffline);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return useSyncExternalStore(line.subscribe, line.get);
};

/** Calls a listener whenever that changes. */
export const watchLine = line.subscribe;

/** Whether the server is slow: a request has waited for long, or was not answered in time. */
export const useSlowServer = (): boolean => {
  const waiting = useSyncExternalStore(whenSlow, () => slowRequests() > 0);
  return useSyncExternalStore(serverIsLate.subscribe, serverIsLate.get) || waiting;
};
