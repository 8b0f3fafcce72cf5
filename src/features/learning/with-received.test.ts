import { describe, expect, it } from 'vitest';
import type { Events, LearnerEvent } from '#src/features/learning/learner-events.ts';
import { type Received, withReceived } from '#src/features/learning/with-received.ts';

const event = (id: string, more: Partial<LearnerEvent> = {}): LearnerEvent =>
  ({
    id,
    course_id: id,
    course_title: id,
    content_id: `content of ${id}`,
    status: 'overdue',
    completed_at: null,
    result_id: null,
    asked_version: null,
    ...more,
  }) as LearnerEvent;
const received = (id: string, more: Partial<NonNullable<Received['result']>> = {}): Received => ({
  ...{ id: `attempt at ${id}`, content_id: `content of ${id}`, content_version: 2 },
  result: {
    id: `result of ${id}`,
    completed_at: '2026-11-29T10:00:00.000Z',
    expires_at: '2027-11-29T10:00:00.000Z',
    score: 90,
    certificate: true,
    ...more,
  },
});
const now = '2026-11-29T12:00:00.000Z';

describe('the list of courses, as last received', () => {
  const events = (...active: LearnerEvent[]): Events => ({
    ...{ counts: { current: 0, overdue: active.length, completed: 0 } as Events['counts'], active, completed: [], unsaid: [] },
  });

  it('has what was completed since under those that are done', () => {
    const after = withReceived(events(event('a'), event('b')), [received('a')], now);
    expect(after.active.map((e) => e.id)).toEqual(['b']);
    expect(after.completed).toMatchObject([{ id: 'a', status: 'completed', result_id: 'result of a', score: 90, percent: 100 }]);
    expect(after.counts).toMatchObject({ overdue: 1, completed: 1 });
  });

  it('keeps what is due again, expired, older than the list, or of a version before the one that is asked', () => {
    const due = event('due', { result_id: 'result of due' });
    const older = event('older', { completed_at: '2026-11-29T11:00:00.000Z', result_id: 'another' });
    const asked = event('asked', { asked_version: 3 });
    const list = events(due, event('expired'), older, asked);
    const all = [received('due'), received('expired', { expires_at: '2026-11-01T00:00:00.000Z' }), received('older'), received('asked')];
    expect(withReceived(list, all, now)).toBe(list);
  });
});
