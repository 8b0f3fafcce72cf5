import { personDb } from '#src/offline/store/person-db.ts';

/** The most recent answers of some reads, stored for offline use. */
const keyOf = (name: string) => `answer:${name}`;

export const keptAnswer = async <T>(personId: string, name: string): Promise<T | null> =>
  ((await personDb(personId).kv.get(keyOf(name)))?.value as T | undefined) ?? null;

export const keepAnswer = async (personId: string, name: string, value: unknown): Promise<void> => {
  const { kv } = personDb(personId);
  await kv.put({ key: keyOf(name), value });
  // Stored by an earlier version.
  await kv.delete('apollo-cache-persist');
};
