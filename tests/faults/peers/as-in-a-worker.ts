import '#tests/faults/real/own-navigator.ts';
import { registerHooks } from 'node:module';

/** Globals that libraries for browsers and bundlers expect. Import before them. */
Object.assign(globalThis, { self: globalThis, registration: { scope: 'http://peer.test/' }, location: new URL('http://peer.test/') });
Object.assign(navigator, { userAgent: 'Chrome' });
// Suppresses their error output; failures are counted.
process.env.NODE_ENV = 'production';
console.warn = () => undefined;
console.info = () => undefined;
registerHooks({
  resolve: (name, context, next) =>
    next(context.parentURL?.includes('/workbox-') && !/\.m?js$/.test(name) && !/^(workbox-[a-z-]+|idb)$/.test(name) ? `${name}.js` : name, context),
});
