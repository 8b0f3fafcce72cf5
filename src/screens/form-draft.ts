import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { warnIfNotSaved } from '#src/device/draft-not-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { whileSaving } from '#src/offline/outbox/commit.ts';
import { emptiedTimes, whenEmptied } from '#src/offline/store/open-store.ts';
import { formDraftPrefix } from '#src/offline/store/person-db.ts';
import { type Typed, movedSince } from '#src/screens/moved-since.ts';

type Kept<V> = Typed<V> & { at: string; rev?: number };

/** Whether a value is a chosen file, as it is or within what else is known of it. */
const isFile = (value: unknown): boolean =>
  value instanceof Blob || (typeof value === 'object' && value !== null && Object.values(value).some((part) => part instanceof Blob));

/** The name of a draft, and the version (`rev`) that it edits. */
export type DraftOf = string | { name: string; rev?: number | undefined; resumed: (rev: number | undefined) => void };

/**
 * Stores what is typed in a form on this device, encrypted for its person, under a name; without a name nothing. `found`: a draft from
 * before the form was opened is offered; `take` restores it and returns the version that it edits. `onStored` is called with what is
 * on the disk.
 */
export const useFormDraft = <V extends object>(subject: DraftOf | undefined, begin: V, values: V, dirty: boolean, onStored?: (values: V) => void) => {
  const db = usePersonDb();
  const tell = useRef(onStored);
  tell.current = onStored;
  const { name, rev, resumed } = typeof subject === 'object' ? subject : { name: subject, rev: undefined, resumed: undefined };
  const key = name && `${formDraftPrefix}${name}`;
  const [found, setFound] = useState<Kept<V> | null>(null);
  useEffect(() => {
    if (!key) return;
    let isUnmounted = false;
    void db.kv.get(key).then((row) => {
      if (row && !isUnmounted) setFound(row.value as Kept<V>);
    });
    return () => {
      isUnmounted = true;
    };
  }, [db, key]);
  // Written again when the browser has emptied the store under the page.
  const emptied = useSyncExternalStore(whenEmptied, emptiedTimes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `emptied` writes it again
  useEffect(() => {
    if (!key || !dirty) return;
    // Passwords are not stored, nor are chosen files, which are not text.
    const changed = Object.entries(values).filter(
      ([field, value]) => !/password/.test(field) && !isFile(value) && JSON.stringify(value) !== JSON.stringify(begin[field as keyof V]),
    );
    const basis = rev === undefined ? { was: Object.fromEntries(changed.map(([field]) => [field, begin[field as keyof V]])) } : { rev };
    const storedDraft = { changed: Object.fromEntries(changed), at: correctedNow().toISOString(), ...basis };
    warnIfNotSaved(whileSaving(async () => db.kv.put({ key, value: storedDraft })).then(() => tell.current?.(values)));
  }, [db, key, begin, values, dirty, rev, emptied]);
  return {
    kept: key !== undefined,
    found,
    /** The fields of the found draft that somebody else has changed since. */
    moved: () => (found ? movedSince(found, begin) : []),
    take: (): Partial<V> => {
      setFound(null);
      if (found) resumed?.(found.rev);
      return found?.changed ?? {};
    },
    drop: async () => {
      setFound(null);
      if (key) await db.kv.delete(key);
    },
  };
};
