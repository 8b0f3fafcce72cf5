import * as scorm12 from 'scorm-again/scorm12';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { refusesName } from './data-model.ts';
import { type Launch, percentOf, type RunTime, remainder, strings, timeOf } from './run-time.ts';

// The types declare a default export; the module has a named one.
const { Scorm12API } = scorm12 as unknown as Pick<typeof import('scorm-again'), 'Scorm12API'>;

const notKept = /^cmi\.(core\.(student_|entry|total_time|session_time|credit|lesson_mode)|launch_data|student_data|comments_from_lms)/;
const hhmmss = (all: number) => {
  const hundredths = Math.round(all * 100);
  const seconds = Math.floor(hundredths / 100);
  const whole = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const rest = hundredths % 100 === 0 ? '' : `.${String(hundredths % 100).padStart(2, '0')}`;
  return whole.map((n, i) => String(n).padStart(i === 0 ? 4 : 2, '0')).join(':') + rest;
};

/** SCORM 1.2 with the data of earlier sessions; `entry` is `resume` if the SCO had suspended. */
export const runTime12 = ({ activity, learner, before }: Launch): RunTime => {
  const api = new Scorm12API({ autocommit: false, lmsCommitUrl: false, mastery_override: true, logLevel: 'NONE' });
  const { 'cmi.core.exit': exit, [remainder]: _, ...kept } = before?.cmi ?? {};
  const time = timeOf(before);
  const { LMSSetValue, LMSGetValue } = api;
  api.LMSSetValue = (name: string, value: unknown) => (refusesName(api, '1.2', name) ? 'false' : LMSSetValue.call(api, name, value as string));
  api.LMSGetValue = (name: string) => (refusesName(api, '1.2', name) ? '' : LMSGetValue.call(api, name));
  api.loadFromFlattenedJSON({
    ...kept,
    'cmi.core.student_id': learner.id,
    'cmi.core.student_name': learner.name,
    'cmi.core.credit': 'credit',
    'cmi.core.lesson_mode': 'normal',
    'cmi.core.entry': before === null ? 'ab-initio' : exit === 'suspend' ? 'resume' : '',
    'cmi.core.total_time': hhmmss(time.total),
    ...(activity.launch_data === null ? {} : { 'cmi.launch_data': activity.launch_data }),
    ...(activity.mastery_score === null ? {} : { 'cmi.student_data.mastery_score': String(activity.mastery_score) }),
    ...(activity.max_time === null ? {} : { 'cmi.student_data.max_time_allowed': activity.max_time }),
    ...(activity.time_limit_action === null ? {} : { 'cmi.student_data.time_limit_action': activity.time_limit_action }),
  });
  const { core } = api.cmi;
  const sessionSeconds = (): number => {
    const parts = /^(\d{2,4}):(\d\d):(\d\d(?:\.\d+)?)$/.exec(String(api.getFlattenedCMI()['cmi.core.session_time'] ?? ''));
    return parts ? Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3]) : 0;
  };
  return {
    name: 'API',
    api,
    cmi: () => ({ ...strings(api.getFlattenedCMI(), notKept), ...time.add(sessionSeconds()).left }),
    status: () => {
      // A mastery score of the manifest decides when the session ends, whatever the SCO has set.
      const [reached, mastery] = [core.score.raw, api.cmi.student_data.mastery_score].map((n) => (String(n) === '' ? Number.NaN : Number(n))) as [
        number,
        number,
      ];
      const isMarked = !Number.isNaN(reached) && !Number.isNaN(mastery) && core.lesson_status !== 'not attempted';
      const status = isMarked ? (reached >= mastery ? 'passed' : 'failed') : core.lesson_status;
      const completion: ScormFacts['completion'] =
        status === 'passed' || status === 'completed' || status === 'failed'
          ? 'completed'
          : status === 'not attempted' && api.isNotInitialized()
            ? 'not attempted'
            : 'incomplete';
      const score = percentOf(core.score.raw, core.score.min, core.score.max);
      return {
        completion,
        success: status === 'passed' || status === 'failed' ? status : 'unknown',
        score,
        percent: completion === 'completed' ? 100 : 0,
      };
    },
    reportedSeconds: () => (sessionSeconds() > 0 ? time.add(sessionSeconds()).seconds : null),
    onCall: (hear) => {
      api.on('LMSSetValue', () => hear(false));
      api.on('LMSInitialize', () => hear(false));
      api.on('LMSCommit', () => hear(true));
      api.on('LMSFinish', () => hear(true));
    },
    ended: () => api.isTerminated(),
    end: () => {
      if (api.isInitialized()) api.lmsFinish('');
    },
  };
};
