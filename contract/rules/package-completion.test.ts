import { describe, expect, it } from 'vitest';
import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { confirmedItem, courseItem, launchableActivities, packageCompletion } from '#contract/rules/package-completion.ts';

const activity = (id: string, href: string | null, children: ScormActivity[] = []): ScormActivity => ({
  id,
  title: id,
  visible: true,
  href,
  kind: href === null ? null : 'sco',
  prerequisites: null,
  mastery_score: null,
  max_time: null,
  time_limit_action: null,
  launch_data: null,
  extensions: [],
  children,
});
const manifest = {
  kind: 'scorm',
  standard: '1.2',
  title: 'Moving',
  identifier: 'm',
  activities: [activity('part', null, [activity('a', 'a.html')]), activity('b', 'b.html')],
  extensions: [],
  collection: [],
  items: 3,
  scos: 2,
} satisfies ScormManifest;
const session = (facts: Partial<ScormFacts>): ScormFacts => ({
  ticks: 1,
  seconds: 1,
  completion: 'not attempted',
  success: 'unknown',
  score: null,
  percent: 0,
  cmi: {},
  ...facts,
});
const item = (item_id: string, ...facts: Partial<ScormFacts>[]) => ({ item_id, sessions: facts.map(session) });

describe('a SCORM course', () => {
  it('consists of what can be opened, in order', () => {
    expect(launchableActivities(manifest.activities).map((a) => a.id)).toEqual(['a', 'b']);
  });

  it('is complete once every part is completed, over all sessions', () => {
    expect(packageCompletion({ manifest }, [])).toEqual({ complete: false, percent: 0, score: null });
    const half = [item('a', { completion: 'incomplete' }, { completion: 'completed', score: 80 })];
    expect(packageCompletion({ manifest }, half)).toEqual({ complete: false, percent: 50, score: 80 });
    expect(packageCompletion({ manifest }, [...half, item('b', { success: 'passed', score: 91 })])).toEqual({
      complete: true,
      percent: 100,
      score: 86,
    });
  });

  it('is not complete while a part is failed, and is once the part is passed', () => {
    const failed = item('b', { completion: 'completed', success: 'failed', score: 40 });
    expect(packageCompletion({ manifest }, [item('a', { completion: 'completed' }), failed])).toEqual({ complete: false, percent: 50, score: 40 });
    const passed = { ...failed, sessions: [...failed.sessions, session({ completion: 'completed', success: 'passed', score: 90 })] };
    expect(packageCompletion({ manifest }, [item('a', { completion: 'completed' }), passed])).toEqual({ complete: true, percent: 100, score: 90 });
  });

  it('uses its own overall result if it reports one', () => {
    const whole = item(courseItem, { completion: 'completed', success: 'passed', score: 75 });
    expect(packageCompletion({ manifest }, [whole])).toEqual({ complete: true, percent: 100, score: 75 });
    expect(
      packageCompletion({ manifest }, [item('a', { completion: 'completed' }), item('b', { completion: 'completed' }), item(courseItem, {})]),
    ).toEqual({
      complete: false,
      percent: 99,
      score: null,
    });
  });

  it('that reports nothing is complete once every part was opened, if that is its rule', () => {
    const opened = { manifest, completion: 'opened' } as const;
    expect(packageCompletion({ manifest }, [item('a', { completion: 'incomplete' }), item('b', { completion: 'incomplete' })]).complete).toBe(false);
    expect(packageCompletion(opened, [item('a', { completion: 'incomplete' })])).toEqual({ complete: false, percent: 50, score: null });
    expect(packageCompletion(opened, [item('a', { completion: 'incomplete' }), item('b', { completion: 'incomplete' })]).complete).toBe(true);
  });

  it('is complete when the learner confirms it, if that is its rule, not when every part was opened', () => {
    const confirmed = { manifest, completion: 'confirmed' } as const;
    const seen = [item('a', { completion: 'incomplete' }), item('b', { completion: 'completed' })];
    expect(packageCompletion(confirmed, seen)).toEqual({ complete: false, percent: 99, score: null });
    expect(packageCompletion(confirmed, [...seen, item(confirmedItem, { completion: 'completed' })])).toMatchObject({ complete: true, percent: 100 });
  });
});
