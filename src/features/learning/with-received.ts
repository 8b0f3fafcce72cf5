import type { AttemptRow } from '#src/offline/store/person-db.ts';
import type { Events, LearnerEvent } from '#src/features/learning/learner-events.ts';

/** An attempt that the server has marked as completed, with what this device received about it. */
export type Received = Pick<AttemptRow, 'id' | 'content_id' | 'content_version' | 'result'>;

/** The result that completes an event and was received after the list; null if there is none. `now`: ISO in UTC. */
const completionOf = (
  event: LearnerEvent,
  received: readonly Received[],
  now: string,
): (Received & { result: NonNullable<Received['result']> }) | null =>
  received.find(
    (r): r is Received & { result: NonNullable<Received['result']> } =>
      r.content_id === event.content_id &&
      r.result !== null &&
      r.result.id !== event.result_id &&
      (!event.completed_at || r.result.completed_at > event.completed_at) &&
      (r.result.expires_at === null || r.result.expires_at > now) &&
      (!event.asked_version || r.content_version >= event.asked_version),
  ) ?? null;

/** The courses of the list, with what was completed and received since it was stored under those that are done. */
export const withReceived = (events: Events, received: readonly Received[], now: string): Events => {
  const done: LearnerEvent[] = [];
  const active = events.active.filter((event) => {
    const completion = completionOf(event, received, now);
    if (!completion) return true;
    const { id, completed_at, expires_at, score } = completion.result;
    done.push({ ...event, status: 'completed', completed_at, expires_at, score, result_id: id, attempt_id: completion.id, percent: 100 });
    return false;
  });
  if (done.length === 0) return events;
  const gone = events.active.filter((e) => !active.includes(e));
  const left = (status: 'current' | 'overdue') => Math.max(0, events.counts[status] - gone.filter((e) => e.status === status).length);
  return {
    ...events,
    active,
    completed: [...done, ...events.completed.filter((e) => !done.some((d) => d.id === e.id))],
    counts: { ...events.counts, current: left('current'), overdue: left('overdue'), completed: events.counts.completed + done.length },
  };
};
