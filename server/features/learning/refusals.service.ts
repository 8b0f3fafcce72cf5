import type * as z from 'zod/mini';
import type { Refusal, RefusedEntry } from '#contract/entities/refusal.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { existing, insertRow, reference, updateRows } from '#server/db/rows.ts';
import { listedPerson, personAt, visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

const refusalRows = (on: Db, which: Statement): Promise<Refusal[]> =>
  on.all<Refusal>(sql`select r.entry_id as id, json_build_object('id', u.id, 'name', u.name) as user, r.command, r.code, r.message, r.payload, r.at, r.asked_at, r.question,
      r.answered_at, r.answer, r.evidence_at, ${reference('person_names', sql`r.answered_by`)} as answered_by
    from refusals r join users u on u.id = r.user_id where ${which}`);

/** Refused changes: kept for their author, who may ask about them, and for their managers. */
export const refusalsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const row = (userId: string, id: string) => sql`user_id = ${userId} and entry_id = ${id}`;
  const one = async (userId: string, id: string) => existing((await refusalRows(db, sql`r.user_id = ${userId} and r.entry_id = ${id}`))[0]);
  /** Updates the caller's own refused change; one that never reached the server is archived first. */
  const note = async ({ user }: Actor, id: string, entry: z.infer<typeof RefusedEntry>, change: Parameters<typeof updateRows>[2]) => {
    const { command, payload = null, code, message } = entry;
    const refusal = { user_id: user.uuid, entry_id: id, command, payload: JSON.stringify(payload), code, message, at: now() };
    await db.run(sql`${insertRow('refusals', refusal)} on conflict (user_id, entry_id) do nothing`);
    // A refusal archived by the server contains no text from the person.
    const sentence = (payload as { sentence?: unknown } | null)?.sentence;
    if (typeof sentence === 'string') {
      const shortened = sql`payload || ${JSON.stringify({ sentence: cutText(sentence, 500) })}::jsonb`;
      await updateRows(db, 'refusals', { payload: shortened }, sql`${row(user.uuid, id)} and jsonb_typeof(payload) = 'object'`);
    }
    await updateRows(db, 'refusals', change, row(user.uuid, id));
    return one(user.uuid, id);
  };
  return {
    of: async (actor: Actor, userId: string) => {
      await personAt(db, actor, userId);
      return refusalRows(db, sql`r.user_id = ${userId} order by r.at desc limit 200`);
    },
    /** Those of everybody for whom the actor is responsible: unanswered questions come first. */
    ofOthers: (actor: Actor) =>
      refusalRows(db, sql`${listedPerson(actor)} order by (r.asked_at is not null and r.answered_at is null) desc, r.at desc limit 500`),
    ask: (actor: Actor, id: string, entry: z.infer<typeof RefusedEntry>, question: string) =>
      note(actor, id, entry, { asked_at: now(), question, answered_at: null, answer: null }),
    keepAsEvidence: (actor: Actor, id: string, entry: z.infer<typeof RefusedEntry>) =>
      note(actor, id, entry, { evidence_at: sql`coalesce(evidence_at, ${now()})` }),
    answer: async (actor: Actor, id: string, answer: string) => {
      const { user } = existing((await refusalRows(db, sql`r.entry_id = ${id} and r.asked_at is not null and ${visiblePerson(actor)}`))[0]);
      await updateRows(db, 'refusals', { answer, answered_at: now(), answered_by: actor.user.uuid }, row(user.id, id));
      return one(user.id, id);
    },
  };
};
