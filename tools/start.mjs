import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bin, ensureBuilt, ensurePackages, environment, root } from './setup.mjs';

/** `npm start`: installs what is missing, builds and serves. With --dev: the server and Vite in watch mode. */
ensurePackages();
const dev = process.argv.includes('--dev');
if (!dev) ensureBuilt();
const env = environment(process.env.LOG_LEVEL ? {} : { LOG_LEVEL: 'warn' });
const children = [spawn(join(bin, 'node'), [...(dev ? ['--watch'] : []), 'server/main.ts'], { cwd: root, stdio: 'inherit', env })];
if (dev) children.push(spawn(join(bin, 'vite'), [], { cwd: root, stdio: 'inherit', env }));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
children[0].on('exit', (code) => {
  for (const child of children.slice(1)) child.kill();
  process.exit(code ?? 0);
});
