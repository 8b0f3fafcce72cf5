import type { OwnCheckIn } from '#contract/entities/check-in.ts';
import { request } from '#src/api/transport.ts';
import { type LaneOf, placeOfLane } from '#src/offline/kinds/lane.ts';

/** Check-ins to sessions. Each has its own lane, so that a wrong code does not block another. */
export const checkInLane: LaneOf<'check_in'> = {
  atOnce: 1,
  send: (session, changes, headers) => request<OwnCheckIn>('PATCH', `/training-sessions/${session}/check-in`, { body: { changes }, headers }),
  tables: (db) => [db.checkIns],
  // Another, wrong code for the same session.
  needless: (_, left) => left.filter((e) => e.state === 'needs-person'),
  // Two codes are sent in parallel: the right one may be answered first.
  overtaken: async (db, { lane }) => (await db.checkIns.get(placeOfLane(lane).id))?.received === true,
  take: async (db, { session_id, at, late }) => {
    const name = (await db.checkIns.get(session_id))?.name ?? '';
    await db.checkIns.put({ session_id, at, late, name, received: true });
  },
};
