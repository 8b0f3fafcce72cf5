/** Values whose loss would show the wrong sign-in state. See `access/kept-twice.ts`. */
export const storedKeys = {
  keptTwice: ['authUser', 'actingAs', 'graphQLActingAs', 'sessionEnding', 'leaving', 'unsealed', 'handedOver', 'signedInHere'],
} as const;

const watchers = new Set<(key: string) => void>();
const tellers = new Set<() => void>();

/** Called for each value that this tab changes. */
export const watchStored = (watcher: (key: string) => void): void => void watchers.add(watcher);
/** Call after the stored values were changed directly. */
export const tellStored = (): void => {
  for (const tell of tellers) tell();
};

/** An observable value in local storage. A value that cannot be parsed counts as absent. */
export const storedValue = <T>(key: string) => {
  const listeners = new Set<() => void>();
  let cached: { text: string | null; value: T | null } | null = null;
  const get = (): T | null => {
    const text = localStorage.getItem(key);
    if (cached?.text === text) return cached.value;
    let value: T | null = null;
    try {
      value = text === null ? null : (JSON.parse(text) as T);
    } catch {
      value = null;
    }
    cached = { text, value };
    return value;
  };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  tellers.add(tell);
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) tell();
  });
  return {
    get,
    set: (value: T | null) => {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(value));
      for (const watcher of watchers) watcher(key);
      tell();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};
