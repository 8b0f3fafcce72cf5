import { describe, expect, it } from 'vitest';
import { chooseSendable, nextSendableAt, othersCouldGo } from '#src/offline/outbox/choose-sendable.ts';
import type { Entry } from '#src/offline/ports.ts';

const now = 1_000_000;
const entry = (id: string, lane: string, more: Partial<Entry> = {}) =>
  ({ id, lane, state: 'waiting', nextAt: 0, dependsOn: [], ...more }) as unknown as Entry;
const chosen = (entries: Entry[]) => [...chooseSendable(entries, now).values()].flat().map((e) => e.id);

describe('what may be sent, and when', () => {
  it('is each lane up to what may not go yet', () => {
    const entries = [
      entry('a1', 'a'),
      entry('b1', 'b', { nextAt: now + 500 }),
      entry('a2', 'a'),
      entry('b2', 'b'),
      entry('a3', 'a', { dependsOn: ['b1'] }),
    ];
    expect(chosen(entries)).toEqual(['a1', 'a2']);
    expect(nextSendableAt(entries, now)).toBe(now);
  });
  it('is the time of what is paused, not of what waits behind it', () => {
    // A session of a course and the choice to go on with it: the choice goes when the session has gone.
    const entries = [entry('commit', 'a', { nextAt: now + 8000 }), entry('resume', 'a/item', { dependsOn: ['commit'] }), entry('later', 'a')];
    expect(chosen(entries)).toEqual([]);
    expect(nextSendableAt(entries, now)).toBe(now + 8000);
  });
  it('is never where all waits for the person, and what waits behind that has no time', () => {
    const entries = [entry('a1', 'a', { state: 'needs-person' }), entry('a2', 'a'), entry('a3', 'a')];
    expect(chosen(entries)).toEqual([]);
    expect(nextSendableAt(entries, now)).toBe(null);
    expect(nextSendableAt([], now)).toBe(null);
  });
  it('is looked after where only another lane that is stuck stands before it', () => {
    const entries = [entry('a1', 'a', { state: 'needs-person' }), entry('b1', 'b', { dependsOn: ['a1'] })];
    expect(nextSendableAt(entries, now)).toBe(now + 20_000);
  });
  it('does not believe a pause that the clock would have to have been set back for', () => {
    expect(chosen([entry('a1', 'a', { nextAt: now + 3_600_001 })])).toEqual(['a1']);
  });
  it('says whether something beside a lane could go: not what stands behind it, nor what a person decides on', () => {
    const held = [entry('bad', 'a', { nextAt: now + 8000 }), entry('b1', 'b', { dependsOn: ['bad'] }), entry('c1', 'c', { dependsOn: ['b1'] })];
    expect(othersCouldGo([...held, entry('d1', 'd', { state: 'needs-person' })], 'a', now)).toBe(false);
    expect(othersCouldGo([...held, entry('d1', 'd')], 'a', now)).toBe(true);
    expect(othersCouldGo([...held, entry('d1', 'd', { nextAt: now + 500 })], 'a', now)).toBe(true);
  });
});
