import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** The content origin: the players and its worker, a small site of its own that shares nothing with the app but the contract. */
export default defineConfig({
  root: 'player',
  base: '/player/',
  publicDir: false,
  // The styles of the H5P core still speak to Internet Explorer.
  css: { lightningcss: { errorRecovery: true } },
  plugins: [
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '../sw',
      filename: 'content-sw.ts',
      injectRegister: false,
      manifest: false,
      // Of the fonts of the H5P core only those that are its icons: letters can be the device's.
      injectManifest: {
        globPatterns: ['**/*.{js,html,css,gif,svg}', '**/h5p-*.woff2'],
        // The worker verifies the players before each use: packages can write to every cache of their origin.
        manifestTransforms: [
          async (entries) => ({
            manifest: entries
              .filter(({ url }) => url !== 'content-sw.js')
              .map(({ url }) => ({
                url: `/player/${url}`,
                hash: createHash('sha256')
                  .update(readFileSync(new URL(`dist-content/player/${url}`, import.meta.url)))
                  .digest('hex'),
              })) as never,
          }),
        ],
      },
    }),
  ],
  build: {
    outDir: '../dist-content/player',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['player/scorm.html', 'player/h5p.html', 'player/keeper.html'] },
  },
});
