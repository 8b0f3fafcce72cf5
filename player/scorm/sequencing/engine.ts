import { type Activity, type Condition, nameOf, type Rule, type RollupRule } from './definition.ts';

/**
 * SCORM 2004 sequencing (4th edition, Sequencing and Navigation, appendix C): navigation, termination, rollup, selection,
 * sequencing and delivery over a tree of activities. Independent of SCOs and screens: `said` provides a SCO's data when its
 * attempt ends, and the current activity is what to show. All state is in `State`, which is plain data and can be stored.
 * Available navigation is determined without changing state.
 */

/** null is unknown. Measures from -1 to 1, amounts from 0 to 1. */
export type Known = {
  satisfied: boolean | null;
  measure: number | null;
  completed: boolean | null;
  amount: number | null;
  raw: string | null;
  min: string | null;
  max: string | null;
};
type Field = keyof Known;
type Tracking = {
  attempts: number;
  active: boolean;
  suspended: boolean;
  /** By objective in order of definition; completion and amount of the first are the activity's. */
  objectives: Known[];
  /** Set when a parent starts a new attempt: results of the previous attempt do not count. */
  staleObjectives: boolean;
  staleProgress: boolean;
  /** The selected children, in order. */
  available: string[];
};
export type State = {
  tracking: Record<string, Tracking>;
  /** Shared objectives by target name. */
  shared: Record<string, Known>;
  current: string | null;
  suspended: string | null;
  /** The activity last shown when the course was left; used to resume if the rules name none. */
  left?: string;
  ended: boolean;
};
/** The values that a SCO has set; null if it set them to unknown. By objective; the first has no name. */
export type Reported = { objectives: { id: string | null; values: Partial<Known> }[] };
export type Request =
  | { kind: 'start' | 'resumeAll' | 'continue' | 'previous' | 'exit' | 'exitAll' | 'abandon' | 'abandonAll' | 'suspendAll' }
  | { kind: 'choice' | 'jump'; target: string };

type Direction = 'forward' | 'backward';
type Sequencing = { kind: 'start' | 'resumeAll' | 'continue' | 'previous' | 'retry' | 'exit' } | { kind: 'choice' | 'jump'; target: Activity };
type Termination = 'exit' | 'exitAll' | 'abandon' | 'abandonAll' | 'suspendAll';
/** Ends a process that is not possible, with the standard's code. */
class Refused extends Error {
  readonly endsCourse: boolean;
  constructor(code: string, endsCourse = false) {
    super(code);
    this.endsCourse = endsCourse;
  }
}

const unknown = (): Known => ({ satisfied: null, measure: null, completed: null, amount: null, raw: null, min: null, max: null });
const fields = Object.keys(unknown()) as Field[];

export const allActivities = (root: Activity): Activity[] => [root, ...root.children.flatMap(allActivities)];
const pathTo = (a: Activity): Activity[] => (a.parent ? [...pathTo(a.parent), a] : [a]);

export const newState = (root: Activity): State => ({
  tracking: Object.fromEntries(
    allActivities(root).map((a) => [
      a.id,
      {
        attempts: 0,
        active: false,
        suspended: false,
        objectives: a.objectives.map(unknown),
        staleObjectives: false,
        staleProgress: false,
        available: a.children.map((c) => c.id),
      },
    ]),
  ),
  shared: {},
  current: null,
  suspended: null,
  ended: false,
});

