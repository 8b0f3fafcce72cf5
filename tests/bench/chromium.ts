import { chromium } from '@playwright/test';
import { launchOptions } from '#tests/support/chromium.ts';

/** The browser as the tests use it. */
export const launch = () => chromium.launch(launchOptions);
