/** A thread that plays a device has no locks in common with the other devices. Imported before anything of the app. */
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
