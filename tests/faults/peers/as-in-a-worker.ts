import '#tests/faults/real/own-navigator.ts';
import { registerHooks } from 'node:module';

/** What libraries made for browsers and bundlers expect to find. Imported before them. */
Object.assign(globalThis, { self: globalThis, registration: { scope: 'http://peer.test/' }, location: new URL('http://peer.test/') });
Object.assign(navigator, { userAgent: 'Chrome' });
// What they say of failures is counted, not printed.
process.env.NODE_ENV = 'production';
console.warn = () => undefined;
console.info = () => undefined;
registerHooks({
  resolve: (name, context, next) =>
    next(context.parentURL?.includes('/workbox-') && !/\.m?js$/.test(name) && !/^(workbox-[a-z-]+|idb)$/.test(name) ? `${name}.js` : name, context),
});
