import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Attempt, DraftAnswer, QuizSubmission, TopicProgress } from '#contract/entities/attempt.ts';
import { hashOfMigration, migrate } from '#server/db/migrate.ts';
import { withinScope } from '#server/db/scope.ts';
import { type Db, often, sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('the database', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());

  it('migrates once, and refuses a database that is newer than the server', async () => {
    const { db, pool } = server.database;
    expect(await migrate(pool)).toEqual([]);
    await db.run(sql`insert into migrations (name) values ('9999_future.sql')`);
    await expect(migrate(pool)).rejects.toThrow('newer than this server');
    await db.run(sql`delete from migrations where name = '9999_future.sql'`);
  });

  it('refuses a migration that was changed after it was run, and takes the hashes of an older database', async () => {
    const { db, pool } = server.database;
    const name = '0021_second_net.sql';
    const hash = async () => (await db.one<{ hash: string }>(sql`select hash from migrations where name = ${name}`))?.hash;
    const right = await hash();
    await db.run(sql`update migrations set hash = 'another' where name = ${name}`);
    await expect(migrate(pool)).rejects.toThrow(`Migration ${name} is not the one that this database has run`);
    await db.run(sql`alter table migrations drop column hash`);
    expect(await migrate(pool)).toEqual([]);
    expect(await hash()).toBe(right);
    expect(hashOfMigration('-- Why.\r\ncreate table x ();\r\n')).toBe(hashOfMigration('create table x ();\n-- Better words.\n'));
    expect(hashOfMigration('create table x ();')).not.toBe(hashOfMigration('create table y ();'));
  });

  it('says at start, and not at every request, that it was restored without what its second role may do', async () => {
    const { db, pool } = server.database;
    await db.run(sql`revoke all on users from lantern_scoped`);
    await expect(migrate(pool)).rejects.toThrow('Restore the backup again, now that the role is there.');
    await db.run(sql`grant select, insert, update, delete on users to lantern_scoped`);
    expect(await migrate(pool)).toEqual([]);
  });

  it('runs a transaction whole or not at all', async () => {
    const { db } = server.database;
    await expect(
      db.tx(async (tx) => {
        await tx.run(sql`insert into settings (key, value) values ('half', 'done')`);
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    expect(await db.one(sql`select 1 as found from settings where key = 'half'`)).toBeUndefined();
  });

  it('runs statements of a transaction that are made together one after the other, each seeing what the one before has done', async () => {
    const { db } = server.database;
    const put = (value: string) => sql`insert into settings (key, value) values (${`together ${value}`}, ${value})`;
    const many = sql`select count(*)::int as n from settings where key like 'together %'`;
    const seen = await db.tx((tx) => Promise.all([tx.one(many), tx.run(put('1')), tx.one(many), tx.run(put('2')), tx.one(many)]));
    expect(seen).toEqual([{ n: 0 }, 1, { n: 1 }, 1, { n: 2 }]);
  });

  it('keeps nothing of statements made together where one fails, nor of what goes on after it', async () => {
    const { db } = server.database;
    const put = (key: string) => often(sql`insert into settings (key, value) values (${key}, 'x')`);
    const found = () => db.all(sql`select key from settings where key like 'failing %'`);
    let late: Promise<unknown> = Promise.resolve();
    const goesOn = async (tx: Db) => {
      await tx.run(put('failing first'));
      late = (async () => {
        for (let i = 0; i < 20; i++) await tx.run(put(`failing later ${i}`));
      })();
      await late;
    };
    const wrong = sql`insert into settings (key, value) values ('failing null', null)`;
    await expect(db.tx((tx) => Promise.all([goesOn(tx), tx.run(wrong), tx.run(put('failing last'))]))).rejects.toThrow('null value');
    await expect(late).rejects.toThrow();
    await expect(db.tx((tx) => Promise.all([goesOn(tx), Promise.reject(new Error('of no statement'))]))).rejects.toThrow('of no statement');
    await expect(late).rejects.toThrow('after the end of its transaction');
    expect(await found()).toEqual([]);
    // And the connection is as good as before, with what it was to keep.
    expect(await db.tx((tx) => tx.run(put('failing no more')))).toBe(1);
    expect(await found()).toEqual([{ key: 'failing no more' }]);
  });

  it('starts fresh on each connection, regardless of its last user and cache', async () => {
    const { db, pool } = server.database;
    const count = () => db.one<{ n: number }>(often(sql`select count(*)::int as n from users`));
    const all = await count();
    const nobody = { user: randomUUID(), home: randomUUID(), place: randomUUID() };
    for (let i = 0; i < 2; i++) {
      expect(await withinScope(nobody, count)).toEqual({ n: 0 });
      // Close every connection, as happens to idle ones.
      const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
      for (const client of clients) client.release(true);
      expect(await count()).toEqual(all);
    }
  });

  it('keeps read-modify-write exact with many at once', async () => {
    const { db } = server.database;
    await db.run(sql`insert into settings (key, value) values ('counter', '0')`);
    await Promise.all(
      Array.from({ length: 40 }, () =>
        db.tx(async (tx) => {
          const row = await tx.one<{ value: string }>(sql`select value from settings where key = 'counter' for update`);
          await tx.run(sql`update settings set value = ${String(Number(row?.value) + 1)} where key = 'counter'`);
        }),
      ),
    );
    expect((await db.one<{ value: string }>(sql`select value from settings where key = 'counter'`))?.value).toBe('40');
  });

  it('has a column for every field of the entities that it stores', async () => {
    const { db } = server.database;
    const columns = async (table: string) =>
      (await db.all<{ name: string }>(sql`select column_name as name from information_schema.columns where table_name = ${table}`)).map(
        (c) => c.name,
      );
    const joined = ['content_title', 'course_id', 'course_title', 'closed', 'progress', 'submissions', 'answers', 'scorm', 'h5p', 'result'];
    expect(await columns('attempts')).toEqual(expect.arrayContaining(Object.keys(Attempt.shape).filter((f) => !joined.includes(f))));
    expect(await columns('topic_progress')).toEqual(expect.arrayContaining(Object.keys(TopicProgress.shape)));
    expect(await columns('quiz_submissions')).toEqual(expect.arrayContaining(Object.keys(QuizSubmission.shape)));
    expect(await columns('draft_answers')).toEqual(expect.arrayContaining(Object.keys(DraftAnswer.shape)));
  });

  it('has demo data as the product promises it', async () => {
    const { db } = server.database;
    const count = async (table: 'users' | 'courses') =>
      (await db.one<{ n: number }>(table === 'users' ? sql`select count(*)::int as n from users` : sql`select count(*)::int as n from courses`))?.n;
    expect(await count('users')).toBeGreaterThanOrEqual(60);
    expect(await count('courses')).toBe(24);
    expect((await db.all(sql`select 1 from content_versions`)).length).toBe(5);
  });
});
