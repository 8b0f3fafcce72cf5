import type { Message } from '#contract/entities/message.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { laneName } from '#src/offline/lanes/lane-kind.ts';
import { takeMessages } from '#src/offline/lanes/message-lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { MessageRow, PersonDb } from '#src/offline/store/person-db.ts';

/** Messages to and from another person. Each resolves when it is saved on this tablet. */
type Ref = { id: string; name: string };

export const sendMessage = async (db: PersonDb, me: Ref, recipient: Ref, message: string): Promise<string> => {
  const id = newId();
  const at = correctedNow().toISOString();
  await commit(
    db,
    me.id,
    [db.messages],
    [
      {
        id,
        lane: laneName('messages', recipient.id),
        command: 'message.send',
        args: { recipient_id: recipient.id, message },
        sentence: `Wrote to ${recipient.name}`,
        mergeKey: null,
        at,
      },
    ],
    () => db.messages.put({ id, other: recipient.id, sender: me, recipient, message, sent_at: at, received_at: null, read_at: null }),
  );
  return id;
};

/** Marks messages as read: they stay read, on every device. */
export const markRead = async (db: PersonDb, messages: readonly MessageRow[]): Promise<void> => {
  const at = correctedNow().toISOString();
  const unread = messages.filter((m) => m.read_at === null && m.sender.id !== db.personId);
  if (unread.length === 0) return;
  await commit(
    db,
    db.personId,
    [db.messages],
    unread.map((m) => ({
      id: newId(),
      lane: laneName('messages', m.other, 'read'),
      command: 'message.read',
      args: { message_id: m.id },
      sentence: `Read a message of ${m.sender.name}`,
      mergeKey: `read:${m.id}`,
      at,
    })),
    () => db.messages.bulkPut(unread.map((m) => ({ ...m, read_at: at }))),
  );
};

/** Takes messages that were read online. One that the server no longer lists stays only while it waits to be sent. */
export const noteServerMessages = async (db: PersonDb, messages: readonly Message[]): Promise<void> => {
  await db.transaction('rw', [db.messages], async () => {
    const listed = new Set(messages.map((m) => m.id));
    const gone = (await db.messages.toArray()).filter((m) => m.received_at !== null && !listed.has(m.id));
    await db.messages.bulkDelete(gone.map((m) => m.id));
    await takeMessages(db, messages);
  });
};
