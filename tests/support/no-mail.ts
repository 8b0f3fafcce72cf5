import { type Db, sql } from '#server/db/sql.ts';

/** Runs `work` while the database refuses to store e-mails, as it would with a full disk. */
export const whileMailIsRefused = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  await db.run(
    sql`create or replace function mail_refused() returns trigger language plpgsql as $$ begin raise exception 'no room for mail'; end $$`,
  );
  await db.run(sql`create trigger mail_refused before insert on outgoing_mail for each row execute function mail_refused()`);
  try {
    return await work();
  } finally {
    await db.run(sql`drop trigger mail_refused on outgoing_mail`);
  }
};
