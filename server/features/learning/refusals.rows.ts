import { cutText } from '#contract/rules/cut-text.ts';
import type * as z from 'zod/mini';
import type { Refusal, RefusedEntry } from '#contract/entities/refusal.ts';
import { reference } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/http/sessions.ts';

/** A refusal in the contract's shape; for `refusals r join users u`. */
export const refusalRow = sql`r.entry_id as id, json_build_object('id', u.id, 'name', u.name) as user, r.command, r.code, r.message, r.payload, r.at, r.asked_at, r.question,
  r.answered_at, r.answer, r.evidence_at, ${reference('person_names', sql`r.answered_by`)} as answered_by`;

export const refusalById = async (db: Db, userId: string, id: string): Promise<Refusal> =>
  (await db.one<Refusal>(
    sql`select ${refusalRow} from refusals r join users u on u.id = r.user_id where r.user_id = ${userId} and r.entry_id = ${id}`,
  )) as Refusal;

/** Updates the caller's own refused change; one that never reached the server is archived first. */
export const noteRefusal = async (
  db: Db,
  actor: Actor,
  id: string,
  entry: z.infer<typeof RefusedEntry>,
  change: Statement,
  now: Date,
): Promise<Refusal> => {
  await db.run(sql`insert into refusals (user_id, entry_id, command, payload, code, message, at)
    values (${actor.user.uuid}, ${id}, ${entry.command}, ${JSON.stringify(entry.payload ?? null)}, ${entry.code}, ${entry.message}, ${now}) on conflict (user_id, entry_id) do nothing`);
  // A refusal archived by the server contains no text from the person.
  const sentence = (entry.payload as { sentence?: unknown } | null)?.sentence;
  if (typeof sentence === 'string')
    await db.run(sql`update refusals set payload = payload || ${JSON.stringify({ sentence: cutText(sentence, 500) })}::jsonb
      where user_id = ${actor.user.uuid} and entry_id = ${id} and jsonb_typeof(payload) = 'object'`);
  await db.run(sql`update refusals set ${change} where user_id = ${actor.user.uuid} and entry_id = ${id}`);
  return refusalById(db, actor.user.uuid, id);
};
