import { expect, it } from 'vitest';
import { joinProgress, joinScorm } from '#src/offline/kinds/attempt/join.ts';
import { mergeEntry } from '#src/offline/outbox/merge-entry.ts';
import type { Entry, Join, NewEntry } from '#src/offline/ports.ts';

const entry = (at: string, args: object, join?: Join) => ({ at, args, sentence: at, ...(join ? { join } : {}) }) as unknown as Entry & NewEntry;
const page = (state: string, percent: number, at: string) => entry(at, { topic_id: 't', state, percent, seconds: { here: percent } }, joinProgress);

it('keeps the completion of a page and its time when the page is read again before sending', () => {
  expect(mergeEntry(page('completed', 100, '10:00'), page('started', 40, '10:05'))).toMatchObject({
    args: { state: 'completed', percent: 100 },
    at: '10:00',
    sentence: '10:00',
  });
});
it('keeps how far a package session has got, and the status that it said last', () => {
  const facts = (ticks: number, percent: number) => ({
    ...{ item_id: 'i', session_id: 's', ticks, seconds: ticks, percent, score: null, cmi: {} },
    ...{ completion: percent === 100 ? 'completed' : 'incomplete', success: 'unknown' },
  });
  expect(mergeEntry(entry('10:00', facts(1, 100)), entry('10:05', facts(2, 10), joinScorm)).args).toMatchObject({
    ...{ item_id: 'i', session_id: 's', ticks: 2, percent: 100, completion: 'incomplete' },
  });
});
it('replaces the older by the newer by default', () => {
  expect(mergeEntry(entry('10:00', { answer: 'a' }), entry('10:05', { answer: 'b' }))).toEqual({
    args: { answer: 'b' },
    at: '10:05',
    sentence: '10:05',
  });
});
