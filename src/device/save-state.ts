import { useLiveQuery } from 'dexie-react-hooks';
import { useReplayStatus } from '#src/device/engine-lifetime.ts';
import { useLine } from '#src/device/line.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { countOfWork } from '#src/offline/kinds/count-work.ts';

/** The state of work and connection shown in the header, based only on the store and the last request. Counts are of what the person did. */
export type SaveState = WorkState & { offline: boolean };
type WorkState =
  | { kind: 'loading' }
  | { kind: 'all-sent'; lastReceivedAt: string | null }
  | { kind: 'waiting' | 'sending' | 'failing' | 'sign-in' | 'restricted' | 'other-person'; count: number }
  | { kind: 'needs-you'; count: number; waiting: number };

export const useSaveState = (): SaveState => {
  const state = useWorkState();
  return { ...state, offline: !useLine() };
};

const useWorkState = (): WorkState => {
  const db = usePersonDb();
  const status = useReplayStatus();
  const stored = useLiveQuery(async () => {
    const entries = await db.outbox.toArray();
    const received = await db.kv.get('last-received-at');
    return {
      needs: entries.filter((e) => e.state === 'needs-person').length,
      all: entries.length,
      work: countOfWork(entries),
      sending: entries.some((e) => e.state === 'sending'),
      lastReceivedAt: typeof received?.value === 'string' ? received.value : null,
    };
  }, [db]);
  if (!stored) return { kind: 'loading' };
  if (stored.needs > 0) return { kind: 'needs-you', count: stored.needs, waiting: stored.all - stored.needs };
  if (stored.all === 0) return { kind: 'all-sent', lastReceivedAt: stored.lastReceivedAt };
  if (status === 'sign-in' || status === 'restricted' || status === 'other-person' || status === 'failing')
    return { kind: status, count: stored.work };
  return { kind: status === 'sending' && stored.sending ? 'sending' : 'waiting', count: stored.work };
};
