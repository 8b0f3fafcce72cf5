import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Broadcast, Conversation, Message, MessageText, Reminder, ReminderPreview, reminderLimits } from '#contract/entities/message.ts';
import { Id, Ref, Slug } from '#contract/entities/fields.ts';

/** Messages between two people. Messages to a role, an organisation, a tag or everyone can be sent online only. */
const person = z.object({ id: Id });
const list = { response: z.array(Message), errors: ['not_found', 'unauthenticated'], access: 'signed-in', offline: 'cached' } as const;

export const sentMessages = endpoint({
  id: 'sentMessages',
  method: 'GET',
  path: '/users/{id}/sent/messages',
  summary: 'Lists the caller’s sent messages, newest first.',
  params: person,
  ...list,
});
export const sentMessagesTo = endpoint({
  id: 'sentMessagesTo',
  method: 'GET',
  path: '/users/{id}/sent/{recipient}/messages',
  summary: 'Lists the caller’s messages to another person, newest first.',
  params: z.object({ id: Id, recipient: Id }),
  ...list,
});
export const receivedMessages = endpoint({
  id: 'receivedMessages',
  method: 'GET',
  path: '/users/{id}/received/messages',
  summary: 'Lists the caller’s received messages, newest first.',
  params: person,
  ...list,
});
export const receivedMessagesFrom = endpoint({
  id: 'receivedMessagesFrom',
  method: 'GET',
  path: '/users/{id}/received/{sender}/messages',
  summary: 'Lists the messages that the caller has received from another person, newest first.',
  params: z.object({ id: Id, sender: Id }),
  ...list,
});
export const listConversations = endpoint({
  id: 'listConversations',
  method: 'GET',
  path: '/users/{id}/conversations',
  ours: true,
  summary: 'Lists the people with whom the caller has exchanged messages, most recent first, with the number of unread messages.',
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
  summary: 'Lists the people the caller can write to: those of the caller’s organisation, and those who wrote first.',
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
  summary: 'Sends a message to a person, once per Idempotency-Key: a device that receives no response sends it again with the same key.',
  params: person,
  body: z.object({
    message: MessageText,
    messageTypes: z.optional(z.array(z.literal('mail'))),
    recipient: z.optional(Id),
    /** When it was written, if earlier. Our addition. */
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
  summary: 'Marks a received message as read. It cannot be marked as unread again.',
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
  summary: 'Deletes a message from the caller’s own list. The other person keeps it.',
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
  costly: true,
} as const;
const once = 'once per Idempotency-Key; with `mail` in `messageTypes` they are also notified by e-mail';
export const messageEntity = endpoint({
  ...{
    id: 'messageEntity',
    method: 'POST',
    path: '/entities/{slug}/message',
    params: z.object({ slug: Slug }),
    access: ['entity.view', 'entity.update'],
    ...toMany,
  },
  summary: `Sends a message to everyone in an organisation and below it, ${once}.`,
});
export const messageRole = endpoint({
  ...{ id: 'messageRole', method: 'POST', path: '/entities/{slug}/roles/{roleId}/message', access: ['role.view', 'role.update'], ...toMany },
  params: z.object({ slug: Slug, roleId: Id }),
  summary: `Sends a message to everyone with a job role in an organisation and below it, ${once}.`,
});
export const messageTag = endpoint({
  ...{ id: 'messageTag', method: 'POST', path: '/tags/{id}/message', params: z.object({ id: Id }), access: ['tag.use', 'tag.manage'], ...toMany },
  summary: `Sends a message to everyone whom a tag marks, or whose organisation it marks, ${once}.`,
});
const reminders = { method: 'POST', ours: true, access: ['user.search'], offline: 'online-only', costly: true } as const;
export const previewReminder = endpoint({
  ...{ id: 'previewReminder', path: '/messages/reminders/preview', ...reminders, body: Reminder, response: ReminderPreview },
  errors: ['invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Shows what a reminder would say: to how many of these people, and the messages to the first three. Nothing is sent.',
});
export const sendReminder = endpoint({
  ...{ id: 'sendReminder', path: '/messages/reminders', ...reminders, status: 201, response: Broadcast },
  body: z.extend(Reminder, { messageTypes: z.optional(z.array(z.literal('mail'))) }),
  errors: ['invalid_input', 'idempotency_mismatch', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary: `Reminds each of these people, up to ${reminderLimits.people.toLocaleString('en-GB')}, of their own courses that are overdue or due soon, with dates, once per Idempotency-Key; with \`mail\` in \`messageTypes\` the same by e-mail. Who has nothing due is not written to.`,
});
export const listBroadcasts = endpoint({
  ...{ id: 'listBroadcasts', method: 'GET', path: '/users/{id}/broadcasts', ours: true, params: person, response: z.array(Broadcast) },
  ...{ errors: ['not_found', 'unauthenticated'], access: 'signed-in', offline: 'online-only' },
  summary: 'Lists the caller’s announcements, newest first, with the number of people who have read each.',
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
  previewReminder,
  sendReminder,
  listBroadcasts,
] as const;
