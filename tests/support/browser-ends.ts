import { statfsSync } from 'node:fs';
import { freemem, loadavg, tmpdir } from 'node:os';
import type { Browser, Page } from '@playwright/test';

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
const spaceOf = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder);
  return `${folder} ${megabytes(bavail * bsize)}`;
};

/**
 * Reports browsers and pages that end unexpectedly, with the available memory and disk space; drivers only report a closed
 * target. Returns what has ended so far, and how to stop before closing the browser.
 */
export const noteEnds = (browser: Browser, during: () => string): { ends: string[]; watch(page: Page): void; stop(): void } => {
  const ends: string[] = [];
  const note = (what: string) => {
    // Chromium ends if shared memory runs out.
    const had = [`memory ${megabytes(freemem())}`, spaceOf(tmpdir()), spaceOf('/dev/shm'), `load ${loadavg()[0]?.toFixed(1)}`].join(', ');
    ends.push(what);
    console.error(`${what} during ${during()}; free: ${had}`);
  };
  const ended = () => note('the browser ended');
  browser.on('disconnected', ended);
  return {
    ends,
    watch: (page) => void page.on('crash', () => note('the process of a page or of a frame in it ended')),
    stop: () => void browser.off('disconnected', ended),
  };
};
