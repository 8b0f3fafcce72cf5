import { percentOf } from '#contract/rules/percent.ts';
import type { CompletionRule, PackageRef } from '#contract/entities/content.ts';
import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { isDone, scormTotals } from '#contract/rules/merge-scorm.ts';

/**
 * Item ids reserved for the course itself: the overall result of a sequenced course (SCORM 2004), and the learner's confirmation
 * that it is finished.
 */
export const courseItem = '@course';
export const confirmedItem = '@confirmed';

/** The activities of a course that can be opened, in order. */
export const launchableActivities = (activities: readonly ScormActivity[]): ScormActivity[] =>
  activities.flatMap((a) => [...(a.href === null ? [] : [a]), ...launchableActivities(a.children)]);

type Item = { item_id: string; sessions: readonly (ScormFacts & { at?: string })[] };

/**
 * The sessions of an attempt by what is decided: one that goes on counts as begun, because a SCO may still change its mind. Only the latest can
 * go on: whoever opens the course again ends one that was cut off without a word (a dead battery), and it counts as it was last saved.
 * Training records follow from this; a device shows what a session that goes on has reached so far.
 */
export const decidedSessions = (items: readonly Item[]): Item[] => {
  const ofActivities = items.filter((i) => i.item_id !== courseItem);
  const timeOf = ({ at }: Item['sessions'][number]) => (at === undefined ? 0 : Date.parse(at));
  const latest = ofActivities.flatMap((i) => i.sessions.map(timeOf)).reduce((a, b) => Math.max(a, b), 0);
  return items.map(({ item_id, sessions }) => ({
    item_id,
    sessions: sessions.map((s) =>
      s.ended === false && timeOf(s) >= latest && item_id !== courseItem
        ? { ...s, completion: s.completion === 'completed' ? ('incomplete' as const) : s.completion, success: 'unknown' as const }
        : s,
    ),
  }));
};
const totalsOf = (items: readonly Item[]) => new Map(items.map((i) => [i.item_id, scormTotals(i.sessions)]));

/** The activities that are done: completed and not failed, or, if they report nothing, opened. */
export const doneActivities = (activities: readonly ScormActivity[], items: readonly Item[], rule: CompletionRule = 'reported'): Set<string> => {
  const totals = totalsOf(items);
  const isDoneByRule = (id: string) => {
    const total = totals.get(id);
    return total !== undefined && (rule !== 'reported' || isDone(total));
  };
  return new Set(activities.filter((a) => isDoneByRule(a.id)).map((a) => a.id));
};

/**
 * A SCORM course's progress by its completion rule: its own overall result if it reports one; otherwise every activity must be
 * completed and none failed, or opened, or the learner must have confirmed the end. The score is the mean of the activities that
 * have one.
 */
export const packageCompletion = ({ manifest, completion: rule }: Pick<PackageRef, 'manifest' | 'completion'>, items: readonly Item[]) => {
  const totals = totalsOf(items);
  const activities = launchableActivities(manifest.activities);
  const done = doneActivities(activities, items, rule).size;
  const scores = activities.flatMap((a) => totals.get(a.id)?.score ?? []);
  const mean = scores.length === 0 ? null : Math.round(scores.reduce((a, b) => a + b, 0) / scores.length);
  const course = totals.get(courseItem);
  const complete =
    rule === 'confirmed'
      ? totals.has(confirmedItem)
      : (course !== undefined && isDone(course)) || ((course === undefined || rule === 'opened') && done === activities.length);
  const percent = percentOf(done, activities.length) ?? 0;
  return { complete, percent: complete ? 100 : Math.min(99, percent), score: course?.score ?? mean };
};
