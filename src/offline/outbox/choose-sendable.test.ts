import { describe, expect, it } from 'vitest';
import { chooseSendable, nextSendableAt, othersCouldGo } from '#src/offline/outbox/choose-sendable.ts';
import type { Entry } from '#src/offline/ports.ts';

const now = 1_000_000;
const entry = (id: string, lane: string, more: Partial<Entry> = {}) =>
  ({ id, lane, state: 'waiting', nextAt: 0, dependsOn: [], ...more }) as unknown as Entry;
const chosen = (entries: Entry[]) => [...chooseSendable(entries, now).values()].flat().map((e) => e.id);

describe('what may be sent, and when', () => {
  it('each lane up to the first entry that may not be sent', () => {
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
  it('the time is that of a paused entry, not of those behind it', () => {
    // A session and the choice to resume from it: the choice is sent after the session.
    const entries = [entry('commit', 'a', { nextAt: now + 8000 }), entry('resume', 'a/item', { dependsOn: ['commit'] }), entry('later', 'a')];
    expect(chosen(entries)).toEqual([]);
    expect(nextSendableAt(entries, now)).toBe(now + 8000);
  });
  it('there is no time if everything waits for the person', () => {
    const entries = [entry('a1', 'a', { state: 'needs-person' }), entry('a2', 'a'), entry('a3', 'a')];
    expect(chosen(entries)).toEqual([]);
    expect(nextSendableAt(entries, now)).toBe(null);
    expect(nextSendableAt([], now)).toBe(null);
  });
  it('entries behind another stuck lane are checked from time to time', () => {
    const entries = [entry('a1', 'a', { state: 'needs-person' }), entry('b1', 'b', { dependsOn: ['a1'] })];
    expect(nextSendableAt(entries, now)).toBe(now + 20_000);
  });
  it('a pause that only a clock set back could explain is ignored', () => {
    expect(chosen([entry('a1', 'a', { nextAt: now + 3_600_001 })])).toEqual(['a1']);
  });
  it('other lanes count only if they could be sent: not behind this lane, and not waiting for the person', () => {
    const held = [entry('bad', 'a', { nextAt: now + 8000 }), entry('b1', 'b', { dependsOn: ['bad'] }), entry('c1', 'c', { dependsOn: ['b1'] })];
    expect(othersCouldGo([...held, entry('d1', 'd', { state: 'needs-person' })], 'a', now)).toBe(false);
    expect(othersCouldGo([...held, entry('d1', 'd')], 'a', now)).toBe(true);
    expect(othersCouldGo([...held, entry('d1', 'd', { nextAt: now + 500 })], 'a', now)).toBe(true);
  });
});
