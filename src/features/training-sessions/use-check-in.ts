import { useLiveQuery } from '#src/device/use-live-query.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { explain } from '#src/offline/kinds/explain.ts';
import { entriesOfThing, laneName } from '#src/offline/kinds/lane.ts';

/** The state of a check-in: stored on this device until it is sent, accepted by the server, or refused with the reason. */
export type CheckInState =
  | { kind: 'none' }
  | { kind: 'kept'; at: string }
  | { kind: 'accepted'; at: string; late: boolean }
  | { kind: 'refused'; why: string };

/** The same, live from this device; undefined while loading. */
export const useCheckIn = (session: string): CheckInState | undefined => {
  const db = usePersonDb();
  return useLiveQuery(async (): Promise<CheckInState> => {
    const row = await db.checkIns.get(session);
    if (row?.received) return { kind: 'accepted', at: row.at, late: row.late };
    const entries = await entriesOfThing(db, laneName('check_in', session));
    const waitingEntry = entries.find((e) => e.state !== 'needs-person');
    if (waitingEntry) return { kind: 'kept', at: waitingEntry.at };
    const refused = entries.at(-1);
    return refused ? { kind: 'refused', why: explain(refused) } : { kind: 'none' };
  }, [db, session]);
};
