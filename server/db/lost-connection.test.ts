import { tmpdir } from 'node:os';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openDatabase } from '#server/db/open.ts';
import { DatabaseUnavailable, sql } from '#server/db/sql.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

const soon = { timeout: 20_000 };

it('a lost connection ends no process, not the first one either, and a database that only reads is out of service', async () => {
  const postgres = await startPostgres();
  const database = await openDatabase({ DATA_DIR: tmpdir(), DATABASE_URL: postgres.url });
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  try {
    // The one that the version was asked on, now as the migrations use it.
    const first = await database.pool.connect();
    expect(database.pool.totalCount).toBe(1);
    const ended = new Promise<void>((done) => first.once('end', () => done()));
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1', [
      'client backend',
    ]);
    // An error that nobody hears ends the process: here, the test.
    await ended;
    first.release(true);
    expect(await database.db.one(sql`select 1 as one`)).toEqual({ one: 1 });

    await database.db.run(sql`create table kept (n integer)`);
    await admin.query('alter system set default_transaction_read_only = on');
    await admin.query('select pg_reload_conf()');
    await expect
      .poll(() => database.db.run(sql`insert into kept values (1)`).then(String, (error) => error.constructor), soon)
      .toBe(DatabaseUnavailable);
    await admin.query('alter system reset default_transaction_read_only');
    await admin.query('select pg_reload_conf()');
    await expect.poll(() => database.db.run(sql`insert into kept values (1)`).then(String, (error) => error.constructor), soon).toBe('1');
  } finally {
    await admin.end();
    await database.close();
    postgres.stop();
  }
}, 180_000);
