import { rmSync } from 'node:fs';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

/**
 * A database on PostgreSQL with very many people of one organisation and job role, who have to do very many courses. `fill` adds the results of
 * each person for each course from the n-th to another, without the triggers, and packs the standings at the end.
 */
export const manyResults = async (people: number, courses: number) => {
  const cluster = await startPostgres(['-c shared_buffers=1GB', '-c max_wal_size=8GB']);
  const folder = await demoFolder();
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: folder, DATABASE_URL: cluster.url, NODE_ENV: 'production' });
  const database = await openDatabase(config);
  const { db } = database;
  await migrate(database.pool);
  await fillWithDemoData(db, createFileStore(`${folder}/files`), new Date());
  const role = demoId('role:group:care');
  const home = demoId('entity:home');
  await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
    select gen_random_uuid(), 'Person ' || p, 'p' || p || '@bench.test', ${home}, ${role}, current_date - 1000 from generate_series(1, ${people}::int) p`);
  await db.run(sql`insert into courses (id, title, short_title, entity_id)
    select gen_random_uuid(), 'Bench ' || c, 'Bench ' || c, ${home} from generate_series(1, ${courses}::int) c`);
  /** Adds the n-th result of every person and course, without the triggers, and packs it all at the end. */
  await db.run(sql`insert into compliance (id, role_id, course_id, type)
    select gen_random_uuid(), ${role}, c.id, case when c.no % 2 = 0 then 'primary' else 'secondary' end from courses c where c.title like 'Bench %'`);
  const fill = async (from: number, to: number) => {
    await db.run(sql`alter table results disable trigger results_added`);
    for (let n = from; n < to; n++)
      await db.run(sql`insert into results (id, user_id, course_id, type, completed_at, expires_at)
        select gen_random_uuid(), u.id, c.id, 'elearning', now() - make_interval(days => 30 + ${n}::int * 200), now() + make_interval(days => 300 - ${n}::int * 200)
        from users u cross join courses c where u.email like '%@bench.test' and c.title like 'Bench %'`);
    await db.run(sql`alter table results enable trigger results_added`);
    await db.run(sql`delete from standings`);
    await db.run(
      sql`insert into standings (user_id, cells) select u.id, standing_of(u.id) from users u where exists (select 1 from results r where r.user_id = u.id)`,
    );
    await db.run(sql`vacuum analyze results`);
    await db.run(sql`vacuum analyze standings`);
    // Statements that were prepared while the database was almost empty are planned again, as autovacuum has them within a minute.
    await db.run(sql`analyze`);
  };
  const close = async () => {
    await database.close();
    cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { cluster, config, db, fill, close };
};
