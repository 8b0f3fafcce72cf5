import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complianceColourOf, complianceOf } from '#contract/rules/compliance-status.ts';
import { type CourseLinks, countingOf, type Done, partsOf } from '#contract/rules/counting-result.ts';

const courses = ['a', 'b', 'c', 'd', 'e'] as const;
type Course = (typeof courses)[number];
const course = fc.constantFrom(...courses);
const days = fc.integer({ min: 0, max: 900 }).map((n) => new Date(Date.UTC(2025, 0, 1 + n, 12)).toISOString());
const done: fc.Arbitrary<Done> = fc
  .record({ completed_at: days, lasts: fc.option(fc.integer({ min: 1, max: 900 })), exempt: fc.boolean() })
  .map(({ completed_at, lasts, exempt }) => ({
    ...{ completed_at, exempt },
    expires_at: lasts === null ? null : new Date(Date.parse(completed_at) + lasts * 86_400_000).toISOString(),
  }));
const results = fc.dictionary(course, done).map((all) => new Map(Object.entries(all) as [Course, Done][]));
const alternatives = fc.array(fc.tuple(course, course)).map((pairs) => {
  const map = new Map<Course, Course[]>();
  for (const [from, to] of pairs) if (from !== to) map.set(from, [...(map.get(from) ?? []), to]);
  return map;
});
const parts = fc
  .array(fc.tuple(course, course, course), { maxLength: 3 })
  .map((all) => new Map(all.map(([of, theory, practical]) => [of, { theory, practical }] as const)));
const links: fc.Arbitrary<CourseLinks<Course>> = fc.record({ alternatives, parts });
const none: CourseLinks<Course> = { alternatives: new Map(), parts: new Map() };
const endOf = (counts: { expires_at: string | null } | null | undefined) =>
  counts ? (counts.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(counts.expires_at)) : Number.NEGATIVE_INFINITY;
const until = (expires_at: string | null, completed_at = '2026-01-01T12:00:00.000Z'): Done => ({ completed_at, expires_at });
const now = new Date('2026-03-01T12:00:00.000Z');
const zone = 'Europe/London';
const at = (links: CourseLinks<Course>, all: Partial<Record<Course, Done>>) => ({ links, now, zone, latest: (c: Course) => all[c] });

