import { useEffect, useSyncExternalStore } from 'react';
import { request, whenHeard } from '#src/api/transport.ts';
import { observable } from '#src/lib/observable.ts';

/** Whether the server was reached at the last attempt. The browser's own online state is only a reason to try. */
const line = observable(globalThis.navigator?.onLine !== false);
let heardAt = 0;
whenHeard((reached) => {
  heardAt = Date.now();
  line.set(reached);
});

const askAgainMs = 15_000;
const quietMs = 30_000;
const checkServer = () => void request('GET', '/check', { timeoutMs: 10_000 });

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
