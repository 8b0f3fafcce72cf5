import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defaultWhitelabel } from './contract/entities/whitelabel-defaults.ts';
import { contractFingerprint } from './server/http/contract-fingerprint.ts';
import { appParts, shellFiles } from './tools/app-files.ts';

const appGroups = appParts.map(({ name, sources }, i) => ({ name, test: sources, priority: appParts.length - i }));
let outDir = 'dist';

export default defineConfig({
  plugins: [
    react(),
    {
      name: 'out-dir',
      configResolved: (config) => {
        outDir = resolve(config.root, config.build.outDir);
      },
    },
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      injectRegister: false,
      registerType: 'prompt',
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,png,woff2}'],
        // What writes workbooks and topics is fetched by who wants it.
        globIgnores: ['icons/screenshot-*', 'assets/sheet-*', 'assets/editor-*'],
        maximumFileSizeToCacheInBytes: 4_000_000,
        manifestTransforms: [
          async (entries) => ({
            manifest: shellFiles(
              outDir,
              entries.map((e) => `/${e.url}`),
            ) as never,
          }),
        ],
      },
      manifest: {
        id: '/',
        name: 'Lantern',
        short_name: 'Lantern',
        description: 'Learning and compliance for care organisations, that keeps working where the signal does not.',
        lang: 'en-GB',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: '#f5f7f8',
        theme_color: defaultWhitelabel.colours.primary,
        categories: ['education', 'productivity'],
        icons: [
          { src: '/icons/lantern-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icons/lantern-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icons/lantern-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icons/lantern.svg', sizes: 'any', type: 'image/svg+xml' },
        ],
      },
    }),
  ],
  define: { 'import.meta.env.VITE_CONTRACT': JSON.stringify(contractFingerprint) },
  server: { port: 5173, proxy: { '/api': 'http://localhost:3000', '/dev': 'http://localhost:3000', '/docs': 'http://localhost:3000' } },
  build: {
    target: 'es2022',
    sourcemap: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: appGroups } } },
  },
});
