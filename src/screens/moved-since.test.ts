import { expect, it } from 'vitest';
import { movedSince } from '#src/screens/moved-since.ts';

it('names the fields of a draft that somebody else changed after they were typed', () => {
  type Fields = { name: string; notes: string; tags: string[] };
  const draft = { changed: { name: 'Rose House', notes: 'Ring first', tags: ['a'] }, was: { name: 'Rose', notes: '', tags: [] as string[] } };
  expect(movedSince<Fields>(draft, { name: 'Rose', notes: '', tags: [] })).toEqual([]);
  expect(movedSince<Fields>(draft, { name: 'The Roses', notes: '', tags: ['b'] })).toEqual(['name', 'tags']);
  // The same was typed by both.
  expect(movedSince<Fields>(draft, { name: 'Rose House', notes: '', tags: [] })).toEqual([]);
  // A draft of an earlier version of the app says nothing of what was there.
  expect(movedSince({ changed: { name: 'Rose House' } }, { name: 'Other' })).toEqual([]);
});
