import { ownBookings } from '#contract/api/bookings.ts';
import { can } from '#contract/can.ts';
import { call } from '#src/api/call.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { noteServerCheckIns } from '#src/offline/kinds/check-in/commands.ts';
import { personDb } from '#src/offline/store/person-db.ts';
import { useKeptRead } from '#src/screens/use-kept-read.ts';

/** The user's own bookings; offline those stored on this device. */
export const useOwnBookings = () =>
  useKeptRead('own-bookings', ['own bookings'], async (signal) => {
    const user = currentUser();
    // People who may not read them can still check in: a refusal must not redirect them.
    const answer = await call('GET /bookings/own', {}, { signal, quiet: !can(user, ownBookings.access) });
    if (answer.kind !== 'ok') return answer;
    if (user && !currentActingAs()) await noteServerCheckIns(personDb(user.uuid), answer.data).catch(() => undefined);
    return { ...answer, data: { bookings: answer.data } };
  });
