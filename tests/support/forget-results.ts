import { type Db, type Statement, sql } from '#server/db/sql.ts';

/** Takes results away as if they had never been, which the product itself cannot do. `where` is a condition on `results`. */
export const forgetResults = (db: Db, where: Statement): Promise<void> =>
  db.tx(async (tx) => {
    await tx.run(sql`alter table results disable trigger results_stay`);
    await tx.run(sql`alter table result_versions disable trigger result_versions_stay`);
    await tx.run(sql`delete from result_versions where result_id in (select id from results where ${where})`);
    await tx.run(sql`delete from results where ${where}`);
    await tx.run(sql`alter table result_versions enable trigger result_versions_stay`);
    await tx.run(sql`alter table results enable trigger results_stay`);
    await tx.run(sql`update standings set cells = standing_of(user_id)`);
  });
