import { createHash } from 'node:crypto';
import type { sendReminder } from '#contract/api/messages.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { Broadcast, ReminderPreview } from '#contract/entities/message.ts';
import { reminderText } from '#contract/rules/reminder.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import { listedPerson } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { requiredOfEach } from '#server/features/compliance/required-of-each.rows.ts';
import { broadcastRows } from '#server/features/messages/messages.rows.ts';
import { storeBroadcast } from '#server/features/messages/messages.service.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Reminded = { id: string; name: string; message: string };
const examplesShown = 3;
/** The same for the same people, in any order. */
const hashOfPeople = (ids: readonly string[]) =>
  createHash('sha256')
    .update([...new Set(ids)].sort().join())
    .digest('hex');
const subject = 'Training that is overdue or due soon';

/** Reminders that managers send to people of theirs, one or thousands: each names the person's own courses. */
export const remindersOf = ({ db, now, mail, config }: Pick<Services, 'db' | 'now' | 'mail' | 'config'>) => {
  /** The messages to those of these people who have something due, by name, and how many have nothing. Leavers and the sender get none. */
  const written = async (actor: Actor, { user_ids, message }: { user_ids: readonly string[]; message: string }) => {
    const ids = [...new Set(user_ids)];
    const people = await db.all<{ id: string; name: string; has_left: boolean }>(
      sql`select u.id, u.name, u.disabled_at is not null as has_left from users u where u.id = any(${ids}::uuid[]) and ${listedPerson(actor)} order by u.name, u.id`,
    );
    if (people.length < ids.length) throw invalid('user_ids', 'Choose people that you can see.');
    const asked = people.filter((p) => !p.has_left && p.id !== actor.user.uuid);
    const must = await requiredOfEach(
      db,
      asked.map((p) => p.id),
      now(),
    );
    const reminded = asked.flatMap(({ id, name }): Reminded[] => {
      const text = reminderText(must.get(id) ?? [], message, now());
      return text === null ? [] : [{ id, name, message: text }];
    });
    return { reminded, nothing_due: asked.length - reminded.length };
  };
  const store = async (tx: Db, actor: Actor, id: string, reminded: readonly Reminded[], words: string, byMail: boolean, asked_for: string) => {
    const { uuid: sender, name } = actor.user;
    const audience = `${reminded.length.toLocaleString('en-GB')} ${reminded.length === 1 ? 'person' : 'people'}, each with their own courses`;
    const [ids, messages] = [reminded.map((r) => r.id), reminded.map((r) => r.message)];
    await storeBroadcast(tx, {
      ...{ id, sender_id: sender, audience, message: words, by_mail: byMail, recipients: reminded.length, sent_at: now(), asked_for },
    });
    await tx.run(sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at, broadcast_id)
      select gen_random_uuid(), ${sender}, x.id, x.message, ${now()}, ${now()}, ${id} from unnest(${ids}::uuid[], ${messages}::text[]) x (id, message)`);
    if (!byMail) return;
    const end = `\n\nYour courses: ${config.PUBLIC_URL}/\n\n${name} sent you this in Lantern. Answer there: ${config.PUBLIC_URL}/messages?with=${sender}\n`;
    await mail.sendEach(
      sql`select u.email, 'Hello ' || u.name || E',\n\n' || x.message || ${end} from unnest(${ids}::uuid[], ${messages}::text[]) x (id, message) join users u on u.id = x.id`,
      subject,
      tx,
    );
  };

  return {
    preview: async (actor: Actor, asked: { user_ids: readonly string[]; message: string }): Promise<ReminderPreview> => {
      const { reminded, nothing_due } = await written(actor, asked);
      const examples = reminded.slice(0, examplesShown).map(({ id, name, message }) => ({ user: { id, name }, message }));
      return { reminded: reminded.length, nothing_due, examples };
    },
    /** Stores the messages, and with `mail` the e-mails, all or none; a repeated request is answered by what is stored. */
    send: async (actor: Actor, id: string, { messageTypes, ...asked }: BodyOf<typeof sendReminder>): Promise<Broadcast> => {
      const words = asked.message === '' ? 'A reminder of what is overdue or due soon.' : asked.message;
      const askedFor = hashOfPeople(asked.user_ids);
      const byMail = messageTypes?.includes('mail') === true;
      const before = (on: Db) =>
        on.one<{ message: string; asked_for: string | null }>(sql`select message, asked_for from broadcasts where id = ${id}`);
      // Found before it is written to anybody, so that others are answered between the pieces of the work.
      const { reminded } = (await before(db)) ? { reminded: [] } : await written(actor, asked);
      await db.tx(async (tx) => {
        await lockEntity(tx, id);
        const sent = await before(tx);
        if (sent && (sent.asked_for !== askedFor || sent.message !== words)) throw new ProductError('idempotency_mismatch');
        if (sent) return;
        if (reminded.length === 0) throw invalid('user_ids', 'None of these people has anything overdue or due soon.');
        await store(tx, actor, id, reminded, words, byMail, askedFor);
      });
      if (byMail) mail.wake();
      return existing((await broadcastRows(db, sql`b.id = ${id}`))[0]);
    },
  };
};
