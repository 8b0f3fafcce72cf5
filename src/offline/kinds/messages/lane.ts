import type { ArgsOf } from '#contract/kinds.ts';
import type { Message } from '#contract/entities/message.ts';
import { protocol } from '#contract/protocol.ts';
import { request } from '#src/api/transport.ts';
import type { LaneOf, Sent } from '#src/offline/kinds/lane.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** Stores messages from the server. A message once read stays read. */
export const takeMessages = async (db: PersonDb, messages: readonly Message[]): Promise<void> => {
  const localMessages = await db.messages.bulkGet(messages.map((m) => m.id));
  await db.messages.bulkPut(
    messages.map((m, i) => ({
      ...m,
      read_at: m.read_at ?? localMessages[i]?.read_at ?? null,
      other: m.sender.id === db.personId ? m.recipient.id : m.sender.id,
    })),
  );
};

/** Conversations. Each message is a separate request, as in the specification, with its id as the key. */
export const messagesLane: LaneOf<'messages'> = {
  atOnce: 1,
  send: (_other, changes, headers) => {
    const [change] = changes as [Sent];
    const keyed = { ...headers, [protocol.idempotencyHeader]: change.id };
    if (change.command === 'message.read') {
      const { message_id } = change.args as ArgsOf<'message.read'>;
      return request<Message>('PATCH', `/users/${headers[protocol.actorHeader]}/received/messages/${message_id}`, { body: {}, headers: keyed });
    }
    const { recipient_id, message } = change.args as ArgsOf<'message.send'>;
    return request<Message>('POST', `/users/${recipient_id}/message`, {
      body: { message, messageTypes: ['mail'], recipient: recipient_id, at: change.at },
      headers: keyed,
    });
  },
  tables: (db) => [db.messages],
  take: (db, message) => takeMessages(db, [message]),
};
