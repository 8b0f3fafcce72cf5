import { spawnSync } from 'node:child_process';
import { ensureBuilt, ensurePackages, ensureTestTools, environment, root, run } from './setup.mjs';

/** `npm run check`: types, lint and format, import rules, dead code, generated files, commit subjects and unit tests. */
ensurePackages();
const steps = [
  ['types', 'npm', ['run', '-s', 'typecheck']],
  ['lint and format', 'npm', ['run', '-s', 'lint']],
  ['boundaries', 'npm', ['run', '-s', 'boundaries']],
  ['dead code', 'npm', ['run', '-s', 'dead-code']],
  ['generated files', 'npm', ['run', '-s', 'generate']],
];
if (!process.argv.includes('--no-tests')) {
  // Some start a server as the README does: with a build and a PostgreSQL.
  ensureTestTools();
  ensureBuilt();
  steps.push(['unit tests', 'npm', ['run', '-s', 'test:unit']]);
}
/** Commit subjects are limited to 72 characters after this commit. Histories without it are not checked. */
const subjectsFrom = '633b2f5cbd73ddb33a451e810d5d974fd54860fb';
const log = spawnSync('git', ['log', '--format=%h %s', `${subjectsFrom}..HEAD`], { cwd: root });
const tooLong =
  log.status === 0
    ? log.stdout
        .toString()
        .split('\n')
        .filter((line) => line.slice(line.indexOf(' ') + 1).length > 72)
    : [];
if (tooLong.length > 0) {
  console.error(`FAIL subjects of commits above 72 characters:\n${tooLong.join('\n')}`);
  process.exit(1);
}
// Dates and times are typed into the fields of `src/ui/date-field.tsx` (decision 048).
const browserFields = spawnSync('git', ['grep', '-nE', `type=\\{?["'](date|time|datetime-local|month|week)["']`, '--', 'src'], { cwd: root });
if (browserFields.status !== 1) {
  console.error(`FAIL the browser's own date or time field:\n${browserFields.stdout}${browserFields.stderr}`);
  process.exit(1);
}
const generated = ['docs/generated', 'src/api/generated'];
const stateOf = () =>
  spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...generated], { cwd: root })
    .stdout.toString()
    .split('\0')
    .filter(Boolean)
    .map((f) => `${f} ${spawnSync('git', ['hash-object', f], { cwd: root }).stdout}`)
    .join('');
const before = stateOf();
for (const [name, command, args] of steps) {
  const started = Date.now();
  const status = run(command, args, { env: environment() });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (status !== 0) process.exit(status);
}
if (stateOf() !== before) {
  console.error('FAIL generated files were out of date and have been rewritten. Commit them.');
  process.exit(1);
}
