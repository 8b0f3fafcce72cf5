import { defineConfig } from '@playwright/test';
import { launchOptions, shellPath } from './tests/support/chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/browser',
  // Each test has a server of its own: two run side by side.
  workers: 2,
  fullyParallel: false,
  // Once, so that one race on a busy machine does not hide what the other tests say: `npm test` names each test that needed it.
  retries: process.env.TRACE ? 0 : 1,
  // Longer than a test takes: on a machine that does other things as well, three times its usual time is nothing unusual.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  globalSetup: './tests/support/browser-setup.ts',
  use: {
    // What cannot be pressed for so long will not be: without it, a test waits for its whole time.
    actionTimeout: 60_000,
    locale: 'en-GB',
    // What moves takes processor time, and a test waits until it stands.
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'Europe/London',
    viewport: { width: 820, height: 1180 },
    // A trace costs every test a sixth of its time: TRACE=1 keeps those of tests that fail.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    // Chromium without a window of its own shows the same pages for three quarters of the work; campaigns and benchmarks use the whole.
    launchOptions: { ...launchOptions, executablePath: shellPath },
  },
});