describe('which result counts for a course', () => {
  it('is its own where nothing else is said', () => {
    fc.assert(
      fc.property(course, results, (of, held) => {
        const own = held.get(of);
        expect(countingOf(of, { links: none, latest: (c) => held.get(c), now, zone })).toEqual(own ? { ...own, course: of, parts: null } : null);
      }),
    );
  });
  it('may be that of an alternative, also through another one, where it is valid longer', () => {
    const higher: CourseLinks<Course> = {
      ...none,
      alternatives: new Map<Course, Course[]>([
        ['a', ['b']],
        ['b', ['c']],
      ]),
    }; // prettier-ignore
    const counted = (all: Partial<Record<Course, Done>>) => countingOf('a', at(higher, all))?.course;
    expect(counted({ c: until('2027-01-01T00:00:00.000Z') })).toBe('c');
    expect(counted({ a: until('2027-01-01T00:00:00.000Z'), b: until('2026-06-01T00:00:00.000Z') })).toBe('a');
    expect(counted({ a: until('2027-01-01T00:00:00.000Z'), b: until('2027-01-01T00:00:00.000Z') })).toBe('a');
    expect(counted({ a: until('2027-01-01T00:00:00.000Z'), c: until(null) })).toBe('c');
    // It is directed: level 2 does not cover level 3.
    expect(countingOf('c', at(higher, { a: until(null) }))).toBeNull();
  });
  it('never makes anybody worse by one more alternative, or by a result of one', () => {
    fc.assert(
      fc.property(course, course, course, links, results, done, (of, from, to, said, held, more) => {
        const best = (with_: CourseLinks<Course>, has: Map<Course, Done>) =>
          endOf(countingOf(of, { links: with_, latest: (c) => has.get(c), now, zone }));
        const wider = { ...said, alternatives: new Map(said.alternatives).set(from, [...(said.alternatives.get(from) ?? []), to]) };
        expect(best(wider, held)).toBeGreaterThanOrEqual(best(said, held));
        if (held.has(to) || said.parts.has(to)) return;
        expect(best(wider, new Map(held).set(to, more))).toBeGreaterThanOrEqual(best(wider, held));
      }),
    );
  });
  it('is of both parts from the later until the earlier end, and of nothing where one is missing', () => {
    const pair: CourseLinks<Course> = { ...none, parts: new Map([['a', { theory: 'b', practical: 'c' }]]) };
    const theory = until('2027-01-01T00:00:00.000Z', '2026-01-01T12:00:00.000Z');
    const practical = until('2026-12-01T00:00:00.000Z', '2026-02-01T12:00:00.000Z');
    expect(countingOf('a', at(pair, { b: theory, c: practical }))).toMatchObject({
      ...{ completed_at: practical.completed_at, expires_at: practical.expires_at, course: 'a' },
    });
    expect(countingOf('a', at(pair, { b: theory }))).toBeNull();
    // What was recorded for the course itself does not say that both parts were done; an exemption from it does.
    expect(countingOf('a', at(pair, { a: until(null), b: theory }))).toBeNull();
    expect(countingOf('a', at(pair, { a: { ...until(null), exempt: true } }))?.expires_at).toBeNull();
    expect(partsOf('a', at(pair, { b: theory }))?.map((p) => [p.name, p.counts !== null])).toEqual([
      ['theory', true],
      ['practical', false],
    ]);
    // The course itself may be one of its parts.
    const itself: CourseLinks<Course> = { ...none, parts: new Map([['a', { theory: 'a', practical: 'c' }]]) };
    expect(countingOf('a', at(itself, { a: theory }))).toBeNull();
    expect(countingOf('a', at(itself, { a: theory, c: practical }))?.expires_at).toBe(practical.expires_at);
  });
  it('is never in date later than the earlier of two parts', () => {
    fc.assert(
      fc.property(links, results, course, course, (said, held, theory, practical) => {
        const of = 'a';
        const pair = {
          alternatives: new Map([...said.alternatives].filter(([from]) => from !== of)),
          parts: new Map(said.parts).set(of, { theory, practical }),
        };
        const latest = (c: Course) => (c === of && held.get(c)?.exempt ? undefined : held.get(c));
        const counts = countingOf(of, { links: pair, latest, now, zone });
        const ends = partsOf(of, { links: pair, latest, now, zone })?.map((p) => endOf(p.counts)) ?? [];
        expect(endOf(counts)).toBe(Math.min(...ends));
      }),
    );
  });
  it('ends for whatever organisations say of their courses', () => {
    fc.assert(fc.property(course, links, results, (of, said, held) => void countingOf(of, { links: said, latest: (c) => held.get(c), now, zone })));
  });
  it('gives nobody a worse colour for a result of an alternative, of the course or of one of its parts', () => {
    const rank = { green: 0, none: 0, amber: 1, red: 2 } as const;
    fc.assert(
      fc.property(results, done, days, fc.boolean(), (held, more, at, ofAPart) => {
        const said: CourseLinks<Course> = {
          alternatives: new Map([[ofAPart ? 'c' : 'a', ['e']]]),
          parts: new Map(ofAPart ? [['a', { theory: 'b', practical: 'c' }]] : []),
        };
        const colour = (has: Map<Course, Done>) => {
          const of = { links: said, latest: (c: Course) => has.get(c), now: new Date(at), zone };
          const counts = countingOf('a', of);
          const facts = {
            ...{ required: true, started_on: '2025-03-01', starter_period: 84, expiry_warning: 60, zone: 'Europe/London', result: counts },
            through: counts && counts.course !== 'a' ? counts.course : null,
            parts: partsOf('a', of)?.map((p) => ({ name: p.name, title: p.course, result: p.counts })) ?? null,
          };
          return rank[complianceColourOf[complianceOf(facts, new Date(at)).status]];
        };
        const without = new Map([...held].filter(([c]) => c !== 'e'));
        expect(colour(new Map(without).set('e', more))).toBeLessThanOrEqual(colour(without));
      }),
      { numRuns: 1000 },
    );
  });
});
