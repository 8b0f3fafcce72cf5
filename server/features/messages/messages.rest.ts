import type { messageEndpoints } from '#contract/api/messages.ts';
import type { MessageChange } from '#contract/commands/message-commands.ts';
import { Instant } from '#contract/entities/fields.ts';
import type { Conversation, Message } from '#contract/entities/message.ts';
import type { Broadcast } from '#contract/entities/message.ts';
import { beyondScope } from '#server/db/scope.ts';
import { existing } from '#server/db/rows.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';
import { listedPerson, visibleEntity } from '#server/db/seen.ts';
import { applyMessageChanges, correspondent, messageRow, messageSource } from '#server/features/messages/messages.rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { keyOf } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import { holdThing } from '#server/ledger/apply-once.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const mostListed = 500;

export const messageHandlers = (services: Services): HandlersOf<typeof messageEndpoints> => {
  const { db, now, mail, config, log } = services;
  /** Messages are private to the two people, whatever permissions others have. */
  const requireSelf = (actor: Actor, id: string) => {
    existing(id === actor.user.uuid);
  };
  const list = (where: Statement) =>
    db.all<Message>(
      sql`select ${messageRow} from ${messageSource} where ${where} order by m.received_at desc, m.sent_at desc, m.id desc limit ${mostListed}`,
    );
  // An announcement becomes part of a conversation once the recipient replies.
  const sent = (id: string) => sql`m.sender_id = ${id} and not m.hidden_by_sender and (m.broadcast_id is null
    or exists (select 1 from messages w where w.sender_id = m.recipient_id and w.recipient_id = m.sender_id and w.received_at > m.received_at))`;
  const received = (id: string) => sql`m.recipient_id = ${id} and not m.hidden_by_recipient`;
  const once = async (request: FastifyRequest, reply: FastifyReply, actor: Actor, change: MessageChange) => {
    const { data, meta, taken } = await receive(services, { actor, request, reply }, [change], () => applyMessageChanges(db, actor, [change], now()));
    return { data, meta, fresh: taken.fresh };
  };
  const told = (name: string, id: string) => ({
    subject: `New message from ${name}`,
    body: `${name} has sent you a message in Lantern. Read it here:\n${config.PUBLIC_URL}/messages?with=${id}`,
  });
  /** Notifies the recipient by e-mail, without the text. The message is delivered in the app even if the e-mail fails. */
  const notify = async (message: Message) => {
    const to = await beyondScope(() => db.one<{ email: string }>(sql`select email from users where id = ${message.recipient.id}`));
    await mail.send({ to: to?.email ?? '', ...told(message.sender.name, message.sender.id) });
  };
  const broadcasts = (where: Statement) =>
    db.all<Broadcast>(sql`select b.id, b.audience, b.message, b.by_mail, b.recipients, ${instant(sql`b.sent_at`)} as sent_at,
        (select count(*)::int from messages m where m.broadcast_id = b.id and m.read_at is not null) as read
      from broadcasts b where ${where} order by b.sent_at desc, b.id limit ${mostListed}`);
  type ToMany = { message: string; messageTypes?: 'mail'[] | undefined };
  /** Sends an individual message to each of these people whom the caller manages and who have not left. */
  const writeToMany = async (by: { actor: Actor; request: FastifyRequest }, who: Statement, audience: string, { message, messageTypes }: ToMany) => {
    const { actor } = by;
    const id = keyOf(by.request);
    const mailed = messageTypes?.includes('mail') === true;
    const fresh = await db.tx(async (tx) => {
      await holdThing(tx, id);
      const before = await tx.one<{ message: string; audience: string }>(sql`select message, audience from broadcasts where id = ${id}`);
      if (before) {
        if (before.message !== message || before.audience !== audience) throw new ProductError('idempotency_mismatch');
        return false;
      }
      const people = await tx.all<{ id: string }>(
        sql`select u.id from users u where ${listedPerson(actor)} and u.disabled_at is null and u.id <> ${actor.user.uuid} and ${who}`,
      );
      if (people.length === 0) throw invalid('recipient', `There is nobody to send this to: ${audience}.`);
      await tx.run(sql`insert into broadcasts (id, sender_id, audience, message, by_mail, recipients, sent_at)
        values (${id}, ${actor.user.uuid}, ${audience}, ${message}, ${mailed}, ${people.length}, ${now()})`);
      await tx.run(sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at, broadcast_id)
        select gen_random_uuid(), ${actor.user.uuid}, x, ${message}, ${now()}, ${now()}, ${id} from unnest(${people.map((p) => p.id)}::uuid[]) x`);
      return true;
    });
    if (fresh && mailed)
      await mail.sendToAll(
        sql`select u.email from messages m join users u on u.id = m.recipient_id where m.broadcast_id = ${id}`,
        told(actor.user.name, actor.user.uuid),
      );
    const [broadcast] = await broadcasts(sql`b.id = ${id}`);
    return { data: broadcast as Broadcast };
  };
  const below = (entityId: string) => sql`u.primary_entity_id in (select b.below from entity_below b where b.above = ${entityId})`;
  const seenEntity = async (actor: Actor, slug: string) => {
    const entity = existing(
      await db.one<{ id: string; name: string }>(sql`select e.id, e.name from entities e where e.slug = ${slug} and ${visibleEntity(actor)}`),
    );
    return entity;
  };
  return {
    sentMessages: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      return { data: await list(sent(params.id)) };
    },
    sentMessagesTo: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      return { data: await list(sql`${sent(params.id)} and m.recipient_id = ${params.recipient}`) };
    },
    receivedMessages: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      return { data: await list(received(params.id)) };
    },
    receivedMessagesFrom: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      return { data: await list(sql`${received(params.id)} and m.sender_id = ${params.sender}`) };
    },
    listConversations: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      const rows = await db.all<Message & { other: string; unread: number }>(sql`select distinct on (other) * from (
        select ${messageRow}, case when m.sender_id = ${params.id} then m.recipient_id else m.sender_id end as other, m.received_at as arrived,
          (select count(*)::int from messages n where n.recipient_id = ${params.id} and n.sender_id = case when m.sender_id = ${params.id} then m.recipient_id else m.sender_id end and n.read_at is null and not n.hidden_by_recipient) as unread
        from ${messageSource} where (${sent(params.id)}) or (${received(params.id)})) mine order by other, arrived desc, sent_at desc, id desc`);
      const conversations = rows.map(
        ({ other, unread, arrived: _, ...last }: Message & { other: string; unread: number; arrived?: string }): Conversation => ({
          person: last.sender.id === other ? last.sender : last.recipient,
          last,
          unread_message_count: unread,
        }),
      );
      return { data: conversations.sort((a, b) => (a.last.received_at < b.last.received_at ? 1 : -1)) };
    },
    listCorrespondents: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      return { data: await db.all(sql`select u.id, u.name from person_names u where ${correspondent(actor)} order by u.name limit 2000`) };
    },
    sendMessage: async ({ params, body, actor, request, reply }) => {
      const { fresh, ...answer } = await once(request, reply, actor, {
        id: keyOf(request),
        version: 1,
        at: Instant.safeParse(body.at).data ?? now().toISOString(),
        command: 'message.send',
        args: { recipient_id: params.id, message: body.message },
      });
      if (fresh && body.messageTypes?.includes('mail')) await notify(answer.data).catch((error) => log.error(error));
      return answer;
    },
    readMessage: async ({ params, actor, request, reply }) => {
      requireSelf(actor, params.id);
      const { fresh: _, ...answer } = await once(request, reply, actor, {
        id: keyOf(request),
        version: 1,
        at: now().toISOString(),
        command: 'message.read',
        args: { message_id: params.messageId },
      });
      return answer;
    },
    messageEntity: async ({ params, body, ...by }) => {
      const entity = await seenEntity(by.actor, params.slug);
      return writeToMany(by, below(entity.id), `everyone at ${entity.name}`, body);
    },
    messageRole: async ({ params, body, ...by }) => {
      const entity = await seenEntity(by.actor, params.slug);
      const role = existing(
        await db.one<{ name: string }>(
          sql`select r.name from roles r where r.id = ${params.roleId} and r.entity_id in (select entity_and_above(${entity.id}))`,
        ),
      );
      const held = sql`u.id in (select h.user_id from held_roles h where h.role_id = ${params.roleId})`;
      return writeToMany(by, sql`${below(entity.id)} and ${held}`, `${role.name} at ${entity.name}`, body);
    },
    messageTag: async ({ params, body, ...by }) => {
      const { actor } = by;
      const tag = existing(
        await db.one<{ name: string }>(
          sql`select t.name from tags t join entities e on e.id = t.entity_id where t.id = ${params.id} and (${visibleEntity(actor)} or e.id in (select entity_and_above(${actor.place.id})))`,
        ),
      );
      const marked = sql`(exists (select 1 from tag_users x where x.tag_id = ${params.id} and x.user_id = u.id)
        or exists (select 1 from tag_entities x where x.tag_id = ${params.id} and x.entity_id in (select entity_and_above(u.primary_entity_id))))`;
      return writeToMany(by, marked, `everyone with the tag ${tag.name}`, body);
    },
    listBroadcasts: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      return { data: await broadcasts(sql`b.sender_id = ${actor.user.uuid}`) };
    },
    deleteMessage: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      existing(
        await db.run(sql`update messages set hidden_by_sender = hidden_by_sender or sender_id = ${params.id}, hidden_by_recipient = hidden_by_recipient or recipient_id = ${params.id}
        where id = ${params.messageId} and (sender_id = ${params.id} or recipient_id = ${params.id})`),
      );
    },
  };
};
