import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { launchOptions } from '#tests/support/chromium.ts';

/** Builds the page that campaigns control; returns its folder, for the server's APP_DIR. */
export const buildHarness = async (define: Record<string, string> = {}): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-harness-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    root: new URL('.', import.meta.url).pathname,
    define,
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023' },
  });
  return folder;
};

type Status = { pid: number; parent: number };
const processes = (): Status[] =>
  readdirSync('/proc')
    .filter((n) => /^\d+$/.test(n))
    .flatMap((n) => {
      try {
        const stat = readFileSync(`/proc/${n}/stat`, 'utf8');
        return [{ pid: Number(n), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
      } catch {
        return [];
      }
    });
const treeOf = (root: number): number[] => {
  const all = processes();
  const tree = [root];
  for (const pid of tree) tree.push(...all.filter((p) => p.parent === pid).map((p) => p.pid));
  return tree;
};
const signal = (pid: number, name: 'SIGSTOP' | 'SIGKILL') => {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
};

/** A browser whose profile survives being killed. */
export class KillableBrowser {
  readonly profile = mkdtempSync(join(tmpdir(), 'lantern-profile-'));
  private context: BrowserContext | null = null;
  page!: Page;
  /** Opens a page: that of the campaigns, unless `ready` waits for another. */
  async launch(url: string, ready: (page: Page) => Promise<unknown> = (page) => page.waitForFunction(() => 'harness' in window)): Promise<Page> {
    this.context = await chromium.launchPersistentContext(this.profile, { ...launchOptions, locale: 'en-GB', timezoneId: 'Europe/London' });
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
    await this.page.goto(url);
    await ready(this.page);
    return this.page;
  }
  private root(): number {
    const pid = readdirSync('/proc')
      .filter((n) => /^\d+$/.test(n))
      .find((n) => {
        try {
          const line = readFileSync(`/proc/${n}/cmdline`, 'utf8').split('\0');
          return line.some((a) => a === `--user-data-dir=${this.profile}`) && !line.some((a) => a.startsWith('--type='));
        } catch {
          return false;
        }
      });
    if (!pid) throw new Error('the browser is not running');
    return Number(pid);
  }
  /** Suspends all its processes, then kills them. */
  async killTree(): Promise<void> {
    const tree = treeOf(this.root());
    for (const pid of tree) signal(pid, 'SIGSTOP');
    for (const pid of tree) signal(pid, 'SIGKILL');
    await this.gone();
  }
  /** Kills only the main process; the others notice. */
  async killBrowser(): Promise<void> {
    signal(this.root(), 'SIGKILL');
    await this.gone();
  }
  private async gone(): Promise<void> {
    await this.context?.close().catch(() => undefined);
    this.context = null;
  }
  async close(): Promise<void> {
    await this.gone();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
