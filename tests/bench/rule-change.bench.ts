import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { redateResults } from '#server/features/results/results.service.ts';
import { hashOf, newSecret } from '#server/security/secrets.ts';
import { manyResults } from '#tests/bench/many-results.ts';
import { median, quantile, report } from '#tests/bench/report.ts';
import { RealServer } from '#tests/support/real-server.ts';

const people = 5000;
const courses = 200;
const rounds = Number(process.env.ROUNDS ?? 5);
/** Requests per second, sent on schedule whether earlier ones are answered or not. */
const rate = 25;

/**
 * A rule that affects 5,000 people changes, on PostgreSQL with fsync on: the expiry dates of a course's results are recalculated in the background
 * while others use the API. Targets: at least half the rate of one bulk recomputation in one transaction on an idle server; p99 of the API at most
 * twice of what it is without.
 */
export const run = async () => {
  const { cluster, config, db, fill, close } = await manyResults(people, courses);
  await fill(0, 2);
  const secret = newSecret();
  const admin = demoId('user:admin@willowbrook.test');
  await db.run(sql`insert into sessions (id_hash, user_id, kind) values (${hashOf(secret)}, ${admin}, 'token')`);
  const rules = await db.all<{ id: string; course_id: string }>(
    sql`select m.id, m.course_id from compliance m join courses c on c.id = m.course_id where c.title like 'Bench %' order by c.no`,
  );
  const ids = await db.all<{ id: string }>(sql`select id from users where email like '%@bench.test' order by email`);
  const server = await RealServer.create({ DATABASE_URL: cluster.url, NODE_ENV: 'production' }, false, config.DATA_DIR);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  };
  let asked = 0;
  /** A manager's usual requests: a person's page, record and courses, and the list. */
  const next = (): string => {
    const someone = ids[(asked * 7919) % ids.length]?.id;
    const paths = [`/users/${someone}`, `/users/${someone}/training-records`, `/users/${someone}/compliant-courses`, '/users?per_page=25'];
    return paths[asked++ % paths.length] as string;
  };
  const uses = async (until: () => boolean): Promise<number[]> => {
    const times: number[] = [];
    const open: Promise<void>[] = [];
    const began = performance.now();
    for (let i = 0; !until(); i++) {
      const due = began + (i * 1000) / rate;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      open.push(call('GET', next()).then(() => void times.push(performance.now() - due)));
    }
    await Promise.all(open);
    return times;
  };
  const redatings = () => db.one<{ n: number }>(sql`select count(*)::int as n from redatings`);
  /** Changes the rule of a course and waits until everything is done; returns the time. */
  const changed = async (rule: string): Promise<number> => {
    await call('PATCH', `/compliance/${rule}`, { renewal_months: 24, update_previous_results: true });
    const began = performance.now();
    while ((await redatings())?.n) await new Promise((resolve) => setTimeout(resolve, 20));
    return performance.now() - began;
  };
  let from = 0;
  const nextRule = () => rules[from++] as (typeof rules)[number];

  await uses(() => asked > rate * 4);
  await changed(nextRule().id);
  const without: number[] = [];
  const beside: number[] = [];
  const [bulk, alone, busy]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const { id, course_id } = nextRule();
    await db.run(sql`update compliance set renewal_months = 24 where id = ${id}`);
    const began = performance.now();
    await db.tx((tx) => redateResults(tx, sql`r.course_id = ${course_id} and r.expiry = 'rule'`, { by: admin, reason: 'At once' }, new Date()));
    bulk.push(performance.now() - began);
    alone.push(await changed(nextRule().id));
    let working = true;
    const answers = uses(() => !working);
    const took = await changed(nextRule().id);
    working = false;
    beside.push(...(await answers));
    busy.push(took);
    const until = performance.now() + took;
    without.push(...(await uses(() => performance.now() > until)));
  }
  const dated = people * 2;
  const [once, quiet, used] = [median(bulk), median(alone), median(busy)];
  report(
    `${dated} results of ${people} people redated, a second`,
    dated / (used / 1000),
    '',
    once / used,
    `at least 0.5 of one transaction (${(once / 1000).toFixed(1)} s)`,
  );
  report('the same with nothing beside it', dated / (quiet / 1000), '', once / quiet, 'without a target');
  const [p99, p99Without] = [quantile(beside, 0.99), quantile(without, 0.99)];
  report(
    `the API beside it, p99 of ${beside.length} calls`,
    p99,
    'ms',
    p99 / p99Without,
    `target at most 2 of what it is without (${p99Without.toFixed(0)} ms)`,
  );
  report('the same, median', median(beside), 'ms', median(beside) / median(without), 'without a target');
  await server.close();
  await close();
};
