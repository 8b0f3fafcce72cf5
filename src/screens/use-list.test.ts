import { expect, it } from 'vitest';
import { queryOfView } from '#src/screens/use-list.ts';

it('gives an address the view of a list and leaves what is not of the list', () => {
  const address = new URLSearchParams('search=an&page=3&role=r1&tab=record');
  const own = ['search', 'filter', 'sort', 'page', 'role'];
  expect(String(queryOfView(address, own, { search: 'be', role: 'r1' }))).toBe('search=be&role=r1&tab=record');
  expect(String(queryOfView(address, own, {}))).toBe('tab=record');
});
