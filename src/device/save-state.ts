import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useReplayStatus } from '#src/device/engine-lifetime.ts';
import { useLine, useSlowServer } from '#src/device/line.ts';
import { storeAnswersMs } from '#src/device/store-silent.ts';
import { useAnyPersonDb } from '#src/device/use-person-db.ts';
import { afterAwake } from '#src/lib/after-awake.ts';
import { onlyHere } from '#src/lib/only-here.ts';
import { countOfWork } from '#src/offline/kinds/count-work.ts';
import { savingNow, whenSaving } from '#src/offline/outbox/commit.ts';
import { neverCame } from '#src/offline/store/never-came.ts';
import { emptiedStore, whenEmptied } from '#src/offline/store/open-store.ts';
import { noteUnsent } from '#src/offline/store/unsent-mark.ts';

/** The state of work and connection shown in the header, based only on the store and the last request. Counts are of what the person did. */
export type SaveState = WorkState & { offline: boolean; slow: boolean };
type WorkState =
  | { kind: 'loading' }
  /** `late`: for longer than a store should take. */
  | { kind: 'saving'; late: boolean }
  | { kind: 'silent' }
  /** The browser has emptied this device's storage, and this page alone holds `count` items. */
  | { kind: 'emptied'; count: number }
  | { kind: 'never-came'; count: number }
  | { kind: 'all-sent'; lastReceivedAt: string | null }
  | { kind: 'waiting' | 'sending' | 'failing' | 'sign-in' | 'restricted' | 'other-person'; count: number }
  | { kind: 'needs-you'; count: number; waiting: number };

export const useSaveState = (): SaveState => {
  const state = useWorkState();
  return { ...state, offline: !useLine(), slow: useSlowServer() };
};

/** A write that ends sooner is not mentioned: the state would flicker with every keystroke. */
const mentionedMs = 300;

/** Whether something is being written, and for how long already. */
const useSaving = (): 'no' | 'yes' | 'late' => {
  const saving = useSyncExternalStore(whenSaving, () => savingNow() > 0);
  const [state, setState] = useState<'no' | 'yes' | 'late'>('no');
  useEffect(() => {
    setState('no');
    if (!saving) return undefined;
    const mention = setTimeout(() => setState('yes'), mentionedMs);
    const cancelLate = afterAwake(storeAnswersMs, () => setState('late'));
    return () => {
      clearTimeout(mention);
      cancelLate();
    };
  }, [saving]);
  return saving ? state : 'no';
};
/** Whether a value has not arrived for longer than a store should take. */
const useLate = (isThere: boolean): boolean => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (isThere) return undefined;
    return afterAwake(storeAnswersMs, () => setLate(true));
  }, [isThere]);
  return late && !isThere;
};

// Also where the screen itself can no longer be shown.
whenEmptied(() => onlyHere.set(emptiedStore()?.waiting.length ?? 0));

const preventUnload = (event: BeforeUnloadEvent) => {
  if (savingNow() > 0) event.preventDefault();
};

const useWorkState = (): WorkState => {
  const db = useAnyPersonDb();
  const status = useReplayStatus();
  const saving = useSaving();
  const emptied = useSyncExternalStore(whenEmptied, emptiedStore);
  const stored = useLiveQuery(async () => {
    // The state of a store that cannot be read is not known.
    if (db.hasFailed()) return undefined;
    const entries = await db.outbox.orderBy('n').toArray();
    const received = await db.kv.get('last-received-at');
    // While it is absent, the store is not the one in which the work was saved.
    if (await db.kv.get('canary'))
      noteUnsent(
        db.personId,
        entries.map((e) => e.id),
        entries.at(-1)?.at ?? '',
      );
    return {
      needs: entries.filter((e) => e.state === 'needs-person').length,
      all: entries.length,
      work: countOfWork(entries),
      sending: entries.some((e) => e.state === 'sending'),
      lastReceivedAt: typeof received?.value === 'string' ? received.value : null,
    };
  }, [db]);
  const lost = useLiveQuery(async () => (await neverCame(db.personId)).filter(({ seen }) => !seen).length, [db]) ?? 0;
  const late = useLate(stored !== undefined);
  // What is being written is not yet safe, and leaving the page could end it.
  useEffect(() => {
    addEventListener('beforeunload', preventUnload);
    return () => removeEventListener('beforeunload', preventUnload);
  }, []);
  if (emptied && emptied.personId === db.personId) return { kind: 'emptied', count: emptied.waiting.length };
  if (saving !== 'no') return { kind: 'saving', late: saving === 'late' };
  if (!stored) return { kind: late ? 'silent' : 'loading' };
  if (lost > 0) return { kind: 'never-came', count: lost };
  if (stored.needs > 0) return { kind: 'needs-you', count: stored.needs, waiting: stored.all - stored.needs };
  if (stored.all === 0) return { kind: 'all-sent', lastReceivedAt: stored.lastReceivedAt };
  if (status === 'sign-in' || status === 'restricted' || status === 'other-person' || status === 'failing')
    return { kind: status, count: stored.work };
  return { kind: status === 'sending' && stored.sending ? 'sending' : 'waiting', count: stored.work };
};
