import type { OpenDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';

/** Every applied change in the ledger has its effect, and every effect is in the ledger. */
export const ledgerEqualsEffects = async (database: OpenDatabase, user: string): Promise<string[]> => {
  const torn = await database.db.all<{ id: string }>(
    sql`select s.id from quiz_submissions s join attempts a on a.id = s.attempt_id where a.user_id = ${user} and not exists (select 1 from ledger l where l.user_id = a.user_id and l.entry_id = s.id)
      union select a.id from attempts a where a.user_id = ${user} and a.rev > 0 and not exists (select 1 from ledger l where l.user_id = a.user_id)`,
  );
  return torn.map((t) => `${t.id} has an effect and no line in the ledger`);
};
