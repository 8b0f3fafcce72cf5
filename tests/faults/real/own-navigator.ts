/** A thread that plays a tablet has no locks in common with the other tablets. Imported before anything of the app. */
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
