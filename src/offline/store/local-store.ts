type LocalStore = { getItem(key: string): string | null; setItem(key: string, value: string): void; removeItem(key: string): void };

/** Local storage of a page; the service worker and some browsers have none. */
export const localStore = (): LocalStore | undefined => (globalThis as { localStorage?: LocalStore }).localStorage;
