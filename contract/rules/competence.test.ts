import { expect, it } from 'vitest';
import { competentIn, standardOf } from '#contract/rules/competence.ts';

it('applies to the recorded standards up to the last valid day; without any records nobody is stopped', () => {
  const noted = [
    { standard: '8', until: null },
    { standard: '9', until: '2026-03-31' },
  ];
  expect(competentIn([], '8', '2026-01-01')).toBe('unknown');
  expect(competentIn(noted, '8', '2026-01-01')).toBe('yes');
  expect(competentIn(noted, '10', '2026-01-01')).toBe('no');
  expect([competentIn(noted, '9', '2026-03-31'), competentIn(noted, '9', '2026-04-01')]).toEqual(['yes', 'no']);
  expect([standardOf('9.1a'), standardOf('16.2')]).toEqual(['9', '16']);
});
