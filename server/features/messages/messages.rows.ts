import type { MessageChange } from '#contract/commands/message-commands.ts';
import type { Message } from '#contract/entities/message.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/http/sessions.ts';
import { applyOnce, holdThing, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';

export const messageSource = sql`messages m join person_names s on s.id = m.sender_id join person_names r on r.id = m.recipient_id`;
export const messageRow = sql`m.id, json_build_object('id', s.id, 'name', s.name) as sender, json_build_object('id', r.id, 'name', r.name) as recipient, m.message,
  ${instant(sql`m.sent_at`)} as sent_at, ${instant(sql`m.received_at`)} as received_at, ${instant(sql`m.read_at`)} as read_at`;

/** The people an actor can write to: those of their organisation and below it, and those who have written to them. For `person_names u`. */
export const correspondent = (actor: Actor): Statement =>
  sql`u.id <> ${actor.user.uuid} and not u.has_left and ${
    actor.seesAll
      ? sql`u.id in (select x.id from users x)`
      : sql`u.id in (select x.id from users x where x.primary_entity_id = any(${[...actor.entityIds, actor.user.primary_entity.id]}::uuid[])
          union select w.sender_id from messages w where w.recipient_id = ${actor.user.uuid})`
  }`;

/** `fresh` is false if all changes had already been applied. */
export type AppliedMessage = Taken<Message> & { fresh: boolean };

/** Creates messages and marks them as read, each exactly once. `current` is the subject of the last change. */
export const applyMessageChanges = async (db: Db, actor: Actor, changes: readonly MessageChange[], now: Date): Promise<AppliedMessage> =>
  db.tx(async (tx) => {
    // The same change may arrive twice concurrently.
    for (const id of changes.map((c) => c.id).sort()) await holdThing(tx, id);
    const { outcomes, failure, effects, record } = await applyOnce(tx, actor.user.uuid, changes, now, async (change) => {
      if (change.command === 'message.send') {
        if (!(await tx.one(sql`select u.id from person_names u where u.id = ${change.args.recipient_id} and ${correspondent(actor)}`)))
          throw new Refused('recipient_gone', ['keep_theirs', 'ask_manager']);
        await tx.run(sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at)
          values (${change.id}, ${actor.user.uuid}, ${change.args.recipient_id}, ${change.args.message}, ${timeOf(change, now)}, ${now})`);
      } else {
        const count = await tx.run(
          sql`update messages set read_at = least(read_at, ${timeOf(change, now)}::timestamptz) where id = ${change.args.message_id} and recipient_id = ${actor.user.uuid}`,
        );
        if (count === 0) throw new Refused('not_found', ['keep_theirs']);
      }
      return 'applied';
    });
    await record();
    const last = changes.at(-1);
    const id = last?.command === 'message.read' ? last.args.message_id : last?.id;
    const message = failure ? null : ((await tx.one<Message>(sql`select ${messageRow} from ${messageSource} where m.id = ${id ?? null}`)) ?? null);
    return { current: message, fresh: effects > 0, outcomes, failure };
  });
