import { type Db, type Statement, sql } from '#server/db/sql.ts';

/** Between two passes, and at most after a failure: as on a full volume. */
const [minuteMs, longestMs] = [60_000, 3_600_000];

type Table = { name: string; space: boolean; statistics: boolean };

/**
 * Tables that have changed so much that statistics or free space of theirs are out of date, by the thresholds of PostgreSQL's autovacuum.
 * Changes are counted in memory and lost where the server is killed; tables that have never been looked at are known by their `reltuples`.
 */
const tablesToTend = (db: Db): Promise<Table[]> =>
  db.all<Table>(sql`with changed as (
      select s.relid, format('%I.%I', s.schemaname, s.relname) as name, greatest(c.reltuples, 0) as rows,
        s.n_dead_tup as dead, s.n_ins_since_vacuum as added, s.n_mod_since_analyze as modified, c.reltuples < 0 and pg_relation_size(c.oid) > 0 as is_new
      from pg_stat_all_tables s join pg_class c on c.oid = s.relid where s.schemaname !~ '^pg_toast' and c.relkind in ('r', 'm')),
    due as (select *, dead > 50 + 0.2 * rows or added > 1000 + 0.2 * rows as space, is_new or modified > 50 + 0.1 * rows as statistics from changed)
    select name, space, statistics from due where space or statistics order by name`);

/** The name comes from the catalogue, quoted. */
const tending = ({ name, space, statistics }: Table): Statement => ({
  // Files keep their length: shortening them would take a lock, and free space is used again.
  text: space ? `vacuum (truncate false, analyze ${statistics}) ${name}` : `analyze ${name}`,
  values: [],
});

/**
 * Does for the embedded database what autovacuum does for a server of PostgreSQL: updates the statistics by which statements are planned, and
 * makes the space of deleted rows usable again. One statement a table, so that requests are answered in between. Returns how many tables.
 */
export const tendOnce = async (db: Db): Promise<number> => {
  await db.one(sql`select pg_stat_force_next_flush()`);
  const tables = await tablesToTend(db);
  for (const table of tables) await db.run(tending(table));
  return tables.length;
};

/** Tends the database every minute; less often after failures. Returns a function that ends it, after the table that it is at. */
export const keepTended = (db: Db, everyMs = minuteMs): (() => Promise<void>) => {
  let ended = false;
  let pause = everyMs;
  let pass: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(() => {
      pass = tendOnce(db).then(
        () => {
          pause = everyMs;
        },
        // Whoever works with the database learns of it; nothing is lost by doing this later.
        () => {
          pause = Math.min(pause * 2, longestMs);
        },
      );
      void pass.then(() => ended || wait());
    }, pause).unref();
  };
  wait();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await pass;
  };
};
