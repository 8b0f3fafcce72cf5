import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { build } from 'vite';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Answers a page of this folder under `/bench/`, built as the app is built. */
export const servePage = async (context: BrowserContext, origin: string, name: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-bench-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    root: new URL(`./${name}/`, import.meta.url).pathname,
    base: '/bench/',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023' },
  });
  await context.route(`${origin}/bench/**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice('/bench/'.length) || 'index.html';
    return route.fulfill({ contentType: types[extname(path)] ?? 'application/octet-stream', body: readFileSync(join(folder, path)) });
  });
};

/** Puts modules of the app into a page, as `window.app`, with the second journal's worker. */
export const withApp = async (context: BrowserContext, origin: string) => {
  await servePage(context, origin, 'page');
  const page = await context.newPage();
  await page.goto(`${origin}/bench/`);
  await page.waitForFunction(() => 'app' in window);
  return page;
};
