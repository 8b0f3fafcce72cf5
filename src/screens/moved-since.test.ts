import { expect, it } from 'vitest';
import { changesOver, movedSince } from '#src/screens/moved-since.ts';

it('names the fields of a draft that somebody else changed after they were typed', () => {
  type Fields = { name: string; notes: string; tags: string[] };
  const draft = { changed: { name: 'Rose House', notes: 'Ring first', tags: ['a'] }, was: { name: 'Rose', notes: '', tags: [] as string[] } };
  expect(movedSince<Fields>(draft, { name: 'Rose', notes: '', tags: [] })).toEqual([]);
  expect(movedSince<Fields>(draft, { name: 'The Roses', notes: '', tags: ['b'] })).toEqual(['name', 'tags']);
  // Both typed the same.
  expect(movedSince<Fields>(draft, { name: 'Rose House', notes: '', tags: [] })).toEqual([]);
  // A draft of an earlier app version does not have the earlier values.
  expect(movedSince({ changed: { name: 'Rose House' } }, { name: 'Other' })).toEqual([]);
});

it('keeps what only somebody else changed, and names what both did', () => {
  const begin = { name: 'Rose', code: '', notes: '', tags: [] as string[] };
  const values = { ...begin, name: 'Rose House', notes: 'Ring first' };
  const now = { ...begin, name: 'The Roses', code: 'R1', tags: ['b'] };
  expect(changesOver(begin, values, now)).toEqual({ typed: { name: 'Rose House', code: 'R1', notes: 'Ring first', tags: ['b'] }, both: ['name'] });
  expect(changesOver(begin, values, { ...now, name: 'Rose House' }).both).toEqual([]);
  expect(changesOver(begin, values, begin)).toEqual({ typed: values, both: [] });
});
