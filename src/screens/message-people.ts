import { MessageText } from '#contract/entities/message.ts';
import { countOf } from '#src/lib/format.ts';
import { sendMessage } from '#src/offline/kinds/messages/commands.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';

const people = (count: number) => countOf(count, 'person', 'people');

/** Sends a message to selected people: each gets one of their own, which is stored on this device until it is sent. */
export const messagePeople = <P extends { id: string; name: string }>(
  db: PersonDb,
  me: { uuid: string; name: string },
  fits: (person: P) => boolean = () => true,
): BulkAction<P> => ({
  ...{ label: 'Message', fits: (p) => fits(p) && p.id !== me.uuid, text: { label: 'Message', schema: MessageText } },
  question: (chosen) => `${people(chosen.length)} will each get this message and reply to you alone.`,
  each: async (p, text) => ({ kind: 'ok', data: await sendMessage(db, { id: me.uuid, name: me.name }, { id: p.id, name: p.name }, text) }),
  done: (count) => `Your message to ${people(count)} is saved on this device, and sent when there is a connection.`,
});
