import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Broadcast, Conversation, Message, MessageText } from '#contract/entities/message.ts';
import { Id, Ref, Slug } from '#contract/entities/fields.ts';

/** Messages between two people. Those to a role, an organisation, a tag or everybody are made online only. */
const person = z.object({ id: Id });
const list = { response: z.array(Message), errors: ['not_found', 'unauthenticated'], access: 'signed-in', offline: 'cached' } as const;

export const sentMessages = endpoint({
  id: 'sentMessages',
  method: 'GET',
  path: '/users/{id}/sent/messages',
  summary: 'What a person has sent, newest first: one’s own only.',
  params: person,
  ...list,
});
export const sentMessagesTo = endpoint({
  id: 'sentMessagesTo',
  method: 'GET',
  path: '/users/{id}/sent/{recipient}/messages',
  summary: 'What a person has sent to another, newest first.',
  params: z.object({ id: Id, recipient: Id }),
  ...list,
});
export const receivedMessages = endpoint({
  id: 'receivedMessages',
  method: 'GET',
  path: '/users/{id}/received/messages',
  summary: 'What a person has received, newest first: one’s own only.',
  params: person,
  ...list,
});
export const receivedMessagesFrom = endpoint({
  id: 'receivedMessagesFrom',
  method: 'GET',
  path: '/users/{id}/received/{sender}/messages',
  summary: 'What a person has received from another, newest first.',
  params: z.object({ id: Id, sender: Id }),
  ...list,
});
export const listConversations = endpoint({
  id: 'listConversations',
  method: 'GET',
  path: '/users/{id}/conversations',
  ours: true,
  summary: 'The people one has messages with, the newest first, with the number of unread ones.',
  params: person,
  response: z.array(Conversation),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const listCorrespondents = endpoint({
  id: 'listCorrespondents',
  method: 'GET',
  path: '/users/{id}/correspondents',
  ours: true,
  summary: 'The people one may write to: those of one’s organisation, and those who wrote first.',
  params: person,
  response: z.array(Ref),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const sendMessage = endpoint({
  id: 'sendMessage',
  method: 'POST',
  path: '/users/{id}/message',
  summary: 'Sends a message to a person, once for each Idempotency-Key: a device that is not heard sends it again with the same key.',
  params: person,
  body: z.object({
    message: MessageText,
    messageTypes: z.optional(z.array(z.literal('mail'))),
    recipient: z.optional(Id),
    /** When it was written, where that was earlier. Ours. */
    at: z.optional(z.string()),
  }),
  response: Message,
  errors: ['invalid_input', 'recipient_gone', 'idempotency_mismatch', 'actor_mismatch', 'unauthenticated', 'csrf_mismatch'],
  access: 'signed-in',
  offline: 'queue',
});
export const readMessage = endpoint({
  id: 'readMessage',
  method: 'PATCH',
  path: '/users/{id}/received/messages/{messageId}',
  summary: 'Marks a message that one received as read. It stays read.',
  params: z.object({ id: Id, messageId: Id }),
  response: Message,
  errors: ['not_found', 'idempotency_mismatch', 'actor_mismatch', 'unauthenticated', 'csrf_mismatch'],
  access: 'signed-in',
  offline: 'queue',
});
export const deleteMessage = endpoint({
  id: 'deleteMessage',
  method: 'DELETE',
  path: '/users/{id}/messages/{messageId}',
  summary: 'Removes a message from one’s own list. The other person keeps it.',
  params: z.object({ id: Id, messageId: Id }),
  status: 204,
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});

const toMany = {
  body: z.object({ message: MessageText, messageTypes: z.optional(z.array(z.literal('mail'))), recipient: z.optional(z.string()) }),
  response: Broadcast,
  status: 201,
  errors: ['invalid_input', 'not_found', 'idempotency_mismatch', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  offline: 'online-only',
} as const;
const once = 'once for each Idempotency-Key; with `mail` in `messageTypes` they are told by e-mail as well';
export const messageEntity = endpoint({
  ...{
    id: 'messageEntity',
    method: 'POST',
    path: '/entities/{slug}/message',
    params: z.object({ slug: Slug }),
    access: ['entity.view', 'entity.update'],
    ...toMany,
  },
  summary: `Sends a message to everybody of an organisation and below it, ${once}.`,
});
export const messageRole = endpoint({
  ...{ id: 'messageRole', method: 'POST', path: '/entities/{slug}/roles/{roleId}/message', access: ['role.view', 'role.update'], ...toMany },
  params: z.object({ slug: Slug, roleId: Id }),
  summary: `Sends a message to everybody with a job role in an organisation and below it, ${once}.`,
});
export const messageTag = endpoint({
  ...{ id: 'messageTag', method: 'POST', path: '/tags/{id}/message', params: z.object({ id: Id }), access: ['tag.use', 'tag.manage'], ...toMany },
  summary: `Sends a message to everybody whom a tag marks, or whose organisation it marks, ${once}.`,
});
export const listBroadcasts = endpoint({
  ...{ id: 'listBroadcasts', method: 'GET', path: '/users/{id}/broadcasts', ours: true, params: person, response: z.array(Broadcast) },
  ...{ errors: ['not_found', 'unauthenticated'], access: 'signed-in', offline: 'online-only' },
  summary: 'What one has written to many at once, newest first, and how many have read it.',
});

export const messageEndpoints = [
  sentMessages,
  sentMessagesTo,
  receivedMessages,
  receivedMessagesFrom,
  listConversations,
  listCorrespondents,
  sendMessage,
  readMessage,
  deleteMessage,
  messageEntity,
  messageRole,
  messageTag,
  listBroadcasts,
] as const;
