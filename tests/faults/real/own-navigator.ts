/** Gives a thread its own locks, separate from other devices. Import before anything of the app. */
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
