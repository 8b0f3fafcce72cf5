import { currentActingAs, currentUser } from '#src/access/session.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/**
 * Pages about oneself, as they were opened last with a connection, for where there is none: one's training record, one's pathways.
 * They lie with what else is the person's: sealed where they lock their work, gone when they sign out.
 */
export type KeptPage<T> = { at: string; value: T };
type Name = 'own-record' | 'own-pathways' | `pathway:${string}`;
const keyOf = (name: Name) => `page:${name}`;

/** Keeps what a page shows; null: there is nothing of this name any more. What is seen for another organisation is not one's own. */
export const keepPage = async (name: Name, value: object | null): Promise<void> => {
  const user = currentUser();
  if (!user || currentActingAs()) return;
  const { kv } = personDb(user.uuid);
  await (value === null ? kv.delete(keyOf(name)) : kv.put({ key: keyOf(name), value: { at: correctedNow().toISOString(), value } }));
};

/** What a page showed last; null where it was not opened here, or one acts for another organisation. */
export const keptPage = async <T>(name: Name): Promise<KeptPage<T> | null> => {
  const user = currentUser();
  if (!user || currentActingAs()) return null;
  return ((await personDb(user.uuid).kv.get(keyOf(name)))?.value as KeptPage<T> | undefined) ?? null;
};
