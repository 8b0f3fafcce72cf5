import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { checkInLane } from '#src/offline/kinds/check-in/lane.ts';
import { entriesOfThing, laneName } from '#src/offline/kinds/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { takeOut } from '#src/offline/outbox/take-out.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

type Session = { id: string; name: string };
/**
 * Checks in to a session with a code that was seen at `at`. Resolves once it is saved on this device. It replaces an earlier refused
 * check-in, which is set aside.
 */
export const checkIn = async (db: PersonDb, { id: session_id, name }: Session, args: ArgsOf<'check_in.make'>, at: string): Promise<void> => {
  const id = newId();
  const removedIds: string[] = [];
  const sentence = name ? `Checked in to ${name}` : 'Checked in to a session';
  await commit(
    db,
    db.personId,
    [db.settled, ...checkInLane.tables(db)],
    async () => {
      const before = await entriesOfThing(db, laneName('check_in', session_id));
      for (const refused of before.filter((e) => e.state === 'needs-person')) {
        removedIds.push(refused.id);
        await takeOut(db, refused, at);
      }
      return [{ id, lane: laneName('check_in', session_id, id), command: 'check_in.make', args, sentence, mergeKey: null, at }];
    },
    async () => {
      if (!(await db.checkIns.get(session_id))?.received) await db.checkIns.put({ session_id, name, at, late: false, received: false });
    },
    { gone: removedIds },
  );
};

/** Stores the check-in from bookings that were read online. */
export const noteServerCheckIns = (db: PersonDb, bookings: readonly OwnBooking[]): Promise<void> =>
  db.transaction('rw', [db.checkIns], async () => {
    await db.checkIns.bulkPut(
      bookings.flatMap(({ session_id, course, checked_in }) =>
        checked_in ? [{ session_id, name: course.name, ...checked_in, received: true }] : [],
      ),
    );
  });
