import type { CompletionRule, PackageRef } from '#contract/entities/content.ts';
import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { scormTotals } from '#contract/rules/merge-scorm.ts';

/**
 * Items that no activity can be: under the first a course with rules of its own (SCORM 2004) reports what all its activities
 * add up to; under the second its learner says that it is finished.
 */
export const courseItem = '@course';
export const confirmedItem = '@confirmed';

/** What can be opened in a course, in its order. */
export const launchableActivities = (activities: readonly ScormActivity[]): ScormActivity[] =>
  activities.flatMap((a) => [...(a.href === null ? [] : [a]), ...launchableActivities(a.children)]);

type Item = { item_id: string; sessions: readonly ScormFacts[] };
const isDone = ({ completion, success }: Pick<ScormFacts, 'completion' | 'success'>) =>
  success === 'passed' || (completion === 'completed' && success !== 'failed');

/** The activities of a course that are done: completed and not failed; where they report nothing, those that were opened. */
export const doneActivities = (activities: readonly ScormActivity[], items: readonly Item[], rule: CompletionRule = 'reported'): Set<string> => {
  const totals = new Map(items.map((i) => [i.item_id, scormTotals(i.sessions)]));
  const isDoneByRule = (id: string) => {
    const of = totals.get(id);
    return of !== undefined && (rule !== 'reported' || isDone(of));
  };
  return new Set(activities.filter((a) => isDoneByRule(a.id)).map((a) => a.id));
};

/**
 * How far a SCORM course is, by its rule: by what it reports for itself where it does, else by its activities: all of them
 * must be completed and none failed; when each was opened; or when its learner has said so. The score is the mean of those
 * that have one.
 */
export const packageCompletion = ({ manifest, completion: rule }: Pick<PackageRef, 'manifest' | 'completion'>, items: readonly Item[]) => {
  const totals = new Map(items.map((i) => [i.item_id, scormTotals(i.sessions)]));
  const activities = launchableActivities(manifest.activities);
  const done = doneActivities(activities, items, rule).size;
  const scores = activities.flatMap((a) => totals.get(a.id)?.score ?? []);
  const mean = scores.length === 0 ? null : Math.round(scores.reduce((a, b) => a + b, 0) / scores.length);
  const course = totals.get(courseItem);
  const complete =
    rule === 'confirmed'
      ? totals.has(confirmedItem)
      : (course !== undefined && isDone(course)) || ((course === undefined || rule === 'opened') && done === activities.length);
  const percent = activities.length === 0 ? 0 : Math.floor((done * 100) / activities.length);
  return { complete, percent: complete ? 100 : Math.min(99, percent), score: course?.score ?? mean };
};
