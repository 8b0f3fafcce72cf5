import { readdirSync, readFileSync } from 'node:fs';
import type { Pool, PoolClient } from 'pg';
import { scopedRole } from '#server/db/scope.ts';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 7_126_001;

/**
 * Throws where requests could not be answered as the second role: a database that was restored by other means than ours, in
 * a place without that role, has lost what the role may do. Better at start than at every request.
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

/** Every migration that this server knows, in their order. */
export const migrationNames = (): string[] =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.sql'))
    .sort();

/**
 * Brings the schema up to date: every file of migrations/ once, in the order of their names, each in one transaction.
 * With `upTo` only as far as that file. Several servers may start at once: one migrates, the others wait. Throws when the database is newer than this server.
 */
export const migrate = async (pool: Pool, upTo?: string): Promise<string[]> => {
  const files = migrationNames();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query('create table if not exists migrations (name text primary key, at timestamptz not null default now())');
    const done = new Set((await client.query<{ name: string }>('select name from migrations')).rows.map((r) => r.name));
    const unknown = [...done].filter((name) => !files.includes(name));
    if (unknown.length > 0) throw new Error(`The database is newer than this server: it has ${unknown.join(', ')}. Start the newer version.`);
    const fresh = files.filter((f) => !done.has(f) && (upTo === undefined || f <= upTo));
    for (const file of fresh) {
      await client.query('begin');
      try {
        await client.query(readFileSync(new URL(file, folder), 'utf8'));
        await client.query('insert into migrations (name) values ($1)', [file]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${file} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    if (upTo === undefined) await checkScopedRole(client);
    return fresh;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => undefined);
    client.release();
  }
};
