import * as scorm2004 from 'scorm-again/scorm2004';
import type { SequencingElement } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { refusesName } from './data-model.ts';
import { type Launch, percentOf, type RunTime, remainder, strings, timeOf } from './run-time.ts';

const { Scorm2004API } = scorm2004 as unknown as Pick<typeof import('scorm-again'), 'Scorm2004API'>;

const notKept =
  /^cmi\.(learner_(id|name)|entry|total_time|session_time|credit|mode|launch_data|scaled_passing_score|completion_threshold|max_time_allowed|time_limit_action|comments_from_lms)/;

const find = (elements: readonly SequencingElement[], ...path: string[]): SequencingElement | undefined => {
  const [name, ...rest] = path;
  const element = elements.find((e) => e.name === name);
  return rest.length === 0 ? element : element && find(element.children, ...rest);
};
/** An item's objectives from its manifest, which a SCO finds at the start. */
const objectivesOf = (extensions: readonly SequencingElement[]) =>
  (find(extensions, 'sequencing', 'objectives')?.children ?? []).filter((o) => o.name === 'primaryObjective' || o.name === 'objective');

type Api = InstanceType<typeof Scorm2004API>;

/** An API restricted to elements of the data model. */
export const newApi = (): Api => {
  const api = new Scorm2004API({ autocommit: false, lmsCommitUrl: false, logLevel: 'NONE' });
  const { SetValue, GetValue } = api;
  api.SetValue = (name: string, value: unknown) => (refusesName(api, '2004', name) ? 'false' : SetValue.call(api, name, value as string));
  api.GetValue = (name: string) => (refusesName(api, '2004', name) ? '' : GetValue.call(api, name));
  return api;
};

/** The data model at the start of a SCO; `resumed` if it continues with all its data. */
const launchData = ({ activity, learner, before, resumed }: Launch & { resumed: boolean }): Record<string, string> => {
  const { 'cmi.exit': _exit, [remainder]: _, ...kept } = resumed && before ? before.cmi : {};
  const sequencing = find(activity.extensions, 'sequencing');
  const primary = objectivesOf(activity.extensions).find((o) => o.name === 'primaryObjective');
  const passing = primary?.attributes.satisfiedByMeasure === 'true' ? (find(primary.children, 'minNormalizedMeasure')?.text ?? '1.0') : null;
  const threshold = find(activity.extensions, 'completionThreshold');
  const byMeasure = threshold?.attributes.completedByMeasure === 'true' || (threshold?.text ?? '') !== '';
  const longest = activity.max_time ?? find(sequencing?.children ?? [], 'limitConditions')?.attributes.attemptAbsoluteDurationLimit ?? null;
  return {
    ...kept,
    'cmi.learner_id': learner.id,
    'cmi.learner_name': learner.name,
    'cmi.credit': 'credit',
    'cmi.mode': 'normal',
    'cmi.entry': resumed ? 'resume' : 'ab-initio',
    'cmi.total_time': resumed ? `PT${timeOf(before).total}S` : 'PT0H0M0S',
    ...(activity.launch_data === null ? {} : { 'cmi.launch_data': activity.launch_data }),
    ...(longest === null ? {} : { 'cmi.max_time_allowed': longest }),
    ...(activity.time_limit_action === null ? {} : { 'cmi.time_limit_action': activity.time_limit_action }),
    ...(passing === null ? {} : { 'cmi.scaled_passing_score': passing }),
    ...(byMeasure ? { 'cmi.completion_threshold': threshold?.attributes.minProgressMeasure ?? (threshold?.text || '1.0') } : {}),
  };
};

/** Prepares the single API of a sequenced course for its next activity. */
export const launchIn = (api: Api, launch: Launch & { resumed: boolean }, found: Record<string, string>): RunTime => {
  api.reset(undefined, { resetTotalTime: true });
  // Launch data of one SCO is not reset, and does not apply to the next.
  Object.assign(api.cmi, {
    launch_data: '',
    scaled_passing_score: '',
    completion_threshold: '',
    max_time_allowed: '',
    time_limit_action: 'continue,no message',
  });
  api.loadFromFlattenedJSON({ ...found, ...launchData(launch), ...found });
  return runTimeOf(api, timeOf(launch.resumed ? launch.before : null));
};

/**
 * SCORM 2004. A suspended SCO continues with all its data; one that had ended starts a new attempt, and its results are kept by
 * the course, not the run-time.
 */
export const runTime2004 = (launch: Launch): RunTime => {
  const api = newApi();
  const resumed = launch.before?.cmi['cmi.exit'] === 'suspend';
  const ids = objectivesOf(launch.activity.extensions).flatMap((o) => o.attributes.objectiveID ?? []);
  api.loadFromFlattenedJSON({
    ...(resumed ? {} : Object.fromEntries(ids.map((id, i) => [`cmi.objectives.${i}.id`, id]))),
    ...launchData({ ...launch, resumed }),
  });
  return runTimeOf(api, timeOf(resumed ? launch.before : null));
};

const runTimeOf = (api: Api, time: ReturnType<typeof timeOf>): RunTime => {
  const { cmi } = api;
  const sessionSeconds = (): number => {
    const parts = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
      String(api.getFlattenedCMI()['cmi.session_time'] ?? ''),
    );
    const lengths = [365 * 86_400, 30 * 86_400, 86_400, 3600, 60, 1];
    return lengths.reduce((sum, length, i) => sum + length * Number(parts?.[i + 1] ?? 0), 0);
  };
  return {
    name: 'API_1484_11',
    api,
    cmi: () => ({ ...strings(api.getFlattenedCMI(), notKept), ...time.add(sessionSeconds()).left }),
    status: () => {
      // Thresholds of the manifest decide, whatever the SCO has set. Without a measure it is not known whether it is passed.
      const measure = { progress: cmi.progress_measure, score: cmi.score.scaled };
      const completed =
        cmi.completion_threshold !== '' && measure.progress !== ''
          ? Number(measure.progress) >= Number(cmi.completion_threshold)
            ? 'completed'
            : 'incomplete'
          : cmi.completion_status;
      const verdict =
        cmi.scaled_passing_score === ''
          ? cmi.success_status
          : measure.score === ''
            ? 'unknown'
            : Number(measure.score) >= Number(cmi.scaled_passing_score)
              ? 'passed'
              : 'failed';
      const completion: ScormFacts['completion'] =
        completed === 'completed' ? 'completed' : completed === 'not attempted' || api.isNotInitialized() ? 'not attempted' : 'incomplete';
      const success = verdict === 'passed' || verdict === 'failed' ? verdict : 'unknown';
      const { scaled, raw, min, max } = cmi.score;
      const score = scaled === '' ? percentOf(raw, min, max) : Math.max(0, Math.min(100, Math.round(Number(scaled) * 10_000) / 100));
      const measured = Math.round(Number(cmi.progress_measure || 0) * 100);
      return { completion, success, score, percent: completion === 'completed' ? 100 : Math.max(0, Math.min(100, measured)) };
    },
    reportedSeconds: () => (sessionSeconds() > 0 ? time.add(sessionSeconds()).seconds : null),
    onCall: (hear) => {
      api.on('SetValue', () => hear(false));
      api.on('Initialize', () => hear(false));
      api.on('Commit', () => hear(true));
      api.on('Terminate', () => hear(true));
    },
    ended: () => api.isTerminated(),
    end: () => {
      if (api.isInitialized()) api.Terminate('');
    },
  };
};
