import { rmSync } from 'node:fs';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { dashboardsOf } from '#server/features/dashboards/dashboards.service.ts';
import { countPlaces } from '#server/features/dashboards/figures.rows.ts';
import { asActor } from '#server/actor.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { createSessions } from '#server/security/sessions.ts';
import type { Services } from '#server/services.ts';
import { quantile, report } from '#tests/bench/report.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

const places = Number(process.env.PLACES ?? 2000);
const peopleEach = 100;
const rounds = Number(process.env.ROUNDS ?? 20);

/**
 * The dashboards of a group of 200,000 people in 2,000 organisations, with row-level security: each call against its own statements. Targets: p95 at
 * most 1.5 times the SQL alone, and no statement reads the results.
 */
export const run = async () => {
  const cluster = await startPostgres(['-c shared_buffers=1GB', '-c max_wal_size=8GB', '-c synchronous_commit=off']);
  const folder = await demoFolder();
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: folder, DATABASE_URL: cluster.url, NODE_ENV: 'production' });
  const { db, pool, close } = await openDatabase(config);
  await migrate(pool);
  const now = new Date();
  await fillWithDemoData(db, createFileStore(`${folder}/files`), now);
  await db.run(sql`insert into entities (id, name, slug, level, parent_id)
    select gen_random_uuid(), 'House ' || n, 'house-' || n, 'B', ${demoId('entity:group')} from generate_series(1, ${places}::int) n`);
  await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
    select gen_random_uuid(), 'Person ' || p, p || '@' || e.slug || '.test', e.id, ${demoId('role:group:care')}, current_date - (p * 17 % 2000)
    from entities e cross join generate_series(1, ${peopleEach}::int) p where e.slug like 'house-%'`);
  await db.run(sql`analyze`);
  const people = (places * peopleEach).toLocaleString('en-GB');
  const counting = performance.now();
  const all = await db.all<{ id: string }>(sql`select id from entities`);
  await countPlaces(
    db,
    now,
    all.map((e) => e.id),
  );
  report(`figures of ${people} people counted, in a job`, (performance.now() - counting) / 1000, 's', 1, 'without a target');
  // Thirteen weeks of earlier figures.
  await db.run(sql`insert into place_figures (entity_id, day, people, required, in_date, overdue, turn_red, starters, counted_at)
    select f.entity_id, f.day - n, f.people, f.required, f.in_date, f.overdue, f.turn_red, f.starters, f.counted_at - make_interval(days => n)
    from place_figures f cross join generate_series(7, 91, 7) n on conflict do nothing`);
  await db.run(sql`vacuum analyze`);
  const actor = await createSessions(db, config, () => now).actorOf(demoId('user:admin@willowbrook.test'), '', 'token');
  if (!actor) throw new Error('nobody');

  const asked: Statement[] = [];
  const noting: Db = {
    ...db,
    all: (statement) => {
      asked.push(statement);
      return db.all(statement);
    },
    one: (statement) => {
      asked.push(statement);
      return db.one(statement);
    },
  };
  const jobs = { note: async () => undefined, wake: () => undefined };
  const dashboards = dashboardsOf({ db: noting, now: () => now, jobs } as unknown as Services);
  const paged = { page: 1, per_page: 10 };
  const calls: Record<string, () => Promise<unknown>> = {
    figures: () => dashboards.figures(actor, {}),
    'people, overdue': () => dashboards.people(actor, { ...paged, need: 'overdue' }),
    'people, soon': () => dashboards.people(actor, { ...paged, need: 'soon' }),
    waiting: () => dashboards.waiting(actor),
    trend: () => dashboards.trend(actor, {}),
    places: () => dashboards.places(actor, {}),
    courses: () => dashboards.courses(actor, { per_page: 10 }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const whole: number[] = [];
    const bare: number[] = [];
    for (let i = 0; i < rounds + 2; i++) {
      asked.length = 0;
      const [took, alone] = await asActor(actor, async () => {
        const from = performance.now();
        await call();
        const took = performance.now() - from;
        const statements = [...asked];
        const alone = performance.now();
        for (const statement of statements) await db.all(statement);
        return [took, performance.now() - alone] as const;
      });
      if (i < 2) continue;
      whole.push(took);
      bare.push(alone);
    }
    if (asked.some(({ text }) => /\b(from|join) (current_)?results\b/.test(text) && name !== 'waiting')) throw new Error(`${name} reads results`);
    const [p95, p95bare] = [quantile(whole, 0.95), quantile(bare, 0.95)];
    report(
      `dashboards of ${people} people, ${name}, p95`,
      p95,
      'ms',
      p95 / p95bare,
      `target at most 1.5 of its SQL alone (${p95bare.toFixed(0)} ms)`,
    );
  }
  await close();
  cluster.stop();
  rmSync(folder, { recursive: true, force: true });
};
