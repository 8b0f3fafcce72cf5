/** Unfinished transactions of this page. */
const running = new Set<IDBTransaction>();

/** Whether a page that was left keeps its locks: WebKit suspends it for the back-forward cache. */
const keepsLocks = () => 'document' in globalThis && ((globalThis.navigator as { vendor?: string }).vendor ?? '').startsWith('Apple');
let listening = false;

const follow = (begun: IDBTransaction): IDBTransaction => {
  running.add(begun);
  for (const end of ['complete', 'abort']) begun.addEventListener(end, () => running.delete(begun));
  return begun;
};

/**
 * Aborts unfinished transactions when the page is suspended, because the next page would wait for them for ever. Nothing reported
 * as saved is lost: that is only reported after completion.
 */
export const releaseWhenLeft = (request: IDBOpenDBRequest): void => {
  if (!keepsLocks()) return;
  request.addEventListener('upgradeneeded', () => request.transaction && follow(request.transaction));
  request.addEventListener('success', () => {
    const db = request.result;
    const begin = db.transaction.bind(db);
    db.transaction = (...args: Parameters<IDBDatabase['transaction']>) => follow(begin(...args));
  });
  if (listening) return;
  listening = true;
  addEventListener('pagehide', (event) => {
    if (!(event as Event & { persisted: boolean }).persisted) return;
    for (const begun of running) {
      try {
        begun.abort();
      } catch {
        // It is already being completed.
      }
    }
  });
};
