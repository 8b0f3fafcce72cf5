import { expect, it } from 'vitest';
import { alsoHereWords } from '#src/screens/authoring/also-here-words.ts';

const sam = { id: '00000000-0000-4000-8000-000000000001', name: 'Sam Patel', you: false, since: '2026-11-26T10:42:00.000Z' };

it('says who else is editing, and since when', () => {
  expect(alsoHereWords([], 'topic')).toBeNull();
  expect(alsoHereWords([sam], 'topic')).toBe('Sam Patel is also editing this topic since 10:42.');
  expect(alsoHereWords([{ ...sam, you: true }], 'quiz')).toBe('You are also editing this quiz in another tab or on another device, since 10:42.');
  expect(alsoHereWords([sam, { ...sam, name: 'Priya Rao' }], 'lesson')).toBe('Sam Patel and Priya Rao are also editing this lesson.');
});
