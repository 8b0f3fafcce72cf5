import { expect, it } from 'vitest';
import { licenceShortage } from '#contract/rules/licence-use.ts';

it('few are left from four fifths used, or with two left; none when all are used; nothing is said of what nobody uses', () => {
  const said = (total: number, ...used: number[]) => used.map((n) => licenceShortage({ total, used: n }));
  expect(said(50, 0, 39, 40, 49, 50)).toEqual([null, null, 'few', 'few', 'none']);
  expect(said(10, 7, 8, 9, 10)).toEqual([null, 'few', 'few', 'none']);
  expect(said(5, 2, 3, 4, 5)).toEqual([null, 'few', 'few', 'none']);
  expect(said(2, 0, 1, 2)).toEqual([null, 'few', 'none']);
  expect(said(1, 0, 1)).toEqual([null, 'none']);
  expect(said(0, 0)).toEqual([null]);
});
