import type { Result } from '#contract/entities/result.ts';
import { dayIn } from '#contract/rules/days.ts';

/** What happened on a training record. Source: the history that results keep. */
export const timelineKinds = ['completed', 'renewed', 'exempted', 'expired', 'corrected', 'submitted', 'rejected', 'deleted'] as const;
export type TimelineKind = (typeof timelineKinds)[number];
/** `day`: where the person works, YYYY-MM-DD. */
export type TimelineEvent = { id: string; kind: TimelineKind; at: string; day: string; result: Result };

/** What was done to a result last, where it is something that a timeline tells. */
const changeKinds: Partial<Record<Result['change'], TimelineKind>> = {
  corrected: 'corrected',
  redated: 'corrected',
  evidence: 'corrected',
  restored: 'corrected',
  rejected: 'rejected',
  deleted: 'deleted',
};

/**
 * All that happened on a record until now, the newest first. A course is renewed where an earlier result of it counts already, and it expired
 * where nothing later was completed by then. Of several changes of one result the last is told; its page has all of them.
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
    const renewed = expires_at !== null && others.some((r) => r.completed_at > completed_at && r.completed_at <= expires_at);
    return [
      event(type === 'exempt' ? 'exempted' : renews ? 'renewed' : 'completed', completed_at),
      ...(expires_at !== null && expires_at <= now && !renewed ? [event('expired', expires_at)] : []),
      ...lastChange,
    ];
  });
  return events.sort((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : timelineKinds.indexOf(b.kind) - timelineKinds.indexOf(a.kind)));
};
