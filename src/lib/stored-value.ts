/** Those whose loss would show somebody as signed out who is not, or the other way round. See `access/kept-twice.ts`. */
export const storedKeys = { keptTwice: ['authUser', 'actingAs', 'graphQLActingAs', 'sessionEnding', 'leaving', 'unsealed'] } as const;

const watchers = new Set<(key: string) => void>();
const tellers = new Set<() => void>();

/** Is told of each value that this tab changes. */
export const watchStored = (watcher: (key: string) => void): void => void watchers.add(watcher);
/** The values were changed behind their backs. */
export const tellStored = (): void => {
  for (const tell of tellers) tell();
};

/** A value in local storage that several places watch. What cannot be read back counts as absent. */
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
