import type { ScormActivity, ScormManifest, SequencingElement } from '#contract/entities/package.ts';
import { courseItem } from '#contract/rules/package-completion.ts';

/** A course's rules from its manifest, with the standard's defaults (SCORM 2004 4th edition, SN 3). */

export type Condition = { name: string; not: boolean; objective: string | null; threshold: number };
export type Rule = { action: string; combine: 'all' | 'any'; conditions: Condition[] };
export type RollupRule = Rule & { of: 'all' | 'any' | 'none' | 'atLeastCount' | 'atLeastPercent'; least: number };
/** Which values an objective reads from and writes to a shared objective. */
export type ObjectiveMap = { target: string; read: Set<string>; write: Set<string> };
/**
 * `measure`: the minimum measure that satisfies it; null if satisfaction does not depend on it. `id` is as in the manifest, for
 * SCOs; `name` is used for comparison.
 */
export type ObjectiveDefinition = { id: string | null; name: string | null; measure: number | null; maps: ObjectiveMap[] };
type Required = 'always' | 'ifAttempted' | 'ifNotSkipped' | 'ifNotSuspended';

export type Activity = {
  id: string;
  title: string;
  visible: boolean;
  leaf: boolean;
  /** Of the course: whether shared objectives persist across attempts. */
  keepsShared: boolean;
  /** Of the course: the identifier of its organisation. */
  organisation: string | null;
  parent: Activity | null;
  children: Activity[];
  control: { choice: boolean; choiceExit: boolean; flow: boolean; forwardOnly: boolean; currentObjectives: boolean; currentProgress: boolean };
  preventActivation: boolean;
  constrainChoice: boolean;
  before: Rule[];
  after: Rule[];
  exit: Rule[];
  attemptLimit: number | null;
  rollup: { rules: RollupRule[]; objective: boolean; progress: boolean; weight: number };
  required: Record<'satisfied' | 'notSatisfied' | 'completed' | 'incomplete', Required>;
  satisfiedIfActive: boolean;
  /** The first contributes to the parent activity. */
  objectives: [ObjectiveDefinition, ...ObjectiveDefinition[]];
  tracked: boolean;
  completionByContent: boolean;
  objectiveByContent: boolean;
  /** The minimum progress for completion; null if completion does not depend on it. */
  progress: number | null;
  progressWeight: number;
  select: { when: string; count: number | null };
  shuffle: string;
  hidden: Set<string>;
  shared: { targetID: string; readSharedData: boolean; writeSharedData: boolean }[];
};

const named = (elements: readonly SequencingElement[], name: string) => elements.filter((e) => e.name === name);
const first = (elements: readonly SequencingElement[], name: string) => elements.find((e) => e.name === name);
const flag = (value: string | undefined, otherwise: boolean) => (value === undefined || value.trim() === '' ? otherwise : value.trim() === 'true');
const number = (value: string | undefined) => (value === undefined || value.trim() === '' ? null : Number(value));

const mapped = {
  SatisfiedStatus: 'satisfied',
  NormalizedMeasure: 'measure',
  CompletionStatus: 'completed',
  ProgressMeasure: 'amount',
  RawScore: 'raw',
  MinScore: 'min',
  MaxScore: 'max',
};
/** An identifier for comparison: decoded, with single spaces. */
export const nameOf = (text: string): string => {
  try {
    return decodeURIComponent(text).replace(/\s+/g, ' ').trim();
  } catch {
    return text.trim();
  }
};
const nameOrNull = (id: string | null) => (id === null ? null : nameOf(id));
const mapOf = ({ attributes }: SequencingElement): ObjectiveMap => {
  const flagged = (way: 'read' | 'write') =>
    new Set(Object.entries(mapped).flatMap(([name, field]) => (flag(attributes[`${way}${name}`], way === 'read') ? [field] : [])));
  return { target: nameOf(attributes.targetObjectiveID ?? ''), read: flagged('read'), write: flagged('write') };
};
/** IMS and ADL may map the same objective and target, each its own fields. */
const imsFields = new Set(['satisfied', 'measure']);
const joined = (maps: readonly { map: ObjectiveMap; ims: boolean }[]): ObjectiveMap[] =>
  [...Map.groupBy(maps, (m) => m.map.target)].map(([target, of]) => {
    const fields = (way: 'read' | 'write') => new Set(of.flatMap(({ map, ims }) => [...map[way]].filter((field) => imsFields.has(field) === ims)));
    return { target, read: fields('read'), write: fields('write') };
  });

