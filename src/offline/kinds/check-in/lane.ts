import type { OwnCheckIn } from '#contract/entities/check-in.ts';
import { request } from '#src/api/transport.ts';
import type { LaneOf } from '#src/offline/kinds/lane.ts';

/** Checking in to sessions. Each time has a lane of its own, so that a code that was not right holds up no other. */
export const checkInLane: LaneOf<'check_in'> = {
  atOnce: 1,
  send: (session, changes, headers) => request<OwnCheckIn>('PATCH', `/training-sessions/${session}/check-in`, { body: { changes }, headers }),
  tables: (db) => [db.checkIns],
  // Another code of the same session that was not right.
  needless: (_, left) => left.filter((e) => e.state === 'needs-person'),
  take: async (db, { session_id, at, late }) => {
    const name = (await db.checkIns.get(session_id))?.name ?? '';
    await db.checkIns.put({ session_id, at, late, name, received: true });
  },
};
