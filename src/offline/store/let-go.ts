/** What was begun on this page's databases and is not done. */
const running = new Set<IDBTransaction>();

/** Whether a page that is left keeps its locks: WebKit puts it aside as it is, to be shown again when somebody goes back. */
const keepsLocks = () => 'document' in globalThis && ((globalThis.navigator as { vendor?: string }).vendor ?? '').startsWith('Apple');
let listening = false;

const follow = (begun: IDBTransaction): IDBTransaction => {
  running.add(begun);
  for (const end of ['complete', 'abort']) begun.addEventListener(end, () => running.delete(begun));
  return begun;
};

/**
 * Lets go of the database that a request opens when its page is put aside, by ending what is not done: whoever opens it next
 * would wait for that without end. Nothing that was said to be saved is lost, as that is said only when it is done.
 */
export const letGoWhenLeft = (request: IDBOpenDBRequest): void => {
  if (!keepsLocks()) return;
  request.addEventListener('upgradeneeded', () => request.transaction && follow(request.transaction));
  request.addEventListener('success', () => {
    const db = request.result;
    const begin = db.transaction.bind(db);
    db.transaction = (...given: Parameters<IDBDatabase['transaction']>) => follow(begin(...given));
  });
  if (listening) return;
  listening = true;
  addEventListener('pagehide', (event) => {
    if (!(event as Event & { persisted: boolean }).persisted) return;
    for (const begun of running) {
      try {
        begun.abort();
      } catch {
        // It is being completed.
      }
    }
  });
};
