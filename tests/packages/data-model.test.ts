import { describe, expect, it } from 'vitest';
import { runTime12 } from '#player/scorm/run-time-12.ts';
import { runTime2004 } from '#player/scorm/run-time-2004.ts';
import type { ScormActivity } from '#contract/entities/package.ts';

const activity = {
  id: 'a',
  title: 'A',
  visible: true,
  href: 'a.html',
  kind: 'sco',
  prerequisites: null,
  mastery_score: null,
  max_time: null,
  time_limit_action: null,
  launch_data: null,
  extensions: [],
  children: [],
} satisfies ScormActivity;
const launch = { activity, learner: { id: 'l', name: 'Learner' }, before: null };
type Call = (...values: string[]) => string;
const calls = (api: object, ...names: [string, string, string, string, string]) => {
  const [begin, get, set, error, end] = names.map(
    (name) =>
      (...values: string[]) =>
        (api as Record<string, Call>)[name]?.(...values) ?? '',
  ) as [Call, Call, Call, Call, Call];
  return { begin, get, set, error, end };
};
const editions = {
  '1.2': () => {
    const { api, ...rest } = runTime12(launch);
    return { ...rest, ...calls(api, 'LMSInitialize', 'LMSGetValue', 'LMSSetValue', 'LMSGetLastError', 'LMSFinish') };
  },
  '2004': () => {
    const { api, ...rest } = runTime2004(launch);
    return { ...rest, ...calls(api, 'Initialize', 'GetValue', 'SetValue', 'GetLastError', 'Terminate') };
  },
};
const both = [
  'cmi',
  'cmi.objectives',
  'cmi.objectives.0',
  'cmi.objectives.0.score',
  'cmi.interactions',
  'cmi.interactions.0',
  'cmi.interactions.0.objectives',
  'cmi.interactions.0.correct_responses.0',
  // What the library has of its own.
  'cmi.objectives.childArray',
  'cmi.reset',
  'cmi.toJSON',
  'cmi.constructor',
  'cmi.jsonString',
];
const own = {
  '1.2': ['cmi.core', 'cmi.core.score', 'cmi.student_data', 'cmi.student_preference', 'cmi.core.score.reset'],
  '2004': [
    'cmi.score',
    'cmi.learner_preference',
    'cmi.comments_from_learner',
    'cmi.comments_from_lms',
    'cmi.session',
    'cmi.settings',
    'cmi.status',
    'adl',
    'adl.nav',
    'adl.data',
  ],
};
const said = {
  '1.2': { 'cmi.core.lesson_status': 'completed', 'cmi.core.score.raw': '80', 'cmi.suspend_data': 'page 3', 'cmi.objectives.0.id': 'o' },
  '2004': {
    'cmi.completion_status': 'completed',
    'cmi.score.raw': '80',
    'cmi.suspend_data': 'page 3',
    'cmi.objectives.0.id': 'o',
    'cmi.interactions.0.id': 'i',
  },
};

describe.each(['1.2', '2004'] as const)('the data model of SCORM %s', (edition) => {
  it.each([...both, ...own[edition]])('is not destroyed by a value for %s', (name) => {
    const sco = editions[edition]();
    sco.begin('');
    for (const [element, value] of Object.entries(said[edition])) expect([element, sco.set(element, value)]).toEqual([element, 'true']);
    const before = sco.cmi();
    expect([sco.set(name, 'x'), sco.error()]).toEqual(['false', '401']);
    expect(sco.get(name)).toBe('');
    expect(sco.cmi()).toEqual(before);
    expect([sco.end(''), sco.error()]).toEqual(['true', '0']);
    expect(sco.cmi()).toMatchObject(said[edition]);
  });

  it('makes nothing in a list that a SCO has not made', () => {
    const sco = editions[edition]();
    sco.begin('');
    expect(sco.set('cmi.objectives.0.score', 'x')).toBe('false');
    expect(sco.get('cmi.objectives._count')).toBe('0');
  });
});
