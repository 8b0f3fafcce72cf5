import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TopicProgress } from '#contract/entities/attempt.ts';
import { mergeProgress, totalSeconds } from '#contract/rules/merge-progress.ts';

const progress = fc
  .record({
    topic_id: fc.constant('t'),
    state: fc.constantFrom('none' as const, 'started' as const, 'completed' as const),
    percent: fc.integer({ min: 0, max: 100 }),
    completed_at: fc.option(fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z')),
    seconds: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(1000)),
  })
  .map(
    (p): TopicProgress => ({
      ...p,
      percent: p.state === 'completed' ? 100 : p.percent,
      completed_at: p.state === 'completed' ? p.completed_at : null,
      seconds: { ...p.seconds },
    }),
  );

describe('merging progress', () => {
  it('gives the same result in any order and with repetitions', () => {
    fc.assert(
      fc.property(progress, progress, progress, (a, b, c) => {
        expect(mergeProgress(a, b)).toEqual(mergeProgress(b, a));
        expect(mergeProgress(mergeProgress(a, b), c)).toEqual(mergeProgress(a, mergeProgress(b, c)));
        expect(mergeProgress(mergeProgress(a, b), b)).toEqual(mergeProgress(a, b));
      }),
    );
  });
  it('never decreases', () => {
    const rank = { none: 0, started: 1, completed: 2 };
    fc.assert(
      fc.property(progress, progress, (a, b) => {
        const m = mergeProgress(a, b);
        expect(rank[m.state]).toBeGreaterThanOrEqual(rank[a.state]);
        expect(m.percent).toBeGreaterThanOrEqual(a.percent);
        expect(totalSeconds(m)).toBeGreaterThanOrEqual(totalSeconds(a));
      }),
    );
  });
});
