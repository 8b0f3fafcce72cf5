import type { messageEndpoints } from '#contract/api/messages.ts';
import type { MessageChange } from '#contract/commands/message-commands.ts';
import { Instant } from '#contract/entities/fields.ts';
import type { Conversation, Message } from '#contract/entities/message.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { applyMessageChanges, correspondent, messageRow, messageSource } from '#server/features/messages/messages.sql.ts';
import { ProductError } from '#server/http/product-error.ts';
import { keyOf, noteReplayed, requireActor } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import { throwFailure } from '#server/ledger/apply-once.ts';
import type { Services } from '#server/services.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const mostListed = 500;

export const messageHandlers = ({ db, now, mail, config, log }: Services): HandlersOf<typeof messageEndpoints> => {
  /** Messages are between two people: nobody else reads them, whatever they may see otherwise. */
  const requireSelf = (actor: Actor, id: string) => {
    if (id !== actor.user.uuid) throw new ProductError('not_found');
  };
  const list = (where: Statement) =>
    db.all<Message>(
      sql`select ${messageRow} from ${messageSource} where ${where} order by m.received_at desc, m.sent_at desc, m.id desc limit ${mostListed}`,
    );
  const sent = (id: string) => sql`m.sender_id = ${id} and not m.hidden_by_sender`;
  const received = (id: string) => sql`m.recipient_id = ${id} and not m.hidden_by_recipient`;
  const once = async (request: FastifyRequest, reply: FastifyReply, actor: Actor, change: MessageChange) => {
    requireActor(request, actor);
    await noteReplayed(db, actor, [change.id], reply);
    const { message, fresh, outcomes, failure } = await applyMessageChanges(db, actor, [change], now());
    if (failure || !message) return throwFailure(failure, null, outcomes, now());
    return { data: message, fresh, meta: { outcomes, server_time: now().toISOString() } };
  };
  /** Tells the recipient by e-mail that there is a message, not what it says. Without mail the message is there all the same. */
  const notify = async (message: Message) => {
    const to = await beyondScope(() => db.one<{ email: string }>(sql`select email from users where id = ${message.recipient.id}`));
    await mail.send({
      to: to?.email ?? '',
      subject: `${message.sender.name} has written to you`,
      body: `${message.sender.name} has written to you in Lantern. Read it here:\n${config.PUBLIC_URL}/messages?with=${message.sender.id}`,
    });
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
    deleteMessage: async ({ params, actor }) => {
      requireSelf(actor, params.id);
      const count =
        await db.run(sql`update messages set hidden_by_sender = hidden_by_sender or sender_id = ${params.id}, hidden_by_recipient = hidden_by_recipient or recipient_id = ${params.id}
        where id = ${params.messageId} and (sender_id = ${params.id} or recipient_id = ${params.id})`);
      if (count === 0) throw new ProductError('not_found');
    },
  };
};
