import type { Broadcast, Conversation, Message } from '#contract/entities/message.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

const mostListed = 500;
const source = sql`messages m join person_names s on s.id = m.sender_id join person_names r on r.id = m.recipient_id`;
const columns = sql`m.id, json_build_object('id', s.id, 'name', s.name) as sender, json_build_object('id', r.id, 'name', r.name) as recipient, m.message,
  ${instant(sql`m.sent_at`)} as sent_at, ${instant(sql`m.received_at`)} as received_at, ${instant(sql`m.read_at`)} as read_at`;

/** The people an actor can write to: those of their organisation and below it, and those who have written to them. For `person_names u`. */
export const correspondent = (actor: Actor): Statement =>
  sql`u.id <> ${actor.user.uuid} and not u.has_left and ${
    actor.seesAll
      ? sql`u.id in (select x.id from users x)`
      : sql`u.id in (select x.id from users x where x.primary_entity_id = any(${[...actor.entityIds, actor.user.primary_entity.id]}::uuid[])
          union select w.sender_id from messages w where w.recipient_id = ${actor.user.uuid})`
  }`;

export const correspondentsOf = (on: Db, actor: Actor): Promise<{ id: string; name: string }[]> =>
  on.all(sql`select u.id, u.name from person_names u where ${correspondent(actor)} order by u.name limit 2000`);

export const messageRows = (on: Db, where: Statement): Promise<Message[]> =>
  on.all<Message>(sql`select ${columns} from ${source} where ${where} order by m.received_at desc, m.sent_at desc, m.id desc limit ${mostListed}`);
// An announcement, or a message written by the product in somebody’s name, becomes part of a conversation once the recipient replies.
const sentBy = (id: string) => sql`m.sender_id = ${id} and not m.hidden_by_sender and ((m.broadcast_id is null and not m.by_product)
  or exists (select 1 from messages w where w.sender_id = m.recipient_id and w.recipient_id = m.sender_id and w.received_at > m.received_at))`;
const receivedBy = (id: string) => sql`m.recipient_id = ${id} and not m.hidden_by_recipient`;

/** The messages a person has sent, to everybody or to this person. */
export const sentMessages = (on: Db, id: string, recipient?: string) =>
  messageRows(on, recipient === undefined ? sentBy(id) : sql`${sentBy(id)} and m.recipient_id = ${recipient}`);
/** The messages a person has received, from everybody or from this person. */
export const receivedMessages = (on: Db, id: string, sender?: string) =>
  messageRows(on, sender === undefined ? receivedBy(id) : sql`${receivedBy(id)} and m.sender_id = ${sender}`);

/** The people with whom a person has exchanged messages, latest first. */
export const conversationsOf = async (on: Db, id: string): Promise<Conversation[]> => {
  const rows = await on.all<Message & { other: string; unread: number }>(sql`select distinct on (other) * from (
        select ${columns}, case when m.sender_id = ${id} then m.recipient_id else m.sender_id end as other, m.received_at as arrived,
          (select count(*)::int from messages n where n.recipient_id = ${id} and n.sender_id = case when m.sender_id = ${id} then m.recipient_id else m.sender_id end and n.read_at is null and not n.hidden_by_recipient) as unread
        from ${source} where (${sentBy(id)}) or (${receivedBy(id)})) mine order by other, arrived desc, sent_at desc, id desc`);
  const conversations = rows.map(
    ({ other, unread, arrived: _, ...last }: Message & { other: string; unread: number; arrived?: string }): Conversation => ({
      person: last.sender.id === other ? last.sender : last.recipient,
      last,
      unread_message_count: unread,
    }),
  );
  return conversations.sort((a, b) => (a.last.received_at < b.last.received_at ? 1 : -1));
};

export const broadcastRows = (on: Db, where: Statement): Promise<Broadcast[]> =>
  on.all<Broadcast>(sql`select b.id, b.audience, b.message, b.by_mail, b.recipients, ${instant(sql`b.sent_at`)} as sent_at,
      (select count(*)::int from messages m where m.broadcast_id = b.id and m.read_at is not null) as read
    from broadcasts b where ${where} order by b.sent_at desc, b.id limit ${mostListed}`);
/** A person's announcements. */
export const broadcastsOf = (on: Db, id: string): Promise<Broadcast[]> => broadcastRows(on, sql`b.sender_id = ${id}`);
