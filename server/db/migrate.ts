import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Pool, PoolClient } from 'pg';
import { scopedRole } from '#server/db/scope.ts';
import { migrateQueue } from '#server/jobs/queue.ts';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 7_126_001;

/**
 * Throws if requests could not run as the second role: a database restored by other tools, on a server without that role, has lost the
 * role's privileges. Better to fail at start than at every request.
 */
const checkScopedRole = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ member: boolean; rights: boolean; me: string }>(
    `select pg_has_role(current_user, oid, 'member') as member, has_table_privilege(oid, 'users', 'select') as rights, quote_ident(current_user) as me
     from pg_roles where rolname = $1`,
    [scopedRole],
  );
  const role = rows[0];
  if (role?.member && role.rights) return;
  const remedy = !role
    ? `Let its administrator run “create role ${scopedRole} nologin”, and restore the backup again`
    : role.rights
      ? `Let its administrator run “grant ${scopedRole} to ${role.me}”`
      : 'Restore the backup again, now that the role is there';
  throw new Error(`The role ${scopedRole}, as which requests are answered, may not do here what it has to. ${remedy}.`);
};

/** Every migration known to this server, in order. */
export const migrationNames = (): string[] =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.sql'))
    .sort();

const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

/** A hash of what a migration does: comments may be reworded, and line ends depend on the system of the checkout. */
export const hashOfMigration = (text: string): string =>
  createHash('sha256')
    .update(
      text
        .split(/\r?\n/)
        .filter((line) => !/^\s*(--|$)/.test(line))
        .join('\n'),
    )
    .digest('hex');

/**
 * Brings the schema up to date: every file of migrations/ once, in the order of their names, each in one transaction. With `upTo` only as
 * far as that file. Several servers may start at once: one migrates, the others wait. Throws if the database is newer than this server, or
 * if a migration that it has already run has since changed.
 */
export const migrate = async (pool: Pool, upTo?: string): Promise<string[]> => {
  const files = migrationNames();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query('create table if not exists migrations (name text primary key, at timestamptz not null default now())');
    await client.query('alter table migrations add column if not exists hash text');
    const { rows } = await client.query<{ name: string; hash: string | null }>('select name, hash from migrations order by name');
    const done = new Set(rows.map((r) => r.name));
    const unknown = [...done].filter((name) => !files.includes(name));
    if (unknown.length > 0) throw new Error(`The database is newer than this server: it has ${unknown.join(', ')}. Start the newer version.`);
    for (const { name, hash } of rows) {
      const now = hashOfMigration(textOf(name));
      // Databases from before hashes were stored get them at their next start.
      if (hash === null) await client.query('update migrations set hash = $1 where name = $2', [now, name]);
      else if (hash !== now)
        throw new Error(
          `Migration ${name} is not the one that this database has run: its file was changed. Nothing has been done. Restore server/db/migrations/${name}, and make the change in a new migration.`,
        );
    }
    const fresh = files.filter((f) => !done.has(f) && (upTo === undefined || f <= upTo));
    for (const file of fresh) {
      await client.query('begin');
      try {
        await client.query(textOf(file));
        await client.query('insert into migrations (name, hash) values ($1, $2)', [file, hashOfMigration(textOf(file))]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${file} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    if (upTo === undefined) {
      await migrateQueue(client);
      await checkScopedRole(client);
    }
    return fresh;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => undefined);
    client.release();
  }
};
