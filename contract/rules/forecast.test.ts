import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComplianceFacts, complianceColourOf, complianceOf, dueDay, statusChangesAt } from '#contract/rules/compliance-status.ts';
import { addDays, dayIn, daysBetween, startOfDay } from '#contract/rules/days.ts';
import { figuresOf, forecastDays, isAmong, mayTurn, turnBy, turnsOf } from '#contract/rules/forecast.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const zone = 'Europe/London';
const facts = (more: Partial<ComplianceFacts>): ComplianceFacts => ({
  ...{ required: true, started_on: '2024-01-01', starter_period: 84, expiry_warning: 30, zone, result: null },
  ...more,
});
const until = (expires_at: string | null) => ({ result: { completed_at: '2025-06-20T09:00:00.000Z', expires_at } });

const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });
const someFacts: fc.Arbitrary<ComplianceFacts> = fc.record({
  required: fc.boolean(),
  required_from: fc.option(fc.integer({ min: -200, max: 200 }).map((n) => addDays('2026-06-15', n))),
  required_until: fc.option(fc.integer({ min: -200, max: 200 }).map((n) => addDays('2026-06-15', n))),
  through: fc.option(fc.constant('Level 3')),
  required_since: fc.option(fc.integer({ min: -200, max: 200 }).map((n) => addDays('2026-06-15', n))),
  started_on: fc.integer({ min: -200, max: 200 }).map((n) => addDays('2026-06-15', n)),
  starter_period: fc.integer({ min: 0, max: 200 }),
  expiry_warning: fc.integer({ min: 0, max: 120 }),
  zone: fc.constantFrom('Europe/London', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Auckland'),
  result: fc.option(
    fc.record({
      completed_at: fc.constant('2025-01-05T12:00:00.000Z'),
      expires_at: fc.option(instants.map((d) => d.toISOString())),
    }),
  ),
});
const colourAt = (of: ComplianceFacts, at: Date) => complianceColourOf[complianceOf(of, at).status];

describe('how people will stand', () => {
  it('says the day on which each colour begins, and why', () => {
    expect(turnsOf(facts(until('2026-08-10T22:59:59.000Z')), now)).toMatchObject([
      { to: 'amber', in_days: 26, on: '2026-07-11', status: 'expiring' },
      { to: 'red', in_days: 57, on: '2026-08-11', status: 'expired', reason: expect.stringContaining('expired on 10/08/2026') },
    ]);
    expect(turnsOf(facts({ started_on: '2026-05-01' }), now)).toMatchObject([{ to: 'red', in_days: 40, on: '2026-07-25', status: 'missing' }]);
    for (const still of [{}, until(null), until('2026-06-01T00:00:00.000Z'), until('2027-06-01T00:00:00.000Z'), { required: false }])
      expect(turnsOf(facts(still), now)).toEqual([]);
  });

  it('is at the end of every day what the rule of compliance says then', () => {
    fc.assert(
      fc.property(someFacts, instants, fc.integer({ min: 0, max: 90 }), (of, at, days) => {
        const turns = turnsOf(of, at);
        const end = new Date(Date.parse(startOfDay(addDays(dayIn(at, of.zone), days + 1), of.zone)) - 1);
        const last = turns.findLast((t) => t.in_days <= days);
        expect(last?.to ?? colourAt(of, at)).toBe(colourAt(of, end));
      }),
      { numRuns: 2000 },
    );
  });

  it('overlooks nobody by not asking the rule where nothing can change', () => {
    let spared = 0;
    fc.assert(
      fc.property(someFacts, instants, (all, at) => {
        const of = { ...all, required: true, required_from: null, required_until: null, through: null };
        const { result } = of;
        const expires = !result
          ? Number.NaN
          : result.expires_at === null
            ? Number.POSITIVE_INFINITY
            : Math.floor(Date.parse(result.expires_at) / 1000);
        if (mayTurn(expires, daysBetween(dayIn(at, of.zone), dueDay(of)), of.expiry_warning, at)) return;
        spared++;
        expect(turnsOf(of, at)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
    expect(spared).toBeGreaterThan(200);
  });

  it('names each change once, in order, on the day on which it happens', () => {
    fc.assert(
      fc.property(someFacts, instants, (of, at) => {
        const turns = turnsOf(of, at);
        let colour = colourAt(of, at);
        for (const [i, turn] of turns.entries()) {
          expect(turn.to).not.toBe(colour);
          expect(turn.in_days).toBe(daysBetween(dayIn(at, of.zone), turn.on));
          expect(turn.in_days).toBeGreaterThanOrEqual(turns[i - 1]?.in_days ?? 0);
          expect(colourAt(of, new Date(Date.parse(startOfDay(addDays(turn.on, 1), of.zone)) - 1))).toBe(turns.findLast((t) => t.on === turn.on)?.to);
          colour = turn.to;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('knows every instant at which a status can change', () => {
    fc.assert(
      fc.property(someFacts, instants, fc.integer({ min: 1, max: 200 * 86_400 }), (of, at, seconds) => {
        const later = new Date(at.getTime() + seconds * 1000);
        const between = statusChangesAt(of).some((t) => t > at.getTime() && t <= later.getTime());
        if (!between) expect(complianceOf(of, later).status).toBe(complianceOf(of, at).status);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the numbers of a forecast', () => {
  const line = (person: string, of: ComplianceFacts, booked: number | null = null) => ({
    user: { id: person },
    colour: colourAt(of, now),
    turns: turnsOf(of, now),
    starts_in_days: of.started_on > '2026-06-15' ? daysBetween('2026-06-15', of.started_on) : null,
    booked: booked === null ? null : { in_days: booked },
  });
  it('count each person once a course, in the colour that they have by then', () => {
    const lines = [
      line('a', facts(until('2026-08-10T22:59:59.000Z')), 40),
      line('a', facts(until('2026-06-20T22:59:59.000Z'))),
      line('b', facts({ started_on: '2026-05-01' })),
      line('c', facts({ started_on: '2026-07-01' }), 70),
    ];
    const none = { lines: 0, people: 0 };
    const one = { lines: 1, people: 1 };
    expect(figuresOf(lines)).toEqual([
      { days: 30, red: one, amber: one, starters: one, booked: none, starters_due: none },
      { days: 60, red: { lines: 3, people: 2 }, amber: none, starters: one, booked: one, starters_due: one },
      { days: 90, red: { lines: 3, people: 2 }, amber: none, starters: one, booked: { lines: 2, people: 2 }, starters_due: one },
    ]);
  });
  it('are as many as the people behind them, and nobody is red and amber', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ person: fc.constantFrom('a', 'b', 'c'), of: someFacts, booked: fc.option(fc.nat(100)) })), (people) => {
        const lines = people.map(({ person, of, booked }) => line(person, of, booked));
        for (const figure of figuresOf(lines)) {
          for (const group of ['red', 'amber', 'starters', 'booked'] as const)
            expect(figure[group].lines).toBe(lines.filter((l) => isAmong(l, group, figure.days)).length);
          expect(lines.filter((l) => isAmong(l, 'red', figure.days) && isAmong(l, 'amber', figure.days))).toEqual([]);
          expect(figure.red.lines + figure.amber.lines).toBe(lines.filter((l) => turnBy(l, figure.days)).length);
        }
        expect(forecastDays).toEqual([30, 60, 90]);
      }),
    );
  });
});
