import { isReadable } from '#src/offline/outbox/read-entry.ts';
import type { Entry, ServerCopy } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/**
 * Gives a newer copy of the server's to the waiting entries of its thing that need a choice: what they offer, and what is kept, is the newest
 * that this device has received, and not what came with the refusal. Inside a transaction over the outbox.
 */
export const renewChoices = async (db: PersonDb, waiting: readonly Entry[], copy: ServerCopy): Promise<void> => {
  if (!('rev' in copy)) return;
  const renewed = waiting.flatMap((entry): Entry[] => {
    if (!isReadable(entry)) return [];
    const { state, trouble } = entry;
    const { current } = trouble ?? {};
    if (state !== 'needs-person' || !trouble || !current || !('rev' in current) || current.id !== copy.id || current.rev >= copy.rev) return [];
    return [{ ...entry, trouble: { ...trouble, current: copy } }];
  });
  if (renewed.length > 0) await db.outbox.bulkPut(renewed);
};
