import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#tests/support/free-port.ts';

/** A temporary PostgreSQL for tests. Runs as `postgres` if the tests run as root. */
export const startPostgres = async (options: string[] = []): Promise<{ url: string; stop(): void }> => {
  const version = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').find((v) => existsSync(`/usr/lib/postgresql/${v}/bin/initdb`))
    : undefined;
  if (!version) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const bin = `/usr/lib/postgresql/${version}/bin`;
  const folder = mkdtempSync(join(tmpdir(), 'lantern-pg-'));
  const root = process.getuid?.() === 0;
  if (root) {
    chmodSync(folder, 0o777);
    spawnSync('chown', ['postgres', folder]);
  }
  const exec = (command: string) => {
    const done = root ? spawnSync('su', ['postgres', '-c', command]) : spawnSync('sh', ['-c', command]);
    if (done.status !== 0) throw new Error(`${command}\n${done.stderr}`);
  };
  const port = await freePort();
  exec(`${bin}/initdb -D ${folder}/data -U postgres -A trust -E UTF8 --locale=C.UTF-8`);
  exec(
    `${bin}/pg_ctl -D ${folder}/data -w -l ${folder}/log -o "-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=120 ${options.join(' ')}" start`,
  );
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      exec(`${bin}/pg_ctl -D ${folder}/data -m immediate stop`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The statement that copies a database. Its files are copied, and not written to the log as well: a quarter of the time. */
export const copyOfDatabase = (name: string, template: string) => `create database ${name} template ${template} strategy file_copy`;
