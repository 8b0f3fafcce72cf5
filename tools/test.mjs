import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureEngines, ensurePackages, ensureTestTools, environment, root, run } from './setup.mjs';

/** `npm test`: installs what is missing and runs all checks and tests; the last line has the totals. */
ensurePackages();
ensureTestTools();
const noEngines = ensureEngines();
ensureBuilt();
const out = join(root, 'test-results', 'counts');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const failures = [];
if (run('node', ['tools/check.mjs', '--no-tests']) !== 0) failures.push('check');

const vitestFile = join(out, 'vitest.json');
if (run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestFile}`]) !== 0) failures.push('vitest');
const playwrightFile = join(out, 'playwright.json');
if (run('playwright', ['test', '--reporter=list,json'], { env: environment({ PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightFile }) }) !== 0)
  failures.push('playwright');

// Fault campaigns; each counts as one test.
const faultsFile = join(out, 'faults.json');
if (run('node', ['tests/faults/run.ts', 'all', '--ci', '--counts', faultsFile]) !== 0) failures.push('faults');

// One scenario each in WebKit and Firefox; `npm run engines` runs all.
const enginesFile = join(out, 'engines.json');
if (noEngines) console.log(`Skipped, WebKit and Firefox: ${noEngines}.`);
else if (run('node', ['tests/engines/run.ts', '--ci', '--counts', enginesFile]) !== 0) failures.push('engines');

/** Browser tests that failed at first, with the page's content at that time. */
const unstable = ({ suites = [], specs = [] }) => [
  ...suites.flatMap(unstable),
  ...specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ status, results }) =>
      status === 'flaky' || status === 'unexpected'
        ? [{ title, status, page: results[0]?.attachments.find((a) => a.name === 'error-context')?.path }]
        : [],
    ),
  ),
];
const mostLines = 120;

let passed = 0;
let failed = 0;
try {
  const unit = JSON.parse(readFileSync(vitestFile, 'utf8'));
  passed += unit.numPassedTests;
  failed += unit.numFailedTests;
  const browser = JSON.parse(readFileSync(playwrightFile, 'utf8'));
  passed += browser.stats.expected + browser.stats.flaky;
  failed += browser.stats.unexpected;
  for (const { title, status, page } of unstable(browser)) {
    console.log(`${status === 'flaky' ? 'Failed once, passed when it was repeated' : 'Failed'}: ${title}`);
    if (page && existsSync(page)) console.log(readFileSync(page, 'utf8').split('\n').slice(0, mostLines).join('\n'));
  }
  for (const { violations } of JSON.parse(readFileSync(faultsFile, 'utf8'))) {
    if (violations === 0) passed++;
    else failed++;
  }
  if (!noEngines) {
    const engines = JSON.parse(readFileSync(enginesFile, 'utf8'));
    passed += engines.passed;
    failed += engines.failed;
  }
} catch (error) {
  console.error(`The results could not be read: ${error.message}`);
  failures.push('results');
}
if (failures.length > 0) {
  console.error(`Failed: ${failures.join(', ')}`);
  failed = Math.max(failed, 1);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
