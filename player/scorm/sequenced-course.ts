import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { launchableActivities } from '#contract/rules/package-completion.ts';
import { launchIn, newApi } from './run-time-2004.ts';
import type { Launch, RunTime } from './run-time.ts';
import { type Activity, activityTree } from './sequencing/definition.ts';
import { allActivities, type Known, newState, type Request, type Said, type State, sequencing } from './sequencing/engine.ts';

/** What a person can do from where they are. `choices` are the activities that may be opened from the contents. */
export type Ways = { forward: boolean; back: boolean; choices: ReadonlySet<string> };
export type Step = { to: 'forward' | 'back' | 'leave' | 'end' } | { to: 'activity'; id: string };

const kinds = { forward: 'continue', back: 'previous', leave: 'suspendAll', end: 'exitAll' } as const;
const requestOf = (step: Step): Request => (step.to === 'activity' ? { kind: 'choice', target: step.id } : { kind: kinds[step.to] });
/** What a SCO asks for when it ends. */
const askedBy = (navigation: string): Request => {
  const target = /^\{target=(.+)\}(choice|jump)$/.exec(navigation);
  if (target) return { kind: target[2] as 'choice' | 'jump', target: target[1] as string };
  return navigation === '_none_' || navigation === '' ? { kind: 'exit' } : { kind: navigation as 'continue' };
};
/** Longest value of a data model entry; a long state is kept in several. */
const partLength = 60_000;

const words = { satisfied: ['failed', 'passed'], completed: ['incomplete', 'completed'] } as const;
const numberOf = (text: string) => (text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text));

/** A state that was kept; a new one where it cannot be read or is of another tree. */
const stateFrom = (kept: string, root: Activity): State => {
  try {
    const state = JSON.parse(kept) as State;
    const known = allActivities(root).every((a) => Array.isArray(state.tracking[a.id]?.available));
    return known && typeof state.shared === 'object' ? state : newState(root);
  } catch {
    return newState(root);
  }
};

/**
 * A SCORM 2004 course whose rules decide what comes next (sequencing and navigation, 4th edition; the earlier editions have
 * no rule that it lacks). One run-time for the whole course; the rules are evaluated whenever a SCO ends or the person asks
 * for something, and `moved` says which activity is to be shown then; null where there is no other.
 */
