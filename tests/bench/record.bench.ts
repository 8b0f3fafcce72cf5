import { rmSync } from 'node:fs';
import { asActor } from '#server/actor.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { often, type Statement, sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { createSessions } from '#server/security/sessions.ts';
import { median, report } from '#tests/bench/report.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

const rounds = Number(process.env.ROUNDS ?? 25);
const people = Number(process.env.PEOPLE ?? 10_000);
const courses = 200;
const onRecord = 500;

/** The facts of a record in the simplest form: columns, one prepared statement. */
const factsOf = (someone: string): Statement =>
  often(sql`select r.id, u.id as user_id, u.name as user_name, h.name as place, h.time_zone as zone, r.course_id, c.title as course_title,
      r.content_id, r.content_version, r.type, r.status, r.origin, r.completed_at, r.expiry, r.expires_at, r.score, r.attempt_id,
      r.certificate_number, r.certificate_suppressed, v.name as evidence, r.note, r.minutes, r.cpd_hours, b.id as recorded_by, b.name as recorded_by_name,
      r.created_at, r.rev, r.change, r.changed_at, y.id as changed_by, y.name as changed_by_name, r.change_reason,
      r.status = 'approved' and row_number() over (partition by r.course_id, r.status order by r.completed_at desc, r.created_at desc, r.id desc) = 1 as counts
    from results r join users u on u.id = r.user_id join entity_names h on h.id = u.primary_entity_id join course_titles c on c.id = r.course_id
    left join evidence v on v.id = r.evidence_id left join person_names b on b.id = r.recorded_by left join person_names y on y.id = r.changed_by
    where r.user_id = ${someone} order by r.completed_at desc, c.title, r.id limit 1000`);

/**
 * What screens read of results, on PostgreSQL. Target: one person's record of 500 results at most 1.5 times its SQL alone, both read to the end: by somebody who sees all, and by a manager with row-level security. Without a target: the
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
  const sessions = createSessions(db, config, () => new Date());
  const secretOf = (id: string) => sessions.start(id, 'web', { accessPasswordGiven: false });
  const superAdmin = demoId('user:super@lantern.test');
  const manager = demoId('user:admin@willowbrook.test');
  const secret = await secretOf(superAdmin);
  const managers = await secretOf(manager);
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const ask = async (path: string, as = secret) => {
    const answer = await app.inject({ method: 'GET', url: `/api${path}`, cookies: { lantern_session: as } });
    if (answer.statusCode !== 200) throw new Error(answer.body.slice(0, 300));
    return answer.json() as { data: unknown[] };
  };
  /** Both alternately, so that other load on the machine affects both; `before` times first, to warm up the server. */
  const both = async (n: number, one: () => Promise<unknown>, other: () => Promise<unknown>, before = 2) => {
    const times: [number[], number[]] = [[], []];
    for (let i = -before; i < n; i++) {
      const [a, b] = [await timed(one), await timed(other)];
      if (i < 0) continue;
      times[0].push(a);
      times[1].push(b);
    }
    return [median(times[0]), median(times[1])] as const;
  };

  const length = (await ask(`/users/${someone}/training-records`)).data.length;
  if (length !== onRecord) throw new Error(`${length} results`);
  const record = `/users/${someone}/training-records`;
  const own = await sessions.actorOf(manager, '', 'web');
  for (const [whose, of, within] of [
    ['', secret, null],
    [', for a manager', managers, own],
  ] as const) {
    const [whole, itsSql] = await both(
      rounds,
      () => ask(record, of),
      () => asActor(within, () => db.all(factsOf(someone))),
      20,
    ); // prettier-ignore
    report(`a record of ${onRecord} results${whose}`, whole, 'ms', whole / itsSql, `target at most 1.5 of its SQL alone (${itsSql.toFixed(1)} ms)`);
  }

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
