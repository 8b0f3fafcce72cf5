import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionOf } from '#contract/rules/completion.ts';
import { h5pFactsOf, isActivityDone, mergeH5pFacts } from '#contract/rules/h5p-facts.ts';

const verb = (name: string) => `http://adlnet.gov/expapi/verbs/${name}`;
const statementOf = (name: string, statement: object = {}) => ({ verb: verb(name), statement: statement as Record<string, unknown> });
const scored = (raw: number, max: number) => ({ result: { score: { raw, max } } });
const inside = { context: { contextActivities: { parent: [{ id: 'urn:whole' }] } } };

describe('what the statements of an activity add up to', () => {
  it('is its best finished score, in percent', () => {
    expect(h5pFactsOf([])).toEqual({ completed: false, score: null });
    expect(h5pFactsOf([statementOf('attempted'), statementOf('interacted')])).toEqual({ completed: false, score: null });
    expect(h5pFactsOf([statementOf('answered', scored(1, 3)), statementOf('answered', scored(2, 3)), statementOf('answered', scored(0, 3))])).toEqual(
      {
        completed: true,
        score: 67,
      },
    );
    expect(h5pFactsOf([statementOf('progressed', { result: { completion: true, score: { scaled: 0.5 } } })])).toEqual({ completed: true, score: 50 });
  });
  it('ignores statements about a part, and scores that are not numbers', () => {
    expect(h5pFactsOf([statementOf('completed', { ...scored(3, 3), ...inside })])).toEqual({ completed: false, score: null });
    expect(h5pFactsOf([statementOf('completed', { result: { score: { raw: 'all', max: 0 } } })])).toEqual({ completed: true, score: null });
    expect(h5pFactsOf([statementOf('completed', scored(9, 3))]).score).toBe(100);
  });
  const facts = fc.record({ completed: fc.boolean(), score: fc.option(fc.integer({ min: 0, max: 100 })) });
  it('merges in any order, any number of times', () => {
    fc.assert(
      fc.property(facts, facts, facts, (a, b, c) => {
        expect(mergeH5pFacts(a, mergeH5pFacts(b, c))).toEqual(mergeH5pFacts(mergeH5pFacts(c, a), b));
        expect(mergeH5pFacts(a, a)).toEqual(a);
      }),
    );
  });
});

describe('an activity in a topic', () => {
  const block = (goal: 'optional' | 'opened' | 'completed' | 'passed') =>
    ({ kind: 'h5p', item_id: 'one', title: 'One', goal, pass_percent: 80, package: {} }) as unknown as Parameters<typeof isActivityDone>[0] & {
      kind: 'h5p';
    };
  it('is done when it has reached its goal', () => {
    const failed = { completed: true, score: 79 };
    expect(isActivityDone(block('optional'), undefined)).toBe(true);
    expect(isActivityDone(block('opened'), undefined)).toBe(false);
    expect(isActivityDone(block('opened'), { completed: false, score: null })).toBe(true);
    expect(isActivityDone(block('completed'), { completed: false, score: null })).toBe(false);
    expect(isActivityDone(block('completed'), failed)).toBe(true);
    expect(isActivityDone(block('passed'), failed)).toBe(false);
    expect(isActivityDone(block('passed'), { completed: true, score: 80 })).toBe(true);
  });
  it('keeps its topic open, and counts towards the score if it must be passed', () => {
    const topic = { id: 't', hidden: false, skippable: false, blocks: [block('passed')] } as never;
    const course = { lessons: [{ topics: [topic] }], quizzes: [{ id: 'q' }] };
    const read = { progress: [{ topic_id: 't', state: 'completed' as const }], submissions: [{ quiz_id: 'q', passed: true, score: 90 }] };
    expect(completionOf(course, read)).toMatchObject({ percent: 50, complete: false, score: 45 });
    expect(completionOf(course, { ...read, h5p: [{ item_id: 'one', completed: true, score: 80 }] })).toMatchObject({ complete: true, score: 85 });
  });
});
