import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Needed by every command before it can start. Plain JavaScript, which runs on any Node version. */
export const root = fileURLToPath(new URL('..', import.meta.url));
export const bin = join(root, 'node_modules', '.bin');

/** An environment with the project's Node and tools first in PATH. */
export const environment = (more = {}) => ({ ...process.env, PATH: `${bin}:${process.env.PATH}`, ...more });

export const run = (command, args, options = {}) => {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment(), ...options });
  if (done.error) throw done.error;
  return done.status ?? 1;
};
/** The same, running concurrently. */
export const runBeside = (command, args, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env });
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
const must = (command, args, options) => {
  const status = run(command, args, options);
  if (status !== 0) {
    console.error(`\n${command} ${args.join(' ')} failed.`);
    process.exit(status);
  }
};

/** The same, quietly: what it says is shown only if it fails. */
const mustQuietly = (command, args) => {
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  if (done.status === 0) return;
  console.error(`${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}\n${command} ${args.join(' ')} failed.`);
  process.exit(done.status ?? 1);
};

/** Installs packages if they are missing or the lock file has changed. */
export const ensurePackages = () => {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const mark = join(root, 'node_modules', '.lantern-lock');
  if (existsSync(join(bin, 'node')) && existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  console.log('Installing packages …');
  must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: process.env });
  writeFileSync(mark, lock);
};

const newestIn = (path) => {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
};

/** Builds the app and the players if a source is newer than the build. */
export const ensureBuilt = () => {
  const isNewer = (built, sources) => existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map((path) => newestIn(join(root, path))));
  const shared = ['contract', 'package-lock.json'];
  if (
    !isNewer(join(root, 'dist', 'sw.js'), [...shared, 'src', 'sw', 'public', 'index.html', 'vite.config.ts', 'postcss.config.cjs', 'docs/generated'])
  ) {
    console.log('Building the app …');
    mustQuietly('vite', ['build', '--logLevel', 'warn']);
  }
  if (!isNewer(join(root, 'dist-content', 'player', 'scorm.html'), [...shared, 'player', 'sw', 'vite.content.config.ts'])) {
    console.log('Building the players of course packages …');
    mustQuietly('vite', ['build', '--config', 'vite.content.config.ts', '--logLevel', 'warn']);
  }
};

const which = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
const postgresFolder = () =>
  existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql')
        .map((v) => `/usr/lib/postgresql/${v}/bin`)
        .find((p) => existsSync(join(p, 'initdb')))
    : undefined;

const mayInstall = () => process.getuid?.() === 0 && which('apt-get');
const install = (packages) => {
  console.log(`Installing ${packages.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  must('apt-get', ['update', '-qq'], { env });
  must('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
};

/** Installs the tests' system packages: Chromium and PostgreSQL. */
export const ensureTestTools = () => {
  const missing = [...['chromium', 'chromium-headless-shell'].filter((name) => !which(name)), ...(postgresFolder() ? [] : ['postgresql'])];
  if (missing.length === 0) return;
  if (!mayInstall()) {
    console.error(`The tests need ${missing.join(' and ')}. Install with: sudo apt-get install ${missing.join(' ')}`);
    process.exit(1);
  }
  install(missing);
};

const hasTypelib = (name) =>
  existsSync('/usr/lib') && readdirSync('/usr/lib').some((folder) => existsSync(`/usr/lib/${folder}/girepository-1.0/${name}.typelib`));

/** Installs WebKitGTK and Firefox with their drivers. Returns why they are unavailable, or null. */
export const ensureEngines = () => {
  const missing = [
    ...(which('firefox-esr') ? [] : ['firefox-esr']),
    ...(which('WebKitWebDriver') ? [] : ['webkit2gtk-driver']),
    ...(which('gjs') ? [] : ['gjs']),
    ...(hasTypelib('WebKit2-4.1') ? [] : ['gir1.2-webkit2-4.1']),
    ...(which('Xvfb') ? [] : ['xvfb']),
  ];
  if (missing.length === 0) return null;
  if (!existsSync('/etc/debian_version')) return 'the other engines are installed from Debian’s packages, and this is another system';
  if (!mayInstall()) return `they need ${missing.join(', ')}. Install with: sudo apt-get install ${missing.join(' ')}`;
  install(missing);
  return null;
};
