import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** The content origin: the players and its worker, a small site of its own that shares nothing with the app but the contract. */
export default defineConfig({
  root: 'player',
  base: '/player/',
  publicDir: false,
  plugins: [
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '../sw',
      filename: 'content-sw.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: { globPatterns: ['**/*.{js,html}'], modifyURLPrefix: { '': '/player/' } },
    }),
  ],
  build: {
    outDir: '../dist-content/player',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rollupOptions: { input: ['player/scorm.html', 'player/keeper.html'] },
  },
});
