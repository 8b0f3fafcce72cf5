import { rmSync } from 'node:fs';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { resultColumns, resultSource } from '#server/features/results/results.rows.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { createSessions } from '#server/security/sessions.ts';
import { median, report } from '#tests/bench/report.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

const rounds = Number(process.env.ROUNDS ?? 25);
const people = Number(process.env.PEOPLE ?? 10_000);
const courses = 200;
const onRecord = 500;

/**
 * What screens read of results, on PostgreSQL. Target: one person's record of 500 results at most 1.5 times its SQL alone. Without a target: the
 * forecast of 10,000 people with 200 required courses, a quarter of which change, against reading their standings.
 */
export const run = async () => {
  const cluster = await startPostgres();
  const folder = await demoFolder();
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: folder, DATABASE_URL: cluster.url, NODE_ENV: 'production' });
  const database = await openDatabase(config);
  const { db } = database;
  await migrate(database.pool);
  await fillWithDemoData(db, createFileStore(`${folder}/files`), new Date());
  const home = demoId('entity:home');
  const role = '00000000-0000-4000-8000-00000000be4c';
  await db.run(sql`insert into roles (id, name, entity_id) values (${role}, 'Bench', ${home})`);
  await db.run(sql`insert into courses (id, title, short_title, entity_id)
    select gen_random_uuid(), 'Bench ' || c, 'Bench ' || c, ${home} from generate_series(1, ${courses}::int) c`);
  await db.run(
    sql`insert into compliance (id, role_id, course_id, type) select gen_random_uuid(), ${role}, c.id, 'primary' from courses c where c.title like 'Bench %'`,
  );
  await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
    select gen_random_uuid(), 'Person ' || p, 'p' || p || '@bench.test', ${home}, ${role}, current_date - 1000 from generate_series(1, ${people}::int) p`);
  const { id: someone } = (await db.one<{ id: string }>(sql`select id from users where email = 'p7@bench.test'`)) as { id: string };
  await db.run(sql`insert into results (id, user_id, course_id, type, completed_at, expires_at)
    select gen_random_uuid(), ${someone}, c.id, 'elearning', now() - make_interval(days => 300 * n), now() + make_interval(days => (row_number() over (order by c.title))::int * 3 - 300 * n)
    from courses c cross join generate_series(1, 3) n where c.title like 'Bench %' order by n limit ${onRecord}`);
  // Everybody stands as this one does: how people stand is read from what is kept, not from their results.
  await db.run(sql`insert into standings (user_id, cells) select u.id, s.cells from users u cross join standings s
    where u.email like '%@bench.test' and s.user_id = ${someone} on conflict do nothing`);
  await db.run(sql`analyze`);

  const app = await createApp({ config, db, secretKey: 'bench' });
  const secret = await createSessions(db, config, () => new Date()).start(demoId('user:super@lantern.test'), 'web', { accessPasswordGiven: false });
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const ask = async (path: string) => {
    const answer = await app.inject({ method: 'GET', url: `/api${path}`, cookies: { lantern_session: secret } });
    if (answer.statusCode !== 200) throw new Error(answer.body.slice(0, 300));
    return answer.json() as { data: unknown[] };
  };
  /** Both in turn, so that what else the machine does falls on both. */
  const both = async (n: number, one: () => Promise<unknown>, other: () => Promise<unknown>) => {
    const times: [number[], number[]] = [[], []];
    for (let i = -2; i < n; i++) {
      const [a, b] = [await timed(one), await timed(other)];
      if (i < 0) continue;
      times[0].push(a);
      times[1].push(b);
    }
    return [median(times[0]), median(times[1])] as const;
  };

  const length = (await ask(`/users/${someone}/training-records`)).data.length;
  if (length !== onRecord) throw new Error(`${length} results`);
  const alone: Statement = sql`select ${resultColumns} from ${resultSource} where r.user_id = ${someone} order by r.completed_at desc, c.title, r.id limit 1000`;
  const [record, itsSql] = await both(
    rounds,
    () => ask(`/users/${someone}/training-records`),
    () => db.all(alone),
  ); // prettier-ignore
  report(`a record of ${onRecord} results`, record, 'ms', record / itsSql, `target at most 1.5 of its SQL alone (${itsSql.toFixed(1)} ms)`);

  const [forecast, standings] = await both(
    Math.min(rounds, 5),
    () => ask('/forecast?entity=willowbrook-house'),
    () => db.all(sql`select user_id, cells from standings`),
  );
  report(`forecast of ${people} × ${courses}`, forecast, 'ms', forecast / standings, `of reading the standings (${standings.toFixed(0)} ms)`);

  await app.close();
  await database.close();
  cluster.stop();
  rmSync(folder, { recursive: true, force: true });
};
