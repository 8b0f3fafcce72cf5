import { describe, expect, it } from 'vitest';
import { dayOf, plainName, yesOrNo } from '#server/features/importer/cell-values.ts';

describe('the value of a cell', () => {
  it.each([
    ['2026-11-30', '2026-11-30'],
    ['2026-11-30T08:00:00Z', '2026-11-30'],
    ['30/11/2026', '2026-11-30'],
    ['1.2.2026', '2026-02-01'],
    ['31/02/2026', undefined],
    ['11/30/2026', undefined],
    ['1425497497', undefined],
    ['', undefined],
  ])('reads the day %s as %s', (text, day) => expect(dayOf(text)).toBe(day));
  it('reads yes and no as they are written, and nothing else', () => {
    expect(['1', 'Yes', 'x', 'TRUE'].map(yesOrNo)).toEqual([true, true, true, true]);
    expect(['0', 'no', 'False'].map(yesOrNo)).toEqual([false, false, false]);
    expect(yesOrNo('perhaps')).toBeUndefined();
  });
  it('compares names of columns by their letters', () =>
    expect([plainName('E-mail Address '), plainName('date_joined')]).toEqual(['emailaddress', 'datejoined']));
});
