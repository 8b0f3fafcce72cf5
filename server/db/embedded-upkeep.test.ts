import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepTended, tendOnce } from '#server/db/embedded-upkeep.ts';
import { openDatabase, type OpenDatabase } from '#server/db/open.ts';
import { often, sql } from '#server/db/sql.ts';

describe('the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-upkeep-'));
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openDatabase({ DATA_DIR: folder });
    await database.db.run(sql`create table visits (id int primary key, place int not null, note text not null)`);
    await database.db.run(sql`create index visits_place on visits (place)`);
    await tendOnce(database.db);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const add = (from: number, to: number) =>
    database.db.run(sql`insert into visits select n, n % 1000, repeat('x', 200) from generate_series(${from}::int, ${to}::int) n`);
  const stats = async () =>
    database.db.one<{
      rows: number;
      pages: number;
      columns: number;
    }>(sql`select c.reltuples::int as rows, (pg_relation_size(c.oid) / 8192)::int as pages,
      (select count(*)::int from pg_stats where tablename = 'visits') as columns from pg_class c where relname = 'visits'`);

  it('plans a statement anew once a table has grown, also one that was prepared while it was small', async () => {
    const { db } = database;
    await add(1, 5);
    const found = often(sql`select count(*)::int as n from visits where place = any(${[7]}::int[])`);
    for (let i = 0; i < 6; i++) await db.one(found);
    await add(6, 20_000);
    await tendOnce(db);
    expect(await stats()).toMatchObject({ rows: 20_000, columns: 3 });
    expect((await db.one<{ n: number }>(found))?.n).toBe(20);
    const plan = await db.all<{ 'QUERY PLAN': string }>(sql`explain select count(*) from visits where place = 7`);
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('visits_place');
  });
  it('looks at a table once, however small it is: the counts of a killed server are lost', async () => {
    const { db } = database;
    await db.run(sql`create table few as select n from generate_series(1, 3) n`);
    await tendOnce(db);
    expect(await db.one(sql`select reltuples::int as rows from pg_class where relname = 'few'`)).toEqual({ rows: 3 });
  });
  it('uses the space of deleted rows again', async () => {
    const { db } = database;
    const before = await stats();
    for (let round = 1; round <= 3; round++) {
      await db.run(sql`delete from visits`);
      await tendOnce(db);
      await add(1, 20_000);
      await tendOnce(db);
    }
    expect((await stats())?.pages).toBeLessThan((before?.pages ?? 0) * 1.1);
  });
  it('leaves alone what has hardly changed', async () => {
    await add(20_001, 20_050);
    expect(await tendOnce(database.db)).toBe(0);
  });
  it('is tended again and again until it is closed', async () => {
    const end = keepTended(database.db, 20);
    for (const to of [30_000, 40_000]) {
      await add(to - 9_900, to);
      await expect.poll(async () => (await stats())?.rows).toBeGreaterThan(to - 1000);
    }
    await end();
    await add(40_001, 80_000);
    expect((await stats())?.rows).toBeLessThan(41_000);
  });
});