export const sequencedCourse = (manifest: ScormManifest, before: Record<string, string> | null, moved: (show: ScormActivity | null) => void) => {
  const activities = new Map(launchableActivities(manifest.activities).map((a) => [a.id, a]));
  const root = activityTree(manifest);
  const kept = Object.keys(before ?? {})
    .filter((k) => k.startsWith('state.'))
    .sort((a, b) => Number(a.slice(6)) - Number(b.slice(6)))
    .map((k) => before?.[k])
    .join('');
  const state = stateFrom(kept, root);
  /** The attempts that activities had had when they were last shown: another attempt begins anew. */
  const attempts = new Map<string, number>(before?.attempts ? (JSON.parse(before.attempts) as [string, number][]) : []);
  let data: Record<string, string> = before?.data ? (JSON.parse(before.data) as Record<string, string>) : {};
  const api = newApi();
  /** What the SCO that is open has set itself: what it was given is not said by it. */
  const written = new Set<string>();

  const valuesOf = (
    prefix: string,
    o: {
      success_status: string;
      completion_status: string;
      progress_measure: string;
      score: { scaled: string; raw: string; min: string; max: string };
    },
  ) => {
    const has = (name: string) => written.has(`${prefix}.${name}`);
    const known = (word: string, [no, yes]: readonly [string, string], name: string) =>
      word === yes ? true : word === no || word === 'not attempted' ? false : has(name) ? null : undefined;
    const values: Partial<Record<keyof Known, Known[keyof Known] | undefined>> = {
      satisfied: known(o.success_status, words.satisfied, 'success_status'),
      completed: known(o.completion_status, words.completed, 'completion_status'),
      measure: numberOf(o.score.scaled),
      amount: numberOf(o.progress_measure),
      raw: o.score.raw || undefined,
      min: o.score.min || undefined,
      max: o.score.max || undefined,
    };
    return Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) as Partial<Known>;
  };
  const saidNow = (): Said => {
    const { cmi } = api;
    const listed = (cmi.objectives.childArray as unknown as ({ id: string } & Parameters<typeof valuesOf>[1])[]).map((o, i) => {
      const names = {
        satisfied: 'success_status',
        completed: 'completion_status',
        measure: 'score.scaled',
        amount: 'progress_measure',
        raw: 'score.raw',
        min: 'score.min',
        max: 'score.max',
      };
      const all = valuesOf(`cmi.objectives.${i}`, o);
      const own = Object.entries(all).filter(([field]) => written.has(`cmi.objectives.${i}.${names[field as keyof typeof names]}`));
      return { id: o.id, values: Object.fromEntries(own) as Partial<Known> };
    });
    return { objectives: [...listed, { id: null, values: valuesOf('cmi', cmi as unknown as Parameters<typeof valuesOf>[1]) }] };
  };

  let said: Said | null = null;
  const engine = sequencing(root, state, () => said);
  const request = (asked: Request): void => {
    const { shown } = engine.request(asked);
    moved(shown ? (activities.get(shown.id) ?? null) : null);
  };

  /** What was asked for beside the SCO: it goes before what the SCO asks for while it ends. */
  let asked: Request | null = null;
  const { Terminate, SetValue, GetValue } = api;
  api.Terminate = (parameter?: string) => {
    const wants = asked ?? askedBy(api.adl.nav.request);
    const open = api.isInitialized();
    const words = open ? saidNow() : null;
    const leaves = open ? (api.getFlattenedCMI() as Record<string, unknown>)['cmi.exit'] : undefined;
    const answer = Terminate.call(api, parameter);
    if (answer !== 'true' || !open) return answer;
    data = api.captureSharedDataSnapshot();
    said = words;
    const here = engine.current();
    if (here && leaves === 'suspend') engine.setSuspended(here, true);
    request(wants);
    said = null;
    asked = null;
    return answer;
  };
  api.SetValue = (name: string, value: unknown) => {
    const answer = SetValue.call(api, name, value);
    if (answer === 'true') written.add(name);
    return answer;
  };
  api.GetValue = (name: string) => {
    const valid = /^adl\.nav\.request_valid\.(continue|previous|(?:(choice|jump)\.\{target=(.+)\}))$/.exec(String(name));
    if (!valid || !api.isInitialized()) return GetValue.call(api, name);
    GetValue.call(api, 'cmi.entry');
    const [, kind, by, target = ''] = valid;
    return String(engine.allows(by ? { kind: by as 'choice', target } : { kind: kind as 'continue' }));
  };

  const shows = (asked: Request): boolean => {
    const { shown } = engine.request(asked);
    if (shown) moved(activities.get(shown.id) ?? null);
    return shown !== null;
  };
  /**
   * Where the rules name nothing to go on with (a course that does not flow, a group whose first part may be opened once),
   * something is on show nevertheless: what was last, the first from the contents, or the course from its beginning.
   */
  const goOn = (): void => {
    const { left } = state;
    if (state.suspended !== null && shows({ kind: 'resumeAll' })) return;
    const begun = state.suspended !== null;
    if (!begun && shows({ kind: 'start' })) return;
    const parts = launchableActivities(manifest.activities).map(({ id }) => id);
    const open = [...(begun && left !== undefined ? [left] : []), ...parts].find((target) => engine.allows({ kind: 'choice', target }));
    if (open !== undefined && shows({ kind: 'choice', target: open })) return;
    if (begun && left !== undefined && shows({ kind: 'jump', target: left })) return;
    moved(null);
  };

  return {
    api,
    /** Goes on where the course was left, or begins it; `first` names where, in a course that is begun from its contents. */
    start: (first?: string): void => {
      // A tab that was closed on the way has left it as if it had been asked to.
      if (state.tracking[root.id]?.active) engine.request({ kind: 'suspendAll' });
      state.current = null;
      state.ended = false;
      if (first !== undefined) request({ kind: 'choice', target: first });
      else goOn();
    },
    /** Makes the run-time ready for an activity that is to be shown. */
    launch: (launch: Launch): RunTime => {
      const { id } = launch.activity;
      const activity = allActivities(root).find((a) => a.id === id) ?? root;
      const attempt = engine.attempts(activity);
      const resumed = launch.before !== null && attempts.get(id) === attempt;
      attempts.set(id, attempt);
      written.clear();
      const found: Record<string, string> = {};
      let place = 0;
      for (const [i, o] of activity.objectives.entries()) {
        if (o.id === null) continue;
        const known = engine.objective(activity, i);
        const name = `cmi.objectives.${place++}`;
        found[`${name}.id`] = o.id;
        if (known.satisfied !== null) found[`${name}.success_status`] = words.satisfied[known.satisfied ? 1 : 0];
        if (known.completed !== null) found[`${name}.completion_status`] = words.completed[known.completed ? 1 : 0];
        if (known.measure !== null) found[`${name}.score.scaled`] = String(known.measure);
        if (known.amount !== null) found[`${name}.progress_measure`] = String(known.amount);
        for (const field of ['raw', 'min', 'max'] as const) if (known[field] !== null) found[`${name}.score.${field}`] = String(known[field]);
      }
      const runTime = launchIn(api, { ...launch, resumed }, found);
      api.adl.configureSharedDataMaps(activity.shared);
      api.restoreSharedDataSnapshot(data);
      return runTime;
    },
    /** Asks for a step; what is shown has to be taken away by `leave`, which lets the SCO say its last word. */
    step: (step: Step, leave: () => void): void => {
      asked = requestOf(step);
      leave();
      if (api.isInitialized()) api.Terminate('');
      if (asked) request(asked);
      asked = null;
    },
    /** The person is leaving: whatever the SCO asks for while it is unloaded, it is gone on with later. */
    leaving: (): void => {
      asked = requestOf({ to: 'leave' });
    },
    /** What the rules take an activity to have come to; a SCO that says nothing is completed when it was left. */
    reached: (id: string): Pick<Known, 'completed' | 'satisfied'> => {
      const activity = allActivities(root).find((a) => a.id === id);
      return activity ? engine.objective(activity, 0) : { completed: null, satisfied: null };
    },
    ways: (): Ways => {
      const here = engine.current();
      const hidden = here?.hidden ?? new Set();
      return {
        forward: here !== null && !hidden.has('continue') && engine.allows({ kind: 'continue' }),
        back: here !== null && !hidden.has('previous') && engine.allows({ kind: 'previous' }),
        choices: new Set(allActivities(root).flatMap((a) => (a.visible && engine.allows({ kind: 'choice', target: a.id }) ? a.id : []))),
      };
    },
    /** The activity that is to be on show. */
    at: (): string | null => engine.current()?.id ?? null,
    ended: () => state.ended,
    /** Whether nothing is being done: it has not been begun, was left, or has ended. */
    idle: () => engine.current() === null || !state.tracking[root.id]?.active,
    /** What the course as a whole has come to, with all that it needs to be gone on with. */
    facts: (): Pick<ScormFacts, 'completion' | 'success' | 'score' | 'percent' | 'cmi'> => {
      const { completed, satisfied, measure, amount } = engine.objective(root, 0);
      const now = JSON.stringify(state);
      const parts = Array.from({ length: Math.ceil(now.length / partLength) }, (_, i) => [
        `state.${i}`,
        now.slice(i * partLength, (i + 1) * partLength),
      ]);
      return {
        completion: completed ? 'completed' : state.tracking[root.id]?.attempts ? 'incomplete' : 'not attempted',
        success: satisfied === null ? 'unknown' : satisfied ? 'passed' : 'failed',
        score: measure === null ? null : Math.max(0, Math.min(100, Math.round(measure * 10_000) / 100)),
        percent: completed ? 100 : Math.max(0, Math.min(100, Math.round((amount ?? 0) * 100))),
        cmi: { ...Object.fromEntries(parts), attempts: JSON.stringify([...attempts]), data: JSON.stringify(data) },
      };
    },
  };
};
