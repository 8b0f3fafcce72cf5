import type { ScormActivity, ScormManifest, SequencingElement } from '#contract/entities/package.ts';

/** Elements and attributes of the sequencing vocabulary by which a course says what may come next. */
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
 * Whether the rules of a course decide what comes next (SCORM 2004 sequencing). A course of one part, or without a rule, is
 * opened from its contents as one likes.
 */
export const isSequenced = ({ standard, items, activities, extensions, collection }: ScormManifest): boolean => {
  const any = (list: readonly ScormActivity[]): boolean => list.some((a) => a.extensions.some(rules) || any(a.children));
  return standard !== '1.2' && items > 1 && (extensions.some(rules) || collection.some(rules) || any(activities));
};
