import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBuilt, ensureEngines, ensurePackages, ensureTestTools, environment, root, runBeside } from './setup.mjs';

/** `npm test`: installs what is missing and runs all checks and tests; the last line has the totals. */
ensurePackages();
ensureTestTools();
const noEngines = ensureEngines();
ensureBuilt();
const out = join(root, 'test-results', 'counts');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
/**
 * Where tests put what lives as long as they do: in memory, where there is room. A test’s database is 1,200 files, copied for it; on a disk
 * that takes PostgreSQL most of its processor time.
 */
const room = 8e9;
const inMemory = '/dev/shm';
const hasRoom = () => {
  if (!existsSync(inMemory)) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= room;
};
const temporary = mkdtempSync(join(hasRoom() ? inMemory : tmpdir(), 'lantern-tests-'));
// PostgreSQL runs as another user.
chmodSync(temporary, 0o755);
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const failures = [];
const seconds = [];
/** Runs parts of the tests side by side, and records their time under one name. */
const stage = async (name, ...parts) => {
  const started = Date.now();
  await Promise.all(
    parts.map(async ([part, command, args, more]) => {
      if ((await runBeside(command, args, environment({ TMPDIR: temporary, ...more }))) !== 0) failures.push(part);
    }),
  );
  seconds.push(`${name} ${Math.round((Date.now() - started) / 1000)}`);
};
const vitest = (file, ...projects) => [
  'vitest',
  'vitest',
  ['run', ...projects.flatMap((p) => ['--project', p]), '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
];
/** Fault campaigns; each counts as one test. */
const campaigns = (file, part) => ['faults', 'node', ['tests/faults/run.ts', 'all', '--ci', '--part', part, '--counts', file]];
const [vitestFile, timedFile, playwrightFile, waitingFile, restFile, enginesFile] = [
  'vitest',
  'timed',
  'playwright',
  'waiting',
  'rest',
  'engines',
].map((name) => join(out, `${name}.json`));

await stage('checks', ['check', 'node', ['tools/check.mjs', '--no-tests']]);
// Neither of these keeps two processors busy all the time.
await stage(
  'unit and database tests beside campaigns that wait',
  vitest(vitestFile, 'unit', 'pglite', 'postgres*'),
  campaigns(waitingFile, 'waiting'),
);
await stage('tests that measure times', vitest(timedFile, 'timed'));
await stage('browser tests', ['playwright', 'playwright', ['test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightFile }]);
await stage('other campaigns', campaigns(restFile, 'rest'));
// One scenario each in WebKit and Firefox; `npm run engines` runs all.
if (noEngines) console.log(`Skipped, WebKit and Firefox: ${noEngines}.`);
else await stage('WebKit and Firefox', ['engines', 'node', ['tests/engines/run.ts', '--ci', '--counts', enginesFile]]);

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

/** Failed tests of vitest, and files that could not run, with the beginning of their output. */
const failedTests = ({ testResults }) =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const found = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(root, name);
    if (status === 'failed' && found.length === 0) return [`${file}: ${beginning(message)}`];
    return found.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${beginning(failureMessages.join('\n'))}`);
  });
const beginning = (text = '') =>
  text
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .slice(0, 12)
    .join('\n');

/** Printed last: of a long log, often only the end is kept. */
const failedNames = [];
let passed = 0;
let failed = 0;
try {
  for (const file of [vitestFile, timedFile]) {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    passed += results.numPassedTests;
    failed += results.numFailedTests;
    failedNames.push(...failedTests(results));
  }
  const browser = JSON.parse(readFileSync(playwrightFile, 'utf8'));
  passed += browser.stats.expected + browser.stats.flaky;
  failed += browser.stats.unexpected;
  for (const { title, status, page } of unstable(browser)) {
    console.log(`${status === 'flaky' ? 'Failed once, passed when it was repeated' : 'Failed'}: ${title}`);
    if (page && existsSync(page)) console.log(readFileSync(page, 'utf8').split('\n').slice(0, mostLines).join('\n'));
  }
  for (const { campaign, violations, said } of [waitingFile, restFile].flatMap((file) => JSON.parse(readFileSync(file, 'utf8')))) {
    if (violations === 0) passed++;
    else failed++;
    if (violations > 0) failedNames.push(`campaign ${campaign}: ${said.map(beginning).join('\n')}`);
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
for (const what of failedNames) console.log(`Failed: ${what}`);
if (failures.length > 0) {
  console.error(`Failed: ${failures.join(', ')}`);
  failed = Math.max(failed, 1);
}
console.log(`Seconds: ${seconds.join(', ')}.`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
