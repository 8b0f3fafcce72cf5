import { build } from 'vite';
import type { BrowserContext } from '@playwright/test';

/** Puts modules of the app into a page, as `window.app`, built as the app builds them. */
export const withApp = async (context: BrowserContext, origin: string) => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: new URL('./in-page-entry.ts', import.meta.url).pathname, formats: ['es'] },
      rollupOptions: { output: { inlineDynamicImports: true } },
    },
  });
  const code = (built as unknown as { output: { code: string }[] }[])[0]?.output[0]?.code as string;
  await context.route(`${origin}/bench.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  await context.route(`${origin}/bench`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title><script type="module" src="/bench.js"></script>' }),
  );
  const page = await context.newPage();
  await page.goto(`${origin}/bench`);
  await page.waitForFunction(() => 'app' in window);
  return page;
};
