import { can } from '#contract/can.ts';
import { needOf } from '#contract/site-map.ts';
import { currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { observable } from '#src/lib/observable.ts';

/** How much waits for a decision of the signed-in person; null if unknown, for example offline. */
export const waiting = observable<{ results: number; certificates: number } | null>(null);

const decidesResults = needOf('results-pending-by-type');
const decidesCertificates = 'care_certificate.approve' as const;

let round = 0;
/** Fetches how much waits, for people who may decide on something. */
export const askWaiting = async (): Promise<void> => {
  const thisRound = ++round;
  const me = currentUser();
  if (!me || !(can(me, decidesResults) || can(me, decidesCertificates))) return waiting.set(null);
  const answer = await call('GET /dashboards/waiting', {}, { quiet: true });
  if (thisRound !== round || currentUser()?.uuid !== me.uuid) return;
  waiting.set(
    answer.kind === 'ok'
      ? {
          results: can(me, decidesResults) ? (answer.data.results ?? 0) : 0,
          certificates: can(me, decidesCertificates) ? (answer.data.certificates ?? 0) : 0,
        }
      : null,
  );
};
