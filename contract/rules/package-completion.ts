import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { scormTotals } from '#contract/rules/merge-scorm.ts';

/**
 * The item under which a course with sequencing of its own (SCORM 2004) reports what all its activities add up to. No
 * activity can have this identifier.
 */
export const courseItem = '@course';

/** What can be opened in a course, in its order. */
export const launchableActivities = (activities: readonly ScormActivity[]): ScormActivity[] =>
  activities.flatMap((a) => [...(a.href === null ? [] : [a]), ...launchableActivities(a.children)]);

type Item = { item_id: string; sessions: readonly ScormFacts[] };
const isDone = ({ completion, success }: Pick<ScormFacts, 'completion' | 'success'>) =>
  success === 'passed' || (completion === 'completed' && success !== 'failed');

/** The activities of a course that are completed and not failed, by their identifiers. */
export const doneActivities = (activities: readonly ScormActivity[], items: readonly Item[]): Set<string> => {
  const totals = new Map(items.map((i) => [i.item_id, scormTotals(i.sessions)]));
  return new Set(activities.filter((a) => isDone(totals.get(a.id) ?? { completion: 'not attempted', success: 'unknown' })).map((a) => a.id));
};

/**
 * How far a SCORM course is: by what it reports for itself where it does, else by its activities: all of them must be
 * completed and none failed; the score is the mean of those that have one.
 */
export const packageCompletion = (manifest: ScormManifest, items: readonly Item[]) => {
  const totals = new Map(items.map((i) => [i.item_id, scormTotals(i.sessions)]));
  const activities = launchableActivities(manifest.activities);
  const done = doneActivities(activities, items).size;
  const scores = activities.flatMap((a) => totals.get(a.id)?.score ?? []);
  const mean = scores.length === 0 ? null : Math.round(scores.reduce((a, b) => a + b, 0) / scores.length);
  const course = totals.get(courseItem);
  const complete = course ? isDone(course) : done === activities.length;
  const percent = activities.length === 0 ? 0 : Math.floor((done * 100) / activities.length);
  return { complete, percent: complete ? 100 : Math.min(99, percent), score: course?.score ?? mean };
};
