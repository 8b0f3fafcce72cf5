import { expect, it } from 'vitest';
import { movedSince } from '#src/screens/moved-since.ts';

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
