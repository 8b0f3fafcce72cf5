/** Debian’s Chromium without its own window and menus: the same pages, no installed apps. */
export const shellPath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/** Launch options for Debian's Chromium, in tests and benchmarks. CHROMIUM names another. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
