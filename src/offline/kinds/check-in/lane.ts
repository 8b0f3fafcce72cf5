import type { OwnCheckIn } from '#contract/entities/check-in.ts';
import { request } from '#src/api/transport.ts';
import { type LaneOf, placeOfLane } from '#src/offline/kinds/lane.ts';

/** Checking in to sessions. Each time has a lane of its own, so that a code that was not right holds up no other. */
export const checkInLane: LaneOf<'check_in'> = {
  atOnce: 1,
  send: (session, changes, headers) => request<OwnCheckIn>('PATCH', `/training-sessions/${session}/check-in`, { body: { changes }, headers }),
  tables: (db) => [db.checkIns],
  // Another code of the same session that was not right.
  needless: (_, left) => left.filter((e) => e.state === 'needs-person'),
  // Two codes are sent side by side: the answer to the right one may come first.
  overtaken: async (db, { lane }) => (await db.checkIns.get(placeOfLane(lane).id))?.received === true,
  take: async (db, { session_id, at, late }) => {
    const name = (await db.checkIns.get(session_id))?.name ?? '';
    await db.checkIns.put({ session_id, at, late, name, received: true });
  },
};