/** ADL's additional list has no primary objective. */
const isAdl = (list: SequencingElement) => !first(list.children, 'primaryObjective');
const objectivesOf = (sequencing: readonly SequencingElement[]): Activity['objectives'] => {
  const lists = named(sequencing, 'objectives');
  const listed = lists.flatMap((l) => l.children.map((o) => ({ o, ims: !isAdl(l) || lists.every(isAdl) })));
  const idOf = (o: SequencingElement | undefined) => o?.attributes.objectiveID?.replace(/\s+/g, ' ').trim() || null;
  const nameOfObjective = (o: SequencingElement) => nameOrNull(idOf(o));
  const primary = idOf(listed.find(({ o }) => o.name === 'primaryObjective')?.o);
  const objectiveOf = (id: string | null) => {
    const name = nameOrNull(id);
    const parts = listed.filter(({ o }) => (o.name === 'primaryObjective' ? primary === id : nameOfObjective(o) === name && name !== null));
    const byMeasure = parts.some(({ o }) => flag(o.attributes.satisfiedByMeasure, false));
    const least = parts.map(({ o }) => number(first(o.children, 'minNormalizedMeasure')?.text)).find((n) => n !== null) ?? 1;
    return {
      id,
      name,
      measure: byMeasure ? least : null,
      maps: joined(parts.flatMap(({ o, ims: own }) => named(o.children, 'mapInfo').map((m) => ({ map: mapOf(m), ims: own })))),
    };
  };
  // If an identifier is written in several ways, SCOs see the first.
  const others = new Map<string, string>();
  for (const { o } of listed) {
    const [id, name] = [idOf(o), nameOfObjective(o)];
    if (o.name === 'objective' && id !== null && name !== null && name !== nameOrNull(primary) && !others.has(name)) others.set(name, id);
  }
  return [objectiveOf(primary), ...[...others.values()].map(objectiveOf)];
};

const ruleOf = (rule: SequencingElement): Rule => {
  const holder = first(rule.children, 'ruleConditions') ?? first(rule.children, 'rollupConditions');
  const action = first(rule.children, 'ruleAction') ?? first(rule.children, 'rollupAction');
  return {
    action: action?.attributes.action ?? '',
    combine: (holder?.attributes.conditionCombination ?? (holder?.name === 'rollupConditions' ? 'any' : 'all')) as Rule['combine'],
    conditions: (holder?.children ?? []).map(({ attributes: a }) => ({
      name: a.condition ?? 'always',
      not: a.operator === 'not',
      objective: a.referencedObjective === undefined ? null : nameOf(a.referencedObjective),
      threshold: number(a.measureThreshold) ?? 0,
    })),
  };
};
const rollupRuleOf = (rule: SequencingElement): RollupRule => ({
  ...ruleOf(rule),
  of: (rule.attributes.childActivitySet ?? 'all') as RollupRule['of'],
  least: number(rule.attributes.childActivitySet === 'atLeastPercent' ? rule.attributes.minimumPercent : rule.attributes.minimumCount) ?? 0,
});

/** A sequencing element can inherit from another what it does not define. */
const whole = (sequencing: SequencingElement | undefined, collection: readonly SequencingElement[]): SequencingElement[] => {
  if (!sequencing) return [];
  const shared = sequencing.attributes.IDRef === undefined ? undefined : collection.find((c) => c.attributes.ID === sequencing.attributes.IDRef);
  const kind = (c: SequencingElement) => (c.name === 'objectives' && isAdl(c) ? 'adl' : c.name);
  const own = new Set(sequencing.children.map(kind));
  return [...sequencing.children, ...(shared?.children ?? []).filter((c) => !own.has(kind(c)))];
};

