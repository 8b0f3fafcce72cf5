import { expect, it } from 'vitest';
import { openTab, type TabAddress, withTab } from '#src/screens/tab-address.ts';

const tabs: readonly [TabAddress, ...TabAddress[]] = [{ id: 'overview' }, { id: 'record', places: ['evidence'] }, { id: 'access' }];
const opened = (search: string, hash = '') => openTab(tabs, { search, hash }).id;

it('opens the tab that the address names, and the first where it names none or one that is not there', () => {
  expect(opened('?tab=access')).toBe('access');
  expect(opened('?search=an&tab=record')).toBe('record');
  expect(opened('')).toBe('overview');
  expect(opened('?tab=gone')).toBe('overview');
});

it('opens the tab that holds the place to which a link leads, whatever tab it names', () => {
  expect(opened('', '#evidence')).toBe('record');
  expect(opened('?tab=access', '#evidence')).toBe('record');
  expect(opened('?tab=access', '#elsewhere')).toBe('access');
});

it('names a tab in the query beside all else, and the first not at all', () => {
  expect(withTab('', 'record')).toBe('?tab=record');
  expect(withTab('?search=an&tab=access', 'record')).toBe('?search=an&tab=record');
  expect(withTab('?search=an&tab=record', null)).toBe('?search=an');
  expect(withTab('?tab=record', null)).toBe('');
});
