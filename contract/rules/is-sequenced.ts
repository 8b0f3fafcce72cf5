import type { ScormActivity, ScormManifest, SequencingElement } from '#contract/entities/package.ts';

/** Sequencing elements and attributes that restrict what may come next. */
const ruling: Record<string, (e: SequencingElement) => boolean> = {
  preConditionRule: () => true,
  postConditionRule: () => true,
  exitConditionRule: () => true,
  rollupRule: () => true,
  mapInfo: () => true,
  controlMode: ({ attributes: a }) => a.flow === 'true' || a.choice === 'false' || a.choiceExit === 'false' || a.forwardOnly === 'true',
  constrainedChoiceConsiderations: () => true,
  limitConditions: ({ attributes: a }) => a.attemptLimit !== undefined,
  randomizationControls: () => true,
};
const rules = (e: SequencingElement): boolean => (ruling[e.name]?.(e) ?? false) || e.children.some(rules);

/**
 * Whether a course's rules determine what comes next (SCORM 2004 sequencing). Parts of a course without rules, or with one part,
 * can be opened freely.
 */
export const isSequenced = ({ standard, items, activities, extensions, collection }: ScormManifest): boolean => {
  const any = (list: readonly ScormActivity[]): boolean => list.some((a) => a.extensions.some(rules) || any(a.children));
  return standard !== '1.2' && items > 1 && (extensions.some(rules) || collection.some(rules) || any(activities));
};
