import { describe, expect, it } from 'vitest';
import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { mergeScormSession } from '#contract/rules/merge-scorm.ts';
import { decidedSessions, packageCompletion } from '#contract/rules/package-completion.ts';
import { runTime12 } from '#player/scorm/run-time-12.ts';
import { runTime2004 } from '#player/scorm/run-time-2004.ts';

const activity = (mastery: number | null = null, extensions: ScormActivity['extensions'] = []): ScormActivity => ({
  ...{ id: 'one', title: 'One', visible: true, href: 'one.html', kind: 'sco', prerequisites: null, mastery_score: mastery },
  ...{ max_time: null, time_limit_action: null, launch_data: null, extensions, children: [] },
});
const passingAt = (measure: string): ScormActivity['extensions'] => {
  const node = (name: string, children: ScormActivity['extensions'] = [], text = '', attributes = {}) => ({ name, attributes, text, children });
  const primary = node('primaryObjective', [node('minNormalizedMeasure', [], measure)], '', { satisfiedByMeasure: 'true' });
  return [node('sequencing', [node('objectives', [primary])])];
};
type Calls = Record<string, (...args: string[]) => string>;
const versions = {
  '1.2': { runTime: runTime12, prefix: 'LMS', end: 'LMSFinish', exit: 'cmi.core.exit', score: ['cmi.core.score.raw'] },
  '2004': { runTime: runTime2004, prefix: '', end: 'Terminate', exit: 'cmi.exit', score: ['cmi.score.raw', 'cmi.score.scaled'] },
} as const;
type Version = keyof typeof versions;
type Say = readonly [name: string, value: string] | 'commit';
type Visit = { says: readonly Say[]; ends?: 'finish' | 'closed' | 'cut off' };

/** Plays visits of one part as the player does, and merges every report as the device and the server do. */
const play = (version: Version, visits: readonly Visit[], part = activity()) => {
  const { runTime, prefix, end, exit } = versions[version];
  const sessions: (ScormFacts & { at: string })[] = [];
  const records: boolean[] = [];
  const manifest = { kind: 'scorm', standard: version, activities: [part] } as unknown as ScormManifest;
  let before: { cmi: Record<string, string>; seconds: number } | null = null;
  visits.forEach(({ says, ends = 'finish' }, visit) => {
    const now = runTime({ activity: part, learner: { id: 'l', name: 'L' }, before });
    const api = now.api as unknown as Calls;
    let ticks = 0;
    const report = (ended: boolean) => {
      const reported = { ticks: ++ticks, seconds: 1, ended: ended || now.ended(), ...now.status(), cmi: now.cmi() };
      const known = sessions[visit];
      sessions[visit] = { at: `2026-11-0${visit + 1}`, ...(known ? mergeScormSession(known, reported) : reported) };
      const { complete } = packageCompletion({ manifest, completion: 'reported' }, decidedSessions([{ item_id: 'one', sessions }]));
      if (complete) records.push(true);
    };
    api[`${prefix}Initialize`]?.('');
    report(false);
    api[`${prefix}SetValue`]?.(exit, 'suspend');
    for (const say of says) {
      if (say === 'commit') {
        api[`${prefix}Commit`]?.('');
        report(false);
      } else expect([...say, api[`${prefix}SetValue`]?.(...say)]).toEqual([...say, 'true']);
    }
    if (ends === 'finish') api[end]?.('');
    if (ends !== 'cut off') report(true);
    before = { cmi: sessions[visit]?.cmi ?? {}, seconds: visit + 1 };
  });
  const { complete, score } = packageCompletion({ manifest, completion: 'reported' }, decidedSessions([{ item_id: 'one', sessions }]));
  return { done: complete, score, recordedBefore: records.length > 0 };
};

const scored = (version: Version, score: number): Say[] =>
  versions[version].score.map((name) => [name, name.endsWith('scaled') ? String(score / 100) : String(score)]);
const state = (version: Version, status: 'passed' | 'failed' | 'completed' | 'incomplete'): Say[] =>
  version === '1.2'
    ? [['cmi.core.lesson_status', status]]
    : status === 'passed' || status === 'failed'
      ? [
          ['cmi.completion_status', 'completed'],
          ['cmi.success_status', status],
        ]
      : [
          ['cmi.completion_status', status],
          ['cmi.success_status', 'unknown'],
        ]; // prettier-ignore

describe('the four reporting options of authoring tools', () => {
  const options = [
    ['passed', 'incomplete'],
    ['passed', 'failed'],
    ['completed', 'incomplete'],
    ['completed', 'failed'],
  ] as const;
  const all = (['1.2', '2004'] as const).flatMap((version) =>
    options.flatMap(([good, bad]) => (['one', 'two'] as const).map((visits) => ({ version, good, bad, visits }))),
  );
  it.each(all)('$good/$bad, SCORM $version, $visits visit(s): done with the better score, and not before', ({ version, good, bad, visits }) => {
    const badly = [...scored(version, 40), ...state(version, bad), 'commit' as const];
    const well = [...scored(version, 90), ...state(version, good), 'commit' as const];
    expect(play(version, [{ says: badly }])).toMatchObject({ done: false, recordedBefore: false });
    expect(play(version, visits === 'one' ? [{ says: [...badly, ...well] }] : [{ says: badly }, { says: well }])).toMatchObject({
      done: true,
      score: 90,
    });
    expect(play(version, [{ says: [...well, ...badly] }])).toMatchObject({ done: false, recordedBefore: false });
    expect(play(version, [{ says: well, ends: 'cut off' }, { says: [] }])).toMatchObject({ done: true });
    expect(play(version, [{ says: well, ends: 'closed' }])).toMatchObject({ done: true });
  });
});

describe('a mark that the manifest asks for', () => {
  it.each(['finish', 'closed', 'cut off'] as const)('below it, a part that says completed is not done, also if it commits first: %s', (ends) => {
    const says = [...scored('1.2', 70), ...state('1.2', 'completed'), 'commit' as const];
    expect(play('1.2', [{ says, ends }], activity(80))).toMatchObject({ done: false, recordedBefore: false });
    expect(play('1.2', [{ says: [...state('1.2', 'completed'), 'commit', ...scored('1.2', 70), 'commit'], ends }], activity(80))).toMatchObject({
      ...{ done: false, recordedBefore: false },
    });
    expect(play('1.2', [{ says, ends: 'finish' }], activity(70))).toMatchObject({ done: true, score: 70 });
    const passed = [...scored('2004', 70), ...state('2004', 'passed'), 'commit' as const];
    expect(play('2004', [{ says: passed, ends }], activity(null, passingAt('0.8')))).toMatchObject({ done: false, recordedBefore: false });
    expect(play('2004', [{ says: passed, ends: 'finish' }], activity(null, passingAt('0.7')))).toMatchObject({ done: true });
  });
});