export const sequencing = (root: Activity, state: State, said: () => Reported | null, random: () => number = Math.random) => {
  const byId = new Map(allActivities(root).map((a) => [a.id, a]));
  /** The root can also be addressed by its organisation's identifier. */
  const targetOf = (id: string) =>
    byId.get(id) ?? byId.get(id.trim()) ?? (root.organisation !== null && id.trim() === root.organisation ? root : undefined);
  const trackingOf = (a: Activity): Tracking => state.tracking[a.id] as Tracking;
  const current = () => (state.current === null ? null : (byId.get(state.current) ?? null));
  const childrenOf = (a: Activity) => trackingOf(a).available.flatMap((id) => byId.get(id) ?? []);
  const siblingsOf = (a: Activity) => (a.parent ? childrenOf(a.parent) : [a]);
  const commonAncestor = (a: Activity, b: Activity): Activity => {
    const other = new Set(pathTo(b));
    return pathTo(a).findLast((x) => other.has(x)) as Activity;
  };
  /** The ancestors of an activity including itself, up to but excluding `end`. */
  const upTo = (from: Activity, end: Activity): Activity[] =>
    pathTo(from)
      .slice(pathTo(from).indexOf(end) + 1)
      .reverse();
  const order = () => {
    const walk = (a: Activity): Activity[] => [a, ...childrenOf(a).flatMap(walk)];
    return walk(root);
  };
  const isForward = (from: Activity, to: Activity) => order().indexOf(to) > order().indexOf(from);

  const isProgress = (field: Field) => field === 'completed' || field === 'amount';
  /** Set during rollup, when results of earlier attempts do not count. */
  let rolling = false;
  const sharedOf = (a: Activity, index: number, field: Field): Known[Field] => {
    const from = (a.objectives[index]?.maps ?? []).filter((m) => m.read.has(field));
    return from.map((m) => state.shared[m.target]?.[field] ?? null).find((v) => v !== null) ?? null;
  };
  // The value of an objective: a shared value takes precedence over the activity's own.
  const read = (a: Activity, index: number, field: Field): Known[Field] => {
    const from = (a.objectives[index]?.maps ?? []).filter((m) => m.read.has(field));
    const shared = sharedOf(a, index, field);
    // Satisfaction that is mapped for reading comes only from the shared objective; for other fields the shared one may have no value.
    if (shared !== null || (field === 'satisfied' ? from.length > 0 : from.some((m) => m.write.has(field)))) return shared;
    const stale = rolling && (isProgress(field) ? trackingOf(a).staleProgress : trackingOf(a).staleObjectives);
    return stale ? null : (trackingOf(a).objectives[index]?.[field] ?? null);
  };
  const measureOf = (a: Activity, index: number) => read(a, index, 'measure') as number | null;
  const satisfiedOf = (a: Activity, index: number): boolean | null => {
    const least = a.objectives[index]?.measure ?? null;
    if (least === null) return read(a, index, 'satisfied') as boolean | null;
    const measure = measureOf(a, index);
    if (measure === null || (trackingOf(a).active && !a.satisfiedIfActive)) return null;
    return measure >= least;
  };
  const completedOf = (a: Activity, index = 0): boolean | null => {
    if (index > 0 || a.progress === null) return read(a, index, 'completed') as boolean | null;
    // Where the amount is read too, the threshold here decides, and without an amount nothing is known. A completion that is read alone
    // was determined at its source.
    const readsAmount = (a.objectives[0]?.maps ?? []).some((m) => m.read.has('amount'));
    const shared = readsAmount ? null : (sharedOf(a, index, 'completed') as boolean | null);
    if (shared !== null) return shared;
    const amount = read(a, 0, 'amount') as number | null;
    if (amount === null || (trackingOf(a).active && !a.satisfiedIfActive)) return null;
    return amount >= a.progress;
  };
  const touched = new Set<string>();
  /** Writes values to the mapped shared objectives. */
  const write = (a: Activity, index: number, changed: readonly Field[]) => {
    const own = trackingOf(a).objectives[index];
    for (const map of a.objectives[index]?.maps ?? [])
      for (const field of changed) {
        if (!own || !map.write.has(field)) continue;
        const shared = state.shared[map.target] ?? unknown();
        state.shared[map.target] = shared;
        const value =
          field === 'satisfied' && a.objectives[index]?.measure !== null
            ? ownSatisfied(a, index)
            : field === 'completed' && index === 0 && a.progress !== null
              ? ownCompleted(a)
              : own[field];
        Object.assign(shared, { [field]: value });
        touched.add(map.target);
      }
  };
  const ownSatisfied = (a: Activity, index: number): boolean | null => {
    const [own, least] = [trackingOf(a).objectives[index], a.objectives[index]?.measure ?? null];
    return least === null || !own || own.measure === null ? null : own.measure >= least;
  };
  const ownCompleted = (a: Activity): boolean | null => {
    const amount = trackingOf(a).objectives[0]?.amount ?? null;
    return amount === null || a.progress === null ? null : amount >= a.progress;
  };
  /** Discards results of an earlier attempt once this one has its own. */
  const refresh = (a: Activity, changed: readonly Field[]) => {
    const tracking = trackingOf(a);
    const stale = {
      progress: tracking.staleProgress && changed.some(isProgress),
      objectives: tracking.staleObjectives && !changed.every(isProgress),
    };
    for (const o of tracking.objectives)
      for (const field of fields) if (isProgress(field) ? stale.progress : stale.objectives) Object.assign(o, { [field]: null });
    if (stale.progress) tracking.staleProgress = false;
    if (stale.objectives) tracking.staleObjectives = false;
  };
  const set = (a: Activity, index: number, values: Partial<Known>) => {
    const own = trackingOf(a).objectives[index];
    if (!own) return;
    const changed = Object.keys(values) as Field[];
    refresh(a, changed);
    Object.assign(own, values);
    // A measure determines satisfaction too.
    if ('measure' in values && a.objectives[index]?.measure !== null) changed.push('satisfied');
    if ('amount' in values && index === 0 && a.progress !== null) changed.push('completed');
    write(a, index, [...new Set(changed)]);
  };

  // Rules (UP.2).
  const objectiveIndex = (a: Activity, id: string | null) =>
    id === null
      ? 0
      : Math.max(
          0,
          a.objectives.findIndex((o) => o.name === id),
        );
  const holds = (a: Activity, { name, not, objective, threshold }: Condition): boolean | null => {
    const index = objectiveIndex(a, objective);
    const value = ((): boolean | null => {
      const measure = () => measureOf(a, index);
      switch (name) {
        case 'satisfied':
          return satisfiedOf(a, index);
        case 'objectiveStatusKnown':
          return satisfiedOf(a, index) !== null;
        case 'objectiveMeasureKnown':
          return measure() !== null;
        case 'objectiveMeasureGreaterThan':
          return measure() === null ? null : (measure() as number) > threshold;
        case 'objectiveMeasureLessThan':
          return measure() === null ? null : (measure() as number) < threshold;
        case 'completed':
          return completedOf(a, index);
        case 'activityProgressKnown':
          return completedOf(a, index) !== null;
        case 'attempted':
          return trackingOf(a).attempts > 0;
        case 'attemptLimitExceeded':
          return a.attemptLimit !== null && trackingOf(a).attempts >= a.attemptLimit;
        case 'always':
          return true;
        default:
          return null;
      }
    })();
    return not && value !== null ? !value : value;
  };
  const combined = (a: Activity, { combine, conditions }: Rule): boolean | null => {
    if (conditions.length === 0) return null;
    const values = conditions.map((c) => holds(a, c));
    if (combine === 'any') return values.includes(true) ? true : values.includes(null) ? null : false;
    return values.includes(false) ? false : values.includes(null) ? null : true;
  };
  const ruled = (a: Activity, rules: readonly Rule[], ...actions: string[]): string | null =>
    a.tracked || rules.some((r) => r.conditions.some((c) => c.name === 'always'))
      ? (rules.find((r) => (actions.length === 0 || actions.includes(r.action)) && combined(a, r) === true)?.action ?? null)
      : null;

  // Rollup (RB.1).
  const contributes = (child: Activity, action: keyof Activity['required']): boolean => {
    if (!(action === 'satisfied' || action === 'notSatisfied' ? child.rollup.objective : child.rollup.progress)) return false;
    const { attempts, suspended } = trackingOf(child);
    switch (child.required[action]) {
      case 'ifNotSuspended':
        return attempts > 0 && !suspended;
      case 'ifAttempted':
        return attempts > 0;
      case 'ifNotSkipped':
        return ruled(child, child.before, 'skip') === null;
      default:
        return true;
    }
  };
  const rollsUp = (a: Activity, action: keyof Activity['required'], rules: readonly RollupRule[]): boolean =>
    rules
      .filter((r) => r.action === action)
      .some((rule) => {
        const bag = childrenOf(a)
          .filter((c) => c.tracked && contributes(c, action))
          .map((c) => combined(c, rule));
        const count = bag.filter((v) => v === true).length;
        // By default an empty set has no effect; an explicit rule is applied literally.
        if (bag.length === 0 && !a.rollup.rules.includes(rule)) return false;
        switch (rule.of) {
          case 'all':
            return count === bag.length;
          case 'any':
            return count > 0;
          case 'none':
            return !bag.includes(true) && !bag.includes(null);
          case 'atLeastCount':
            return count >= rule.least;
          default:
            return bag.length > 0 && count / bag.length >= rule.least;
        }
      });
  const byDefault = (action: string, name: string): RollupRule => ({
    action,
    of: 'all',
    least: 0,
    combine: 'any',
    conditions: [{ name, not: false, objective: null, threshold: 0 }],
  });
  const rulesFor = (a: Activity, reached: string, missed: string, defaults: RollupRule[]) =>
    a.rollup.rules.some((r) => r.action === reached || r.action === missed) ? a.rollup.rules : defaults;
  const gathered = <T>(work: () => T): T => {
    rolling = true;
    try {
      return work();
    } finally {
      rolling = false;
    }
  };
  const rollUp = (a: Activity) => {
    const children = childrenOf(a).filter((c) => c.tracked);
    const mean = (weight: (c: Activity) => number, value: (c: Activity) => number | null) => {
      const counted = children.reduce((sum, c) => sum + weight(c), 0);
      const values = children.map((c) => ({ weight: weight(c), value: value(c) })).filter((v) => v.value !== null);
      return values.length === 0 || counted === 0 ? null : values.reduce((sum, v) => sum + v.weight * (v.value as number), 0) / counted;
    };
    set(a, 0, {
      measure: gathered(() =>
        mean(
          (c) => c.rollup.weight,
          (c) => measureOf(c, 0),
        ),
      ),
    });
    const amount = gathered(() =>
      mean(
        (c) => c.progressWeight,
        (c) => read(c, 0, 'amount') as number | null,
      ),
    );
    if (a.progress !== null || amount !== null) set(a, 0, { amount });
    if (a.objectives[0].measure === null) {
      const rules = rulesFor(a, 'satisfied', 'notSatisfied', [
        byDefault('notSatisfied', 'objectiveStatusKnown'),
        byDefault('satisfied', 'satisfied'),
      ]);
      if (gathered(() => rollsUp(a, 'notSatisfied', rules))) set(a, 0, { satisfied: false });
      if (gathered(() => rollsUp(a, 'satisfied', rules))) set(a, 0, { satisfied: true });
    }
    if (a.progress === null) {
      const rules = rulesFor(a, 'completed', 'incomplete', [byDefault('incomplete', 'activityProgressKnown'), byDefault('completed', 'completed')]);
      if (gathered(() => rollsUp(a, 'incomplete', rules))) set(a, 0, { completed: false });
      if (gathered(() => rollsUp(a, 'completed', rules))) set(a, 0, { completed: true });
    }
  };
  const overallRollup = (a: Activity) => {
    for (const x of pathTo(a).reverse()) if (!x.leaf) rollUp(x);
    // Changes are propagated to activities that read them.
    for (let rounds = 0; touched.size > 0 && rounds < 10; rounds++) {
      const changed = new Set(touched);
      touched.clear();
      const readers = allActivities(root).filter((x) => x.objectives.some((o) => o.maps.some((m) => m.read.size > 0 && changed.has(m.target))));
      for (const x of new Set(readers.flatMap((r) => pathTo(r).slice(0, -1).reverse()))) rollUp(x);
    }
    touched.clear();
  };

  // Selection and order of children (SR.1, SR.2).
  const arrange = (a: Activity, when: string) => {
    const tracking = trackingOf(a);
    if (a.select.when === when && a.select.count !== null && a.select.count < a.children.length) {
      const chosen = new Set<string>();
      while (chosen.size < a.select.count) chosen.add((a.children[Math.floor(random() * a.children.length)] as Activity).id);
      tracking.available = a.children.flatMap((c) => (chosen.has(c.id) ? c.id : []));
    }
    if (a.shuffle === when) {
      const list = tracking.available;
      for (let i = list.length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [list[i], list[j]] = [list[j] as string, list[i] as string];
      }
    }
  };

  // Ends of attempts (UP.3, UP.4).
  /** Index of a SCO's objective in the definition; -1 if it is not defined there. */
  const placeOf = (a: Activity, id: string | null) => (id === null ? 0 : a.objectives.findIndex((o) => o.name === nameOf(id)));
  const endAttempt = (a: Activity) => {
    const tracking = trackingOf(a);
    if (a.leaf) {
      if (a.tracked && tracking.active) {
        for (const { id, values } of said()?.objectives ?? []) {
          const index = placeOf(a, id);
          if (index >= 0) set(a, index, values);
        }
        if (!tracking.suspended) {
          // A value that the SCO set to unknown stays unknown, and so does one it read from a shared objective and did not set.
          if (!a.completionByContent && completedOfOwn(a) === null && completedOf(a) === null && !hasSaid('completed'))
            set(a, 0, { completed: true });
          if (
            !a.objectiveByContent &&
            a.objectives[0].measure === null &&
            tracking.objectives[0]?.satisfied === null &&
            satisfiedOf(a, 0) === null &&
            !hasSaid('satisfied')
          )
            set(a, 0, { satisfied: true });
        }
      }
    } else tracking.suspended = a.children.some((c) => trackingOf(c).suspended);
    tracking.active = false;
    overallRollup(a);
    if (!a.leaf && !tracking.suspended) arrange(a, 'onEachNewAttempt');
  };
  const completedOfOwn = (a: Activity) => (a.progress === null ? (trackingOf(a).objectives[0]?.completed ?? null) : ownCompleted(a));
  const hasSaid = (field: Field) => said()?.objectives.some((o) => o.id === null && field in o.values) ?? false;
  const terminateDescendents = (a: Activity) => {
    const now = current();
    if (!now) return;
    for (const x of upTo(now, commonAncestor(now, a)).slice(1)) endAttempt(x);
  };

  // Termination (TB.2).
  const exitRules = () => {
    const now = current() as Activity;
    const target = pathTo(now)
      .slice(0, -1)
      .find((a) => ruled(a, a.exit, 'exit') !== null);
    if (!target) return;
    terminateDescendents(target);
    endAttempt(target);
    state.current = target.id;
  };
  type After = { termination?: 'exitParent' | 'exitAll'; sequencing?: Sequencing };
  const postRules = (): After => {
    const now = current() as Activity;
    if (trackingOf(now).suspended) return {};
    const action = ruled(now, now.after);
    switch (action) {
      case 'retry':
      case 'continue':
      case 'previous':
        return { sequencing: { kind: action } };
      case 'exitParent':
      case 'exitAll':
        return { termination: action };
      case 'retryAll':
        return { termination: 'exitAll', sequencing: { kind: 'retry' } };
      default:
        return {};
    }
  };
  const exitAll = (sequencing?: Sequencing): Sequencing => {
    const now = current() as Activity;
    if (trackingOf(now).active) endAttempt(now);
    terminateDescendents(root);
    endAttempt(root);
    state.current = root.id;
    return sequencing ?? { kind: 'exit' };
  };
  /** Returns the sequencing request that replaces the requested one, if any. */
  const terminate = (kind: Termination): Sequencing | undefined => {
    const now = current();
    if (!now) throw new Refused('TB.2.3-1');
    if ((kind === 'exit' || kind === 'abandon') && !trackingOf(now).active) throw new Refused('TB.2.3-2');
    if (kind === 'exitAll') return exitAll();
    if (kind === 'exit') {
      endAttempt(now);
      exitRules();
      for (;;) {
        const after = postRules();
        if (after.termination === 'exitAll') return exitAll(after.sequencing);
        const activity = current() as Activity;
        if (after.termination === 'exitParent') {
          if (!activity.parent) throw new Refused('TB.2.3-4');
          state.current = activity.parent.id;
          endAttempt(activity.parent);
          continue;
        }
        if (activity === root && after.sequencing?.kind !== 'retry') return { kind: 'exit' };
        return after.sequencing;
      }
    }
    if (kind === 'abandon') {
      trackingOf(now).active = false;
      return undefined;
    }
    if (kind === 'abandonAll') {
      for (const a of pathTo(now)) trackingOf(a).active = false;
      state.current = root.id;
      return { kind: 'exit' };
    }
    state.left = now.id;
    let suspended: Activity;
    if (trackingOf(now).active || trackingOf(now).suspended) {
      const has = said();
      if (has && now.leaf && now.tracked && trackingOf(now).active)
        for (const { id, values } of has.objectives) {
          const index = placeOf(now, id);
          if (index >= 0) set(now, index, values);
        }
      overallRollup(now);
      suspended = now;
    } else if (now.parent) suspended = now.parent;
    else throw new Refused('TB.2.3-3');
    state.suspended = suspended.id;
    for (const a of pathTo(suspended)) {
      trackingOf(a).active = false;
      trackingOf(a).suspended = true;
    }
    state.current = root.id;
    return { kind: 'exit' };
  };

  /** Set while only evaluating a request, so that nothing ends. */
  let trying = false;
  // Flow (SB.2.1 to SB.2.3).
  const traverse = (a: Activity, direction: Direction, previous: Direction | null, into: boolean): { next: Activity; direction: Direction } => {
    let way = direction;
    let activity = a;
    let reversed = false;
    if (previous === 'backward' && activity.parent && siblingsOf(activity).at(-1) === activity) {
      way = 'backward';
      activity = siblingsOf(activity)[0] as Activity;
      reversed = true;
    }
    const siblings = siblingsOf(activity);
    const at = siblings.indexOf(activity);
    if (way === 'forward') {
      if ((activity === root && !into) || (order().at(-1) === activity && (activity.leaf || !into))) {
        if (!trying) terminateDescendents(root);
        throw new Refused('SB.2.1-1', true);
      }
      if (activity.leaf || !into) {
        if (at === siblings.length - 1) return traverse(activity.parent as Activity, 'forward', null, false);
        return { next: siblings[at + 1] as Activity, direction: way };
      }
      const child = childrenOf(activity)[0];
      if (!child) throw new Refused('SB.2.1-2');
      return { next: child, direction: way };
    }
    if (activity === root) throw new Refused('SB.2.1-3');
    if (activity.leaf || !into) {
      if (!reversed && activity.parent?.control.forwardOnly) throw new Refused('SB.2.1-4');
      if (at === 0) return traverse(activity.parent as Activity, 'backward', null, false);
      return { next: siblings[at - 1] as Activity, direction: way };
    }
    const children = childrenOf(activity);
    if (children.length === 0) throw new Refused('SB.2.1-2');
    return activity.control.forwardOnly
      ? { next: children[0] as Activity, direction: 'forward' }
      : { next: children.at(-1) as Activity, direction: 'backward' };
  };
  const isBarred = (a: Activity): boolean => {
    if (ruled(a, a.before, 'disabled') !== null) return true;
    const { active, suspended, attempts } = trackingOf(a);
    return a.tracked && !active && !suspended && a.attemptLimit !== null && attempts >= a.attemptLimit;
  };
  const flowTo = (a: Activity, direction: Direction, previous: Direction | null): Activity => {
    if (!a.parent?.control.flow) throw new Refused('SB.2.2-1');
    if (ruled(a, a.before, 'skip') !== null) {
      const { next, direction: way } = traverse(a, direction, previous, false);
      return previous === 'backward' && way === 'backward' ? flowTo(next, way, null) : flowTo(next, direction, previous);
    }
    if (isBarred(a)) throw new Refused('SB.2.2-2');
    if (a.leaf) return a;
    const { next, direction: way } = traverse(a, direction, null, true);
    return direction === 'backward' && way === 'forward' ? flowTo(next, 'forward', 'backward') : flowTo(next, direction, null);
  };
  const flow = (a: Activity, direction: Direction, into: boolean): Activity => {
    const { next } = traverse(a, direction, null, into);
    return flowTo(next, direction, null);
  };

  // Choice (SB.2.4, SB.2.9).
  const passes = (a: Activity, direction: Direction) => {
    if (direction === 'forward') {
      if (ruled(a, a.before, 'stopForwardTraversal') !== null) throw new Refused('SB.2.4-1');
    } else if (!a.parent) throw new Refused('SB.2.4-3');
    else if (a.parent.control.forwardOnly) throw new Refused('SB.2.4-2');
  };
  const enters = (a: Activity, common: Activity) => {
    if (!trackingOf(a).active && a !== common && a.preventActivation) throw new Refused('SB.2.9-6');
  };
  const choiceFlow = (a: Activity, direction: Direction): Activity => {
    const step = (x: Activity): Activity | null => {
      if (x === root || (direction === 'forward' && order().at(-1) === x)) return null;
      const siblings = siblingsOf(x);
      const next = siblings[siblings.indexOf(x) + (direction === 'forward' ? 1 : -1)];
      return next ?? step(x.parent as Activity);
    };
    return step(a) ?? a;
  };
  const isWithin = (a: Activity, above: Activity) => pathTo(a).includes(above);
  const choose = (target: Activity): Activity => {
    for (const a of pathTo(target)) {
      if (a.parent && !siblingsOf(a).includes(a)) throw new Refused('SB.2.9-2');
      if (ruled(a, a.before, 'hiddenFromChoice') !== null) throw new Refused('SB.2.9-3');
    }
    if (target.parent && !target.parent.control.choice) throw new Refused('SB.2.9-4');
    const now = current();
    const common = now ? commonAncestor(now, target) : root;
    const down = () => pathTo(target).slice(pathTo(target).indexOf(common), -1);
    if (now === target) {
      // It is the current activity.
    } else if (now && now.parent === target.parent && now.parent) {
      const siblings = siblingsOf(now);
      const [from, to] = [siblings.indexOf(now), siblings.indexOf(target)];
      const between = from < to ? siblings.slice(from, to) : siblings.slice(to + 1, from + 1).reverse();
      for (const a of between) passes(a, from < to ? 'forward' : 'backward');
    } else if (!now || now === common) {
      for (const a of down()) {
        passes(a, 'forward');
        enters(a, common);
      }
    } else if (target === common) {
      for (const a of upTo(now, target)) if (!a.control.choiceExit) throw new Refused('SB.2.9-7');
    } else {
      let constrained: Activity | null = null;
      for (const a of upTo(now, common)) {
        if (!a.control.choiceExit) throw new Refused('SB.2.9-7');
        if (!constrained && !a.leaf && a.constrainChoice) constrained = a;
      }
      const forward = isForward(now, target);
      if (constrained) {
        const consider = choiceFlow(constrained, isForward(constrained, target) ? 'forward' : 'backward');
        if (!isWithin(target, consider) && target !== constrained && !isWithin(target, constrained)) throw new Refused('SB.2.9-8');
      }
      for (const a of down()) {
        if (forward) passes(a, 'forward');
        enters(a, common);
      }
    }
    if (target.leaf) return target;
    try {
      return flow(target, 'forward', true);
    } catch (error) {
      if (!(error instanceof Refused) || trying) throw error;
      terminateDescendents(common);
      endAttempt(common);
      state.current = target.id;
      throw new Refused('SB.2.9-9');
    }
  };

  /** Finds the next activity. For a new attempt at the course, the rules are evaluated without its shared values. */
  const sequence = (request: Sequencing): Activity | null => {
    const begins = request.kind !== 'exit' && !trackingOf(root).active && !trackingOf(root).suspended;
    if (!begins || root.keepsShared) return lead(request);
    const { shared } = state;
    state.shared = {};
    let next: Activity | null = null;
    try {
      next = lead(request);
      return next;
    } finally {
      if (trying || !next) state.shared = shared;
    }
  };
  const lead = (request: Sequencing): Activity | null => {
    const now = current();
    switch (request.kind) {
      case 'start':
        if (now) throw new Refused('SB.2.5-1');
        return root.leaf ? root : flow(root, 'forward', true);
      case 'resumeAll': {
        if (now) throw new Refused('SB.2.6-1');
        const suspended = state.suspended === null ? undefined : byId.get(state.suspended);
        if (!suspended) throw new Refused('SB.2.6-2');
        return suspended;
      }
      case 'continue':
      case 'previous': {
        if (!now) throw new Refused('SB.2.7-1');
        if (now.parent && !now.parent.control.flow) throw new Refused('SB.2.7-2');
        return flow(now, request.kind === 'continue' ? 'forward' : 'backward', false);
      }
      case 'retry':
        if (!now) throw new Refused('SB.2.10-1');
        if (trackingOf(now).active || trackingOf(now).suspended) throw new Refused('SB.2.10-2');
        return now.leaf ? now : flow(now, 'forward', true);
      case 'exit':
        if (!now) throw new Refused('SB.2.11-1');
        if (trackingOf(now).active) throw new Refused('SB.2.11-2');
        if (now === root) throw new Refused('SB.2.11', true);
        return null;
      case 'choice':
        return choose(request.target);
      case 'jump':
        return request.target.leaf ? request.target : flow(request.target, 'forward', true);
    }
  };

  // Delivery (DB.1, DB.2).
  const markStale = (a: Activity) => {
    for (const c of a.children) {
      if (a.control.currentObjectives) trackingOf(c).staleObjectives = true;
      if (a.control.currentProgress) trackingOf(c).staleProgress = true;
      markStale(c);
    }
  };
  const delivers = (a: Activity) => {
    if (!a.leaf) throw new Refused('DB.1.1-1');
    if (pathTo(a).some(isBarred)) throw new Refused('DB.1.1-3');
  };
  const deliver = (a: Activity) => {
    const left = state.suspended === null ? undefined : byId.get(state.suspended);
    if (left && left !== a)
      for (const x of [...upTo(left, commonAncestor(left, a)), commonAncestor(left, a)]) {
        if (x.leaf) trackingOf(x).suspended = false;
        else if (!x.children.some((c) => trackingOf(c).suspended)) trackingOf(x).suspended = false;
      }
    terminateDescendents(a);
    for (const x of pathTo(a)) {
      const tracking = trackingOf(x);
      if (tracking.active) continue;
      if (tracking.suspended) tracking.suspended = false;
      else {
        tracking.attempts++;
        tracking.objectives = x.objectives.map(unknown);
        markStale(x);
      }
      tracking.staleObjectives = false;
      tracking.staleProgress = false;
      tracking.active = true;
    }
    state.current = a.id;
    state.suspended = null;
    state.ended = false;
  };

  // Navigation (NB.2.1).
  const navigate = (request: Request): { termination?: Termination; sequencing: Sequencing } => {
    const now = current();
    const leaving = now && trackingOf(now).active ? { termination: 'exit' as const } : {};
    switch (request.kind) {
      case 'start':
        if (now) throw new Refused('NB.2.1-1');
        return { sequencing: { kind: 'start' } };
      case 'resumeAll':
        if (now) throw new Refused('NB.2.1-1');
        if (state.suspended === null) throw new Refused('NB.2.1-3');
        return { sequencing: { kind: 'resumeAll' } };
      case 'continue':
        if (!now) throw new Refused('NB.2.1-2');
        if (!now.parent?.control.flow) throw new Refused('NB.2.1-4');
        return { ...leaving, sequencing: { kind: 'continue' } };
      case 'previous':
        if (!now) throw new Refused('NB.2.1-2');
        if (!now.parent?.control.flow || now.parent.control.forwardOnly) throw new Refused('NB.2.1-5');
        return { ...leaving, sequencing: { kind: 'previous' } };
      case 'choice': {
        const target = targetOf(request.target);
        if (!target) throw new Refused('NB.2.1-11');
        if (target.parent && !target.parent.control.choice) throw new Refused('NB.2.1-10');
        if (now && now.parent !== target.parent) {
          const path = upTo(now, commonAncestor(now, target));
          if (path.some((a) => trackingOf(a).active && !a.control.choiceExit)) throw new Refused('NB.2.1-8');
        } else if (now && trackingOf(now).active && !now.control.choiceExit) throw new Refused('NB.2.1-8');
        return { ...leaving, sequencing: { kind: 'choice', target } };
      }
      case 'jump': {
        const target = targetOf(request.target);
        if (!target || !siblingsOf(target).includes(target)) throw new Refused('NB.2.1-11');
        return { ...leaving, sequencing: { kind: 'jump', target } };
      }
      case 'exit':
        if (!now || !trackingOf(now).active) throw new Refused('NB.2.1-12');
        return { termination: 'exit', sequencing: { kind: 'exit' } };
      case 'abandon':
        if (!now || !trackingOf(now).active) throw new Refused('NB.2.1-12');
        return { termination: 'abandon', sequencing: { kind: 'exit' } };
      default:
        if (!now) throw new Refused('NB.2.1-2');
        return { termination: request.kind, sequencing: { kind: 'exit' } };
    }
  };

  const endsIfTold = (error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    if (error.endsCourse) {
      if (trackingOf(root).active) endAttempt(root);
      state.current = null;
      state.ended = true;
    }
    return error.message;
  };
  if (Object.values(state.tracking).every((t) => t.attempts === 0))
    for (const a of allActivities(root)) for (const when of ['once', 'onEachNewAttempt']) arrange(a, when);

  return {
    /** Performs a request. Returns the activity to show, or why there is none. */
    request: (request: Request): { shown: Activity } | { shown: null; why: string | null } => {
      try {
        const { termination, sequencing: asked } = navigate(request);
        const instead = termination && terminate(termination);
        const next = sequence(instead ?? asked);
        if (!next) return { shown: null, why: null };
        // A suspended group is entered where it was left.
        const leaf = next.leaf ? next : flow(next, 'forward', true);
        delivers(leaf);
        deliver(leaf);
        return { shown: leaf };
      } catch (error) {
        return { shown: null, why: endsIfTold(error) };
      }
    },
    current,
    /** Whether a request would lead to an activity now. Changes nothing. */
    allows: (request: Request): boolean => {
      trying = true;
      try {
        const { sequencing: asked } = navigate(request);
        if (request.kind === 'continue') return true;
        const next = sequence(asked);
        if (!next) return false;
        delivers(next.leaf ? next : flow(next, 'forward', true));
        return true;
      } catch (error) {
        if (error instanceof Refused) return false;
        throw error;
      } finally {
        trying = false;
      }
    },
    /** The state of an objective as a starting SCO finds it. */
    objective: (a: Activity, index: number): Known => ({
      ...(Object.fromEntries(fields.map((field) => [field, read(a, index, field)])) as Known),
      satisfied: satisfiedOf(a, index),
      completed: completedOf(a, index),
    }),
    attempts: (a: Activity) => trackingOf(a).attempts,
    setSuspended: (a: Activity, suspended: boolean) => {
      trackingOf(a).suspended = suspended;
    },
  };
};
