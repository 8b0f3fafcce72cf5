import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#tests/support/free-port.ts';

const install = () => {
  const version = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').find((v) => existsSync(`/usr/lib/postgresql/${v}/bin/initdb`))
    : undefined;
  if (!version) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return `/usr/lib/postgresql/${version}/bin`;
};
const root = process.getuid?.() === 0;
/** Runs a command as `postgres` if the tests run as root. */
const exec = (command: string) => {
  const done = root ? spawnSync('su', ['postgres', '-c', command]) : spawnSync('sh', ['-c', command]);
  if (done.status !== 0) throw new Error(`${command}\n${done.stderr}`);
};
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-pg-'));
  if (root) {
    chmodSync(folder, 0o777);
    spawnSync('chown', ['postgres', folder]);
  }
  return folder;
};
const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
const start = (folder: string, port: number, options: string[]) =>
  exec(
    `${install()}/pg_ctl -D ${folder}/data -w -l ${folder}/log -o "-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=120 ${options.join(' ')}" start`,
  );
const stop = (folder: string) => {
  exec(`${install()}/pg_ctl -D ${folder}/data -m immediate stop`);
  rmSync(folder, { recursive: true, force: true });
};

/** A temporary PostgreSQL for tests. Runs as `postgres` if the tests run as root. */
export const startPostgres = async (options: string[] = []): Promise<{ url: string; port: number; stop(): void }> => {
  const folder = newFolder();
  const port = await freePort();
  exec(`${install()}/initdb -D ${folder}/data -U postgres -A trust -E UTF8 --locale=C.UTF-8`);
  start(folder, port, options);
  return { url: urlOf(port), port, stop: () => stop(folder) };
};

/** A standby that follows the PostgreSQL on this port, and can take its place. */
export const startStandby = async (primary: number): Promise<{ url: string; port: number; promote(): void; stop(): void }> => {
  const folder = newFolder();
  const port = await freePort();
  exec(`${install()}/pg_basebackup -h 127.0.0.1 -p ${primary} -U postgres -D ${folder}/data -R -X stream -c fast`);
  exec(`chmod 700 ${folder}/data`);
  start(folder, port, ['-c hot_standby=on']);
  return { url: urlOf(port), port, promote: () => exec(`${install()}/pg_ctl -D ${folder}/data -w promote`), stop: () => stop(folder) };
};

/** The statement that copies a database. Its files are copied, and not written to the log as well: a quarter of the time. */
export const copyOfDatabase = (name: string, template: string) => `create database ${name} template ${template} strategy file_copy`;
