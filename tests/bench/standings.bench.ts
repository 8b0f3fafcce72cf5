import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { often, sql } from '#server/db/sql.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { wrongStandings } from '#server/features/results/standings.rows.ts';
import { manyResults } from '#tests/bench/many-results.ts';
import { median, report } from '#tests/bench/report.ts';

const people = 10_000;
const courses = 200;
/** Of each person and course, in the larger of the two runs. */
const times = Number(process.env.RESULTS_EACH ?? 5);
const rounds = Number(process.env.ROUNDS ?? 7);
const inserts = 200;
/** Not counted: the statements of all are planned again when a trigger is disabled. */
const first = 10;
/** Blocks of inserts, in turn with and without the trigger. */
const blocks = rounds * 3;

/**
 * How 10,000 people stand with 200 courses, of up to 10 million results on PostgreSQL. Targets: reading it packed at most 1/40 of DISTINCT ON
 * with a covering index, and from a tenth of the results to all of them at most 1.2 times; keeping it at most 1.15 times the bare insert, one
 * result a transaction; a record of 500 results at most 1.5 times its SQL alone (`record`). A trigger keeps the standing; it is disabled for the
 * bare insert. The insert is measured in a transaction, as the server runs all its writes; also as a part of recording a result, which reads the
 * rules of its dates first, and as a statement without a transaction, where keeping the standing weighs most.
 */
export const run = async () => {
  const { cluster, db, fill, close } = await manyResults(people, courses);
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const took = async (text: string, binary = false): Promise<number> => {
    const began = performance.now();
    const { rows } = await client.query({ text, ...(binary ? { binary } : {}) } as pg.QueryConfig);
    if (rows.length < people / 2) throw new Error(`${rows.length} rows`);
    return performance.now() - began;
  };
  const packed = () => took(`select user_id, cells from standings`, true);
  const several = async (ask: () => Promise<number>, n = rounds) => {
    const all: number[] = [];
    for (let i = 0; i < n; i++) all.push(await ask());
    return median(all);
  };

  await fill(0, 1);
  await packed();
  const small = await several(packed);
  await fill(1, times);
  await db.run(sql`create index bench_latest on results (user_id, course_id, completed_at desc) include (expires_at) where status = 'approved'`);
  await db.run(sql`vacuum analyze results`);
  const distinct = () =>
    took(
      `select distinct on (user_id, course_id) user_id, course_id, completed_at, expires_at from results where status = 'approved' order by user_id, course_id, completed_at desc`,
    );
  await packed();
  const large: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i < 3; i++) {
    whole.push(await distinct());
    for (let k = 0; k < rounds; k++) large.push(await packed());
  }
  await db.run(sql`drop index bench_latest`);
  report(
    `${people} × ${courses} packed, of ${((people * courses * times) / 1e6).toFixed(0)} M results`,
    median(large),
    'ms',
    median(large) / median(whole),
    `target 1/40 = 0.025 of DISTINCT ON (${median(whole).toFixed(0)} ms)`,
  );
  report(`the same against a ${times}th of the results`, median(large), 'ms', median(large) / small, 'target at most 1.2');

  // Of a course nobody has a result of yet, as well as of those of which everybody has some.
  await db.run(sql`insert into courses (id, title, short_title, entity_id)
    select gen_random_uuid(), title, title, (select entity_id from courses where title = 'Bench 7') from unnest(array['First 1', 'First 2']) title`);
  const touched: string[] = [];
  const inserted = async (which: string, goal: string, titles: string[], record: (user: string, course: string) => Promise<unknown>) => {
    const ids = await db.all<{ u: string; c: string }>(
      sql`select u.id as u, c.id as c from users u cross join courses c where u.email like 'p%@bench.test' and c.title = any(${titles}) limit ${(inserts + first) * blocks * 2}`,
    );
    touched.push(...ids.map((i) => i.u));
    let next = 0;
    const block = async () => {
      let began = 0;
      for (let i = -first; i < inserts; i++) {
        if (i === 0) began = performance.now();
        const { u, c } = ids[next++ % ids.length] as { u: string; c: string };
        await record(u, c);
      }
      return (performance.now() - began) / inserts;
    };
    const kept: number[] = [];
    const bare: number[] = [];
    for (let i = 0; i < blocks; i++) {
      kept.push(await block());
      await client.query('alter table results disable trigger results_added');
      bare.push(await block());
      await client.query('alter table results enable trigger results_added');
    }
    report(which, median(kept), 'ms', median(kept) / median(bare), `${goal} the same without keeping it (${median(bare).toFixed(2)} ms)`);
  };
  const recorded = (user_id: string, course_id: string) =>
    db.tx((tx) => recordResults(tx, [{ user_id, course_id, type: 'elearning', origin: 'attempt', completed: new Date().toISOString() }], new Date()));
  const insert = (user: string, course: string) =>
    sql`insert into results (id, user_id, course_id, type, completed_at) values (${randomUUID()}, ${user}, ${course}, 'elearning', now())`;
  const inTransaction = (user: string, course: string) => db.tx((tx) => tx.run(often(insert(user, course))));
  const alone = (user: string, course: string) => client.query(insert(user, course));
  await inserted('a result recorded, standing kept', 'of', ['Bench 7', 'Bench 8'], recorded);
  await inserted('a result inserted in a transaction, standing kept', 'target at most 1.15 of', ['Bench 9', 'Bench 10'], inTransaction);
  await inserted('a result inserted by a statement alone, standing kept', 'of', ['Bench 11', 'Bench 12'], alone);
  await inserted('the same, the first result of its course', 'of', ['First 1', 'First 2'], alone);
  await db.run(sql`update standings set cells = standing_of(user_id) where user_id = any(${[...new Set(touched)]}::uuid[])`);
  if ((await wrongStandings(db, 1)).length > 0) throw new Error('a kept standing is wrong');

  await client.end();
  await close();
};
