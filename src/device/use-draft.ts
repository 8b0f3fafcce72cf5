import { useEffect, useRef, useState } from 'react';
import { sayWhereNotKept } from '#src/device/draft-not-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { dropDraft, keepDraft } from '#src/offline/drafts.ts';
import { draftPrefix } from '#src/offline/store/person-db.ts';

/**
 * What somebody is typing, under a name of its own: kept at every keystroke, and there again when the page is. `found` says that
 * it was begun before this page was opened. `drop` forgets it: it was saved, or is not wanted.
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
    sayWhereNotKept(keepDraft(db, key, to));
  };
  const drop = async () => {
    setValue(empty);
    setFound(false);
    await dropDraft(db, key);
  };
  return { value, change, found, drop };
};
