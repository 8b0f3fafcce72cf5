import { describe, expect, it } from 'vitest';
import type { Result } from '#contract/entities/result.ts';
import { timelineOf } from '#src/features/users/timeline.ts';

const now = '2026-06-15T12:00:00.000Z';
let made = 0;
const result = (more: Partial<Result>): Result =>
  ({
    ...{
      id: `r${made++}`,
      course_id: 'fire',
      course_title: 'Fire safety',
      zone: 'Europe/London',
      status: 'approved',
      type: 'elearning',
      counts: true,
    },
    ...{
      completed_at: '2024-01-10T12:00:00.000Z',
      expires_at: null,
      change: 'recorded',
      changed_at: '2024-01-10T12:00:00.000Z',
      recorded_at: '2024-01-10T12:00:00.000Z',
    },
    ...more,
  }) as Result;
const eventsOf = (...records: Result[]) => timelineOf(records, now).map((e) => `${e.day} ${e.kind}`);

describe('the timeline of a training record', () => {
  it('tells what was completed, renewed and expired, the newest first', () => {
    expect(
      eventsOf(
        result({ completed_at: '2023-01-10T12:00:00.000Z', expires_at: '2024-01-10T12:00:00.000Z' }),
        result({ completed_at: '2024-01-05T12:00:00.000Z', expires_at: '2025-01-05T12:00:00.000Z' }),
        result({ completed_at: '2025-03-01T12:00:00.000Z', expires_at: '2026-12-01T12:00:00.000Z' }),
      ),
    ).toEqual(['2025-03-01 renewed', '2025-01-05 expired', '2024-01-05 renewed', '2023-01-10 completed']);
  });
  it('tells of an exemption from when to when, and not what is to come', () => {
    expect(eventsOf(result({ type: 'exempt', expires_at: '2026-01-31T23:59:59.000Z' }))).toEqual(['2026-01-31 expired', '2024-01-10 exempted']);
    expect(eventsOf(result({ expires_at: '2026-06-16T12:00:00.000Z' }))).toEqual(['2024-01-10 completed']);
  });
  it('says that one was corrected, and does not count what was rejected or deleted', () => {
    const late = '2026-03-01T23:30:00.000Z';
    expect(eventsOf(result({ change: 'corrected', changed_at: late }))).toEqual(['2026-03-01 corrected', '2024-01-10 completed']);
    expect(eventsOf(result({ status: 'deleted', change: 'deleted', changed_at: late }))).toEqual(['2026-03-01 deleted']);
    expect(
      eventsOf(
        result({ completed_at: '2020-01-01T12:00:00.000Z', status: 'rejected', change: 'rejected', changed_at: late }),
        result({ course_id: 'fire' }),
        result({ course_id: 'food', status: 'pending', change: 'submitted', recorded_at: '2026-06-01T12:00:00.000Z' }),
      ),
    ).toEqual(['2026-06-01 submitted', '2026-03-01 rejected', '2024-01-10 completed']);
  });
  it('uses the days of where the person works', () => {
    expect(eventsOf(result({ completed_at: '2025-07-01T23:30:00.000Z' }))).toEqual(['2025-07-02 completed']);
  });
});
