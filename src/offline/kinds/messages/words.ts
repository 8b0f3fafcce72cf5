import { countOf } from '#src/lib/format.ts';
import type { Words } from '#src/offline/kinds/words.ts';

export const messagesWords: Words<'messages'> = {
  commands: {
    'message.send': { was: 'Writing a message', did: (n) => `${countOf(n, 'message')} written` },
    'message.read': { was: 'Reading a message', did: (n) => `${countOf(n, 'message')} read` },
  },
  refusals: { recipient_gone: 'This person has left, or you can no longer write to them. Your message is kept here.' },
  unnamed: 'Messages',
  names: async (db, ids) =>
    (await db.messages.where('other').anyOf(ids).toArray()).map(({ other, sender, recipient }) => [
      other,
      `Messages with ${sender.id === other ? sender.name : recipient.name}`,
    ]),
  sides: () => null,
};
