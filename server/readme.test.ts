import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

const root = new URL('..', import.meta.url).pathname;

/** The lines of the README that start a server in production. */
const deploying = () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const block = /## Deploying\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const lines = block.replaceAll('\\\n', ' ').trim().split('\n');
  const [build = '', start = ''] = lines;
  const settings = Object.fromEntries([...start.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name as string, value as string]));
  return { build, settings, command: start.replaceAll(/\b[A-Z_]+=\S+/g, '').trim() };
};

it('the lines of the README start a server in production that has all it needs', async () => {
  const { build, settings, command } = deploying();
  expect(build).toBe('npm ci && npm run build');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  // Both sites: without the second no course package plays.
  expect(scripts.build).toBe('vite build && vite build --config vite.content.config.ts');
  expect(existsSync(join(root, 'dist-content/player/scorm.html')), 'run npm run build first').toBe(true);
  expect(Object.keys(settings).sort()).toEqual(['DATABASE_URL', 'HOST', 'NODE_ENV', 'PUBLIC_URL', 'SMTP_URL', 'TLS_CERT', 'TLS_KEY']);

  const [program = '', ...args] = command.replace(/^npx /, '').split(' ');
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'lantern-readme-'));
  const [port, contentPort] = [await freePort(), await freePort()];
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    ...settings,
    ...{ HOST: '127.0.0.1', PORT: String(port), CONTENT_PORT: String(contentPort), DATA_DIR: folder, DATABASE_URL: postgres.url },
    // A certificate and a mail server are not at hand.
    ...{ TLS_CERT: '', TLS_KEY: '', SMTP_URL: '', PUBLIC_URL: `${settings.PUBLIC_URL}/` },
  };
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const said = await new Promise<string>((done, failed) => {
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => {
          text += part.toString();
          if (text.includes('Lantern is at')) done(text);
        });
      child.on('exit', () => failed(new Error(text)));
    });
    expect(said).toContain('Lantern is at https://learn.example.org\n');
    expect(said).toContain('SMTP_URL is not set');
    const ask = async (path: string, at = port, accept = '*/*') => {
      const answer = await fetch(`http://127.0.0.1:${at}${path}`, { headers: { accept } });
      return { status: answer.status, type: answer.headers.get('content-type')?.split(';')[0], text: await answer.text() };
    };
    expect(await ask('/login', port, 'text/html')).toMatchObject({ status: 200, type: 'text/html', text: expect.stringContaining('/assets/') });
    for (const page of ['scorm', 'h5p', 'keeper'])
      expect(await ask(`/player/${page}.html`, contentPort)).toMatchObject({ status: 200, type: 'text/html' });
    expect(JSON.parse((await ask('/health/ready')).text)).toEqual({
      data: { ok: true, checks: { database: 'ok', migrations: 'ok', files: 'ok', disk: 'ok' } },
    });
    expect((await ask('/health/live')).status).toBe(200);
    // What is not there is not the app's page; what is for those who develop is not public.
    const map = /\/assets\/[\w-]+\.js/.exec((await ask('/login')).text)?.[0];
    for (const path of ['/healthz', '/readyz', '/metrics', '/.env', '/server.properties', '/docs/api', '/docs/api/json', `${map}.map`, '/sw.js.map'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect((await ask('/nowhere', port, 'text/html')).status).toBe(404);
  } finally {
    child.kill();
    if (child.exitCode === null) await new Promise((done) => child.once('exit', done));
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
