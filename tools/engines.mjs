import { ensureBuilt, ensureEngines, ensurePackages, run } from './setup.mjs';

/** `npm run engines [-- webkit|firefox]`: installs what is missing and runs the offline scenarios in WebKit and Firefox. */
ensurePackages();
const why = ensureEngines();
if (why) {
  console.error(`WebKit and Firefox cannot be used: ${why}.`);
  process.exit(1);
}
ensureBuilt();
process.exit(run('node', ['tests/engines/run.ts', ...process.argv.slice(2)]));
