import type { FastifyReply, FastifyRequest } from 'fastify';
import type { messageEndpoints } from '#contract/api/messages.ts';
import type { MessageChange } from '#contract/commands/message-commands.ts';
import { Instant } from '#contract/entities/fields.ts';
import { existing } from '#server/db/rows.ts';
import { broadcastsOf, conversationsOf, correspondentsOf, receivedMessages, sentMessages } from '#server/features/messages/messages.rows.ts';
import { applyMessageChanges, messagesOf } from '#server/features/messages/messages.service.ts';
import { remindersOf } from '#server/features/messages/reminders.service.ts';
import { keyOf } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const messageHandlers = (services: Services): HandlersOf<typeof messageEndpoints> => {
  const { db, now } = services;
  const messages = messagesOf(services);
  const reminders = remindersOf(services);
  /** Messages are private to the two people, whatever permissions others have. */
  const forOneself = <P extends { id: string }, A>({ params, actor }: { params: P; actor: Actor }, answer: (id: string, params: P) => A): A => {
    existing(params.id === actor.user.uuid);
    return answer(params.id, params);
  };
  type Call = { actor: Actor; request: FastifyRequest; reply: FastifyReply };
  type Send = Parameters<typeof applyMessageChanges>[4];
  const once = async ({ actor, request, reply }: Call, command: Pick<MessageChange, 'command' | 'args'>, at?: string, tell?: Send) => {
    const change = { id: keyOf(request), version: 1, at: at ?? now().toISOString(), ...command } as MessageChange;
    const { data, meta } = await receive(services, { actor, request, reply }, [change], () => applyMessageChanges(db, actor, [change], now(), tell));
    return { data, meta };
  };
  return {
    sentMessages: async (call) => forOneself(call, async (id) => ({ data: await sentMessages(db, id) })),
    sentMessagesTo: async (call) => forOneself(call, async (id, { recipient }) => ({ data: await sentMessages(db, id, recipient) })),
    receivedMessages: async (call) => forOneself(call, async (id) => ({ data: await receivedMessages(db, id) })),
    receivedMessagesFrom: async (call) => forOneself(call, async (id, { sender }) => ({ data: await receivedMessages(db, id, sender) })),
    listConversations: async (call) => forOneself(call, async (id) => ({ data: await conversationsOf(db, id) })),
    listCorrespondents: async (call) => forOneself(call, async () => ({ data: await correspondentsOf(db, call.actor) })),
    sendMessage: async ({ params, body, ...call }) => {
      const args = { recipient_id: params.id, message: body.message };
      const tell = body.messageTypes?.includes('mail') ? messages.mailed : undefined;
      const answer = await once(call, { command: 'message.send', args }, Instant.safeParse(body.at).data, tell);
      if (tell) services.mail.wake();
      return answer;
    },
    readMessage: async (call) =>
      forOneself(call, async (_id, { messageId }) => once(call, { command: 'message.read', args: { message_id: messageId } })),
    messageEntity: async ({ params, body, actor, request }) => ({ data: await messages.toEntity(actor, keyOf(request), params.slug, body) }),
    messageRole: async ({ params, body, actor, request }) => ({
      data: await messages.toRole(actor, keyOf(request), params.slug, params.roleId, body),
    }),
    messageTag: async ({ params, body, actor, request }) => ({ data: await messages.toTag(actor, keyOf(request), params.id, body) }),
    previewReminder: async ({ body, actor }) => ({ data: await reminders.preview(actor, body) }),
    sendReminder: async ({ body, actor, request }) => ({ data: await reminders.send(actor, keyOf(request), body) }),
    listBroadcasts: async (call) => forOneself(call, async (id) => ({ data: await broadcastsOf(db, id) })),
    deleteMessage: async (call) => forOneself(call, (_id, { messageId }) => messages.hide(call.actor, messageId)),
  };
};
