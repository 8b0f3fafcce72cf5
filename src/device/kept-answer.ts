import { personDb } from '#src/offline/store/person-db.ts';

/** The last answers of some reads, kept in the person's store for where there is no connection. */
const keyOf = (name: string) => `answer:${name}`;

export const keptAnswer = async <T>(personId: string, name: string): Promise<T | null> =>
  ((await personDb(personId).kv.get(keyOf(name)))?.value as T | undefined) ?? null;

export const keepAnswer = async (personId: string, name: string, value: unknown): Promise<void> => {
  const { kv } = personDb(personId);
  await kv.put({ key: keyOf(name), value });
  // What an earlier version kept of them.
  await kv.delete('apollo-cache-persist');
};
