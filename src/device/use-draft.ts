import { useEffect, useRef, useState } from 'react';
import { warnIfNotSaved } from '#src/device/draft-not-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { draftPrefix } from '#src/offline/store/person-db.ts';

/**
 * A named draft, stored at every keystroke and restored with the page. `found`: it existed before this page was opened.
 * `drop` deletes it, because it was saved or discarded.
 */
export const useDraft = <T>(name: string, empty: T) => {
  const db = usePersonDb();
  const key = `${draftPrefix}${name}`;
  const [value, setValue] = useState(empty);
  const [found, setFound] = useState(false);
  const touched = useRef(false);
  useEffect(() => {
    void db.kv.get(key).then((kept) => {
      if (!kept || touched.current) return;
      setValue(kept.value as T);
      setFound(true);
    });
  }, [db, key]);
  const change = (to: T) => {
    touched.current = true;
    setValue(to);
    warnIfNotSaved(keepDraft(db, key, to));
  };
  const drop = async () => {
    setValue(empty);
    setFound(false);
    await dropDraft(db, key);
  };
  return { value, change, found, drop };
};