type Item = Pick<ScormActivity, 'id' | 'title' | 'visible' | 'extensions' | 'children'>;
const activityOf = (manifest: Item, collection: readonly SequencingElement[], parent: Activity | null): Activity => {
  const sequencing = whole(first(manifest.extensions, 'sequencing'), collection);
  const attributes = (name: string): Record<string, string | undefined> => first(sequencing, name)?.attributes ?? {};
  const control = attributes('controlMode');
  const constrained = attributes('constrainedChoiceConsiderations');
  const rollup = attributes('rollupRules');
  const random = attributes('randomizationControls');
  const delivery = attributes('deliveryControls');
  const considered = attributes('rollupConsiderations');
  const threshold = first(manifest.extensions, 'completionThreshold');
  const rules = (name: string) => named(sequencing, 'sequencingRules').flatMap((r) => named(r.children, name).map(ruleOf));
  // Before the 4th edition the threshold is the element's text, and its presence enables it.
  const byProgress = flag(threshold?.attributes.completedByMeasure, (threshold?.text.trim() ?? '') !== '');
  const activity: Activity = {
    id: manifest.id,
    title: manifest.title,
    visible: manifest.visible,
    leaf: manifest.children.length === 0,
    keepsShared: flag(first(manifest.extensions, 'organization')?.attributes.objectivesGlobalToSystem, true),
    organisation: first(manifest.extensions, 'organization')?.attributes.identifier?.trim() || null,
    parent,
    children: [],
    control: {
      choice: flag(control.choice, true),
      choiceExit: flag(control.choiceExit, true),
      flow: flag(control.flow, false),
      forwardOnly: flag(control.forwardOnly, false),
      currentObjectives: flag(control.useCurrentAttemptObjectiveInfo, true),
      currentProgress: flag(control.useCurrentAttemptProgressInfo, true),
    },
    preventActivation: flag(constrained.preventActivation, false),
    constrainChoice: flag(constrained.constrainChoice, false),
    before: rules('preConditionRule'),
    after: rules('postConditionRule'),
    exit: rules('exitConditionRule'),
    attemptLimit: number(attributes('limitConditions').attemptLimit),
    rollup: {
      rules: named(sequencing, 'rollupRules').flatMap((r) => named(r.children, 'rollupRule').map(rollupRuleOf)),
      objective: flag(rollup.rollupObjectiveSatisfied, true),
      progress: flag(rollup.rollupProgressCompletion, true),
      weight: number(rollup.objectiveMeasureWeight) ?? 1,
    },
    required: {
      satisfied: (considered.requiredForSatisfied ?? 'always') as Required,
      notSatisfied: (considered.requiredForNotSatisfied ?? 'always') as Required,
      completed: (considered.requiredForCompleted ?? 'always') as Required,
      incomplete: (considered.requiredForIncomplete ?? 'always') as Required,
    },
    satisfiedIfActive: flag(considered.measureSatisfactionIfActive, true),
    objectives: objectivesOf(sequencing),
    tracked: flag(delivery.tracked, true),
    completionByContent: flag(delivery.completionSetByContent, false),
    objectiveByContent: flag(delivery.objectiveSetByContent, false),
    progress: byProgress ? (number(threshold?.attributes.minProgressMeasure) ?? number(threshold?.text) ?? 1) : null,
    progressWeight: number(threshold?.attributes.progressWeight) ?? 1,
    select: { when: random.selectionTiming ?? 'never', count: number(random.selectCount) },
    shuffle: flag(random.reorderChildren, false) ? (random.randomizationTiming ?? 'never') : 'never',
    hidden: new Set(
      named(manifest.extensions, 'presentation').flatMap((p) => p.children.flatMap((n) => named(n.children, 'hideLMSUI').map((h) => h.text.trim()))),
    ),
    shared: named(manifest.extensions, 'data').flatMap((d) =>
      named(d.children, 'map').map(({ attributes: a }) => ({
        targetID: a.targetID ?? '',
        readSharedData: flag(a.readSharedData, true),
        writeSharedData: flag(a.writeSharedData, true),
      })),
    ),
  };
  activity.children = manifest.children.map((c) => activityOf(c, collection, activity));
  return activity;
};

/** The activity tree of a course; its root is the course. */
export const activityTree = ({ title, activities, extensions, collection }: ScormManifest): Activity =>
  activityOf({ id: courseItem, title, visible: true, extensions, children: activities }, collection, null);
