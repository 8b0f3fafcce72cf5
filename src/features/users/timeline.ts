import type { Result } from '#contract/entities/result.ts';
import { dayIn, isOver } from '#contract/rules/days.ts';

/** The kinds of events of a training record. Source: the history of results. */
export const timelineKinds = ['completed', 'renewed', 'exempted', 'expired', 'corrected', 'submitted', 'rejected', 'deleted'] as const;
export type TimelineKind = (typeof timelineKinds)[number];
/** `day`: in the person's time zone, YYYY-MM-DD. */
export type TimelineEvent = { id: string; kind: TimelineKind; at: string; day: string; result: Result };

/** The event of a result's last change, if the timeline shows it. */
const changeKinds: Partial<Record<Result['change'], TimelineKind>> = {
  corrected: 'corrected',
  redated: 'corrected',
  evidence: 'corrected',
  restored: 'corrected',
  rejected: 'rejected',
  deleted: 'deleted',
};

/**
 * The events of a record until now, newest first. A course is renewed if an earlier result of it exists, and expired if no later one
 * was completed by then. Of several changes of one result only the last is shown; its page has all of them.
 */
export const timelineOf = (records: readonly Result[], now: string): TimelineEvent[] => {
  const approved = Map.groupBy(
    records.filter((r) => r.status === 'approved'),
    (r) => r.course_id,
  );
  const events = records.flatMap((result) => {
    const { id, status, type, zone, course_id, completed_at, expires_at, change, changed_at } = result;
    const event = (kind: TimelineKind, at: string): TimelineEvent => ({ id: `${id} ${kind}`, kind, at, day: dayIn(at, zone), result });
    const changed = changeKinds[change];
    const lastChange = changed ? [event(changed, changed_at)] : [];
    if (status === 'pending') return [event('submitted', result.recorded_at)];
    if (status !== 'approved') return lastChange;
    const others = (approved.get(course_id) ?? []).filter((r) => r.id !== id);
    const renews = others.some((r) => r.completed_at < completed_at);
    const renewed = expires_at !== null && others.some((r) => r.completed_at > completed_at && !isOver(expires_at, r.completed_at, zone));
    return [
      event(type === 'exempt' ? 'exempted' : renews ? 'renewed' : 'completed', completed_at),
      ...(expires_at !== null && isOver(expires_at, now, zone) && !renewed ? [event('expired', expires_at)] : []),
      ...lastChange,
    ];
  });
  return events.sort((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : timelineKinds.indexOf(b.kind) - timelineKinds.indexOf(a.kind)));
};
