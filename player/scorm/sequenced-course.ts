import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { launchableActivities } from '#contract/rules/package-completion.ts';
import { launchIn, newApi } from './run-time-2004.ts';
import type { Launch, RunTime } from './run-time.ts';
import { type Activity, activityTree } from './sequencing/definition.ts';
import { allActivities, type Known, newState, type Request, type Reported, type State, sequencing } from './sequencing/engine.ts';

/** The navigation available to the learner. `choices`: activities that may be opened from the contents. */
export type Ways = { forward: boolean; back: boolean; choices: ReadonlySet<string> };
export type Step = { to: 'forward' | 'back' | 'leave' | 'end' } | { to: 'activity'; id: string };

const kinds = { forward: 'continue', back: 'previous', leave: 'suspendAll', end: 'exitAll' } as const;
const requestOf = (step: Step): Request => (step.to === 'activity' ? { kind: 'choice', target: step.id } : { kind: kinds[step.to] });
/** The navigation request of a SCO when it ends. */
const askedBy = (navigation: string): Request => {
  const target = /^\{target=(.+)\}(choice|jump)$/.exec(navigation);
  if (target) return { kind: target[2] as 'choice' | 'jump', target: target[1] as string };
  return navigation === '_none_' || navigation === '' ? { kind: 'exit' } : { kind: navigation as 'continue' };
};
/** Maximum length of a data model value; a longer state is split. */
const partLength = 60_000;

const words = { satisfied: ['failed', 'passed'], completed: ['incomplete', 'completed'] } as const;
const numberOf = (text: string) => (text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text));

/** Restores a stored state, or creates one if it is unreadable or belongs to another tree. */
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
 * A SCORM 2004 course whose rules determine what comes next (sequencing and navigation, 4th edition, which includes the rules of
 * earlier editions). One run-time serves the whole course. The rules are evaluated whenever a SCO ends or the learner navigates;
 * `moved` receives the activity to show, or null if there is none.
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
  /** Attempt numbers of activities when last shown; another number means a new attempt. */
  const attempts = new Map<string, number>(before?.attempts ? (JSON.parse(before.attempts) as [string, number][]) : []);
  let data: Record<string, string> = before?.data ? (JSON.parse(before.data) as Record<string, string>) : {};
  const api = newApi();
  /** Elements set by the open SCO itself, as opposed to launch data. */
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
  const saidNow = (): Reported => {
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

  let reported: Reported | null = null;
  const engine = sequencing(root, state, () => reported);
  const request = (navigation: Request): void => {
    const { shown } = engine.request(navigation);
    moved(shown ? (activities.get(shown.id) ?? null) : null);
  };

  /** Navigation by the learner; takes precedence over the SCO's own request when it ends. */
  let pending: Request | null = null;
  const { Terminate, SetValue, GetValue } = api;
  api.Terminate = (parameter?: string) => {
    const wants = pending ?? askedBy(api.adl.nav.request);
    const open = api.isInitialized();
    const words = open ? saidNow() : null;
    const leaves = open ? (api.getFlattenedCMI() as Record<string, unknown>)['cmi.exit'] : undefined;
    const answer = Terminate.call(api, parameter);
    if (answer !== 'true' || !open) return answer;
    data = api.captureSharedDataSnapshot();
    reported = words;
    const activity = engine.current();
    if (activity && leaves === 'suspend') engine.setSuspended(activity, true);
    request(wants);
    reported = null;
    pending = null;
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

  const shows = (navigation: Request): boolean => {
    const { shown } = engine.request(navigation);
    if (shown) moved(activities.get(shown.id) ?? null);
    return shown !== null;
  };
  /**
   * If the rules name no activity to continue with (a course without flow, a group whose first part may be opened once), shows
   * the last one, the first available one, or the beginning of the course.
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
    /** Starts or resumes the course; `first` is the activity to begin with. */
    start: (first?: string): void => {
      // A tab that was closed counts as suspended.
      if (state.tracking[root.id]?.active) engine.request({ kind: 'suspendAll' });
      state.current = null;
      state.ended = false;
      if (first !== undefined) request({ kind: 'choice', target: first });
      else goOn();
    },
    /** Prepares the run-time for an activity. */
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
    /** Requests a navigation step. `leave` removes what is shown, so that the SCO can send its last report. */
    step: (step: Step, leave: () => void): void => {
      pending = requestOf(step);
      leave();
      if (api.isInitialized()) api.Terminate('');
      if (pending) request(pending);
      pending = null;
    },
    /** The learner is leaving: the course is suspended, whatever the SCO requests while unloading. */
    leaving: (): void => {
      pending = requestOf({ to: 'leave' });
    },
    /** An activity's status by the rules; a SCO that reports nothing is completed once left. */
    reached: (id: string): Pick<Known, 'completed' | 'satisfied'> => {
      const activity = allActivities(root).find((a) => a.id === id);
      return activity ? engine.objective(activity, 0) : { completed: null, satisfied: null };
    },
    ways: (): Ways => {
      const activity = engine.current();
      const hidden = activity?.hidden ?? new Set();
      return {
        forward: activity !== null && !hidden.has('continue') && engine.allows({ kind: 'continue' }),
        back: activity !== null && !hidden.has('previous') && engine.allows({ kind: 'previous' }),
        choices: new Set(allActivities(root).flatMap((a) => (a.visible && engine.allows({ kind: 'choice', target: a.id }) ? a.id : []))),
      };
    },
    /** The activity to show. */
    at: (): string | null => engine.current()?.id ?? null,
    ended: () => state.ended,
    /** Whether no attempt is in progress: not begun, left, or ended. */
    idle: () => engine.current() === null || !state.tracking[root.id]?.active,
    /** The overall state of the course, with everything needed to resume it. */
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
