import { describe, expect, it } from 'vitest';
import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { holds, lockedActivities } from '#contract/rules/prerequisites.ts';

describe('a prerequisite', () => {
  const status: Record<string, 'passed' | 'completed' | 'failed' | 'incomplete' | 'not attempted'> = {
    A: 'passed',
    B: 'completed',
    C: 'failed',
    D: 'not attempted',
    'E-1.a': 'incomplete',
  };
  const of = (script: string) => holds(script, (id) => status[id] ?? null);

  it('holds once its part is passed or completed', () => {
    expect(['A', 'B', 'C', 'D', 'E-1.a'].map(of)).toEqual([true, true, false, false, false]);
    expect([of('A&B'), of('A & C'), of('C|B'), of('~D'), of('~(A&C)'), of('A&(C|B)&~D')]).toEqual([true, false, true, true, true, true]);
  });

  it('can require a status, or some of several parts', () => {
    expect([of('C="failed"'), of('C=f'), of('D="not attempted"'), of('A<>passed'), of('A<>failed')]).toEqual([true, true, true, false, true]);
    expect([of('2*{A,B,C}'), of('3*{A,B,C}'), of('1*{C,D|A}')]).toEqual([true, false, true]);
  });

  it('is neither true nor false if it cannot be read or names an unknown part', () => {
    expect(['', 'A&', '(A', 'A B', 'X', '2*{A', 'A="', 'two*{A,B}'].map(of)).toEqual(Array(8).fill(null));
  });

  it('locks a part and its children until it holds, and locks nothing if it cannot be read', () => {
    const part = (id: string, prerequisites: string | null, children: ScormActivity[] = []): ScormActivity => ({
      ...{ id, title: id, visible: true, href: children.length > 0 ? null : `${id}.html`, kind: 'sco', prerequisites, mastery_score: null },
      ...{ max_time: null, time_limit_action: null, launch_data: null, extensions: [], children },
    });
    const course = [part('one', null, [part('a', null), part('b', 'a')]), part('two', 'one', [part('c', null)]), part('slip', 'nowhere')];
    const said = (item_id: string, facts: Partial<ScormFacts>) => ({
      item_id,
      sessions: [
        { ticks: 1, seconds: 1, completion: 'incomplete', success: 'unknown', score: null, percent: 0, cmi: {}, ...facts } satisfies ScormFacts,
      ],
    });
    expect([...lockedActivities(course, [])]).toEqual(['b', 'two', 'c']);
    expect([...lockedActivities(course, [said('a', { completion: 'completed' })])]).toEqual(['two', 'c']);
    expect([...lockedActivities(course, [said('a', { completion: 'completed', success: 'failed' }), said('b', { success: 'passed' })])]).toEqual([
      'b',
      'two',
      'c',
    ]);
    expect([...lockedActivities(course, [said('a', { success: 'passed' }), said('b', { completion: 'completed' })])]).toEqual([]);
  });
});
