import type { Message } from '#contract/entities/message.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { laneName } from '#src/offline/kinds/lane.ts';
import { takeMessages } from '#src/offline/kinds/messages/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { draftPrefix, type MessageRow, type PersonDb } from '#src/offline/store/person-db.ts';

/** Changes to a conversation. Each resolves once it is saved on this device. */
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

/** Marks messages as read, on every device. */
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

/** Stores messages that were read online, and deletes those that were `known` before the request and are no longer listed. */
export const noteServerMessages = async (db: PersonDb, messages: readonly Message[], known: ReadonlySet<string>): Promise<void> => {
  await db.transaction('rw', [db.messages], async () => {
    const listed = new Set(messages.map((m) => m.id));
    await db.messages.bulkDelete([...known].filter((id) => !listed.has(id)));
    await takeMessages(db, messages);
  });
};

/** Deletes a message that was removed on the server. */
export const removeMessage = (db: PersonDb, id: string): Promise<void> => db.messages.delete(id);

const correspondentsKey = 'correspondents';

/** Stores the possible recipients for offline use. */
export const keepCorrespondents = async (db: PersonDb, people: readonly Ref[]): Promise<void> => {
  await db.kv.put({ key: correspondentsKey, value: people });
};
export const keptCorrespondents = async (db: PersonDb): Promise<Ref[]> => ((await db.kv.get(correspondentsKey))?.value as Ref[] | undefined) ?? [];

/** Unsent messages by recipient. Stored at every keystroke, like all drafts. */
const messageDraft = `${draftPrefix}message:`;
export const draftsOf = async (db: PersonDb): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await db.kv.where('key').startsWith(messageDraft).toArray()).map(({ key, value }) => [key.slice(messageDraft.length), String(value)]),
  );
export const keepMessageDraft = (db: PersonDb, other: string, text: string): Promise<void> =>
  text === '' ? dropDraft(db, `${messageDraft}${other}`) : keepDraft(db, `${messageDraft}${other}`, text);
