import { describe, expect, it } from 'vitest';
import { type ComplianceFacts, complianceOf } from '#contract/rules/compliance-status.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const standing = (more: Partial<ComplianceFacts>): ComplianceFacts => ({
  ...{ required: true, started_on: '2024-01-01', starter_period: 84, expiry_warning: 60, zone: 'Europe/London', result: null },
  ...more,
});
const done = (expires_at: string | null) => ({ result: { completed_at: '2025-06-20T09:00:00.000Z', expires_at } });

describe('how a person stands with a course', () => {
  it.each<[string, Partial<ComplianceFacts>, string, string | null, string]>([
    ['in date', done('2026-09-20T09:00:00.000Z'), 'in_date', '2026-09-20T09:00:00.000Z', 'Completed on 20/06/2025, in date until 20/09/2026.'],
    ['for good', done(null), 'in_date', null, 'Completed on 20/06/2025. It does not expire.'],
    [
      'about to expire',
      done('2026-07-01T00:00:00.000Z'),
      'expiring',
      '2026-07-01T00:00:00.000Z',
      'Completed on 20/06/2025, expires on 01/07/2026: within 60 days.',
    ],
    [
      'expired',
      done('2026-06-15T11:59:59.000Z'),
      'expired',
      '2026-06-15T11:59:59.000Z',
      'Completed on 20/06/2025, expired on 15/06/2026. It must be completed again.',
    ],
    [
      'expired at this moment',
      done('2026-06-15T12:00:00.000Z'),
      'expired',
      '2026-06-15T12:00:00.000Z',
      'Completed on 20/06/2025, expired on 15/06/2026. It must be completed again.',
    ],
    [
      'expired, and not required',
      { ...done('2026-06-01T00:00:00.000Z'), required: false },
      'lapsed',
      null,
      'Completed on 20/06/2025, expired on 01/06/2026. It is no longer required.',
    ],
    [
      'a new starter',
      { started_on: '2026-05-01' },
      'starter',
      '2026-07-23T23:00:00.000Z',
      'New starter: due on 24/07/2026, 84 days after the start date, 01/05/2026.',
    ],
    [
      'one who should have',
      {},
      'missing',
      '2024-03-25T00:00:00.000Z',
      'Never completed. It was due on 25/03/2024, 84 days after the start date, 01/01/2024.',
    ],
    [
      'one with a day to start in',
      { started_on: '2026-06-14', starter_period: 1 },
      'missing',
      '2026-06-14T23:00:00.000Z',
      'Never completed. It was due on 15/06/2026, 1 day after the start date, 14/06/2026.',
    ],
    ['nothing asked, nothing done', { required: false }, 'not_required', null, 'Not required for this job role.'],
  ])('%s', (_name, more, status, due_at, reason) => {
    expect(complianceOf(standing(more), now)).toEqual({ status, due_at, reason });
  });
  it('warns from the day that the organisation or the role sets', () => {
    const result = { completed_at: '2025-06-20T09:00:00.000Z', expires_at: '2026-07-15T12:00:00.000Z' };
    expect(complianceOf(standing({ result, expiry_warning: 30 }), now).status).toBe('expiring');
    expect(complianceOf(standing({ result, expiry_warning: 29 }), now).status).toBe('in_date');
    expect(complianceOf(standing({ result, expiry_warning: 0 }), now).status).toBe('in_date');
  });
  it('uses the organisation’s days: late on a summer evening UTC is still on the day before', () => {
    const result = { completed_at: '2025-07-01T23:29:00.000Z', expires_at: '2026-07-01T23:29:00.000Z' };
    expect(complianceOf(standing({ result, expiry_warning: 10 }), now).reason).toBe('Completed on 02/07/2025, in date until 02/07/2026.');
    expect(complianceOf(standing({ result, expiry_warning: 10, zone: 'UTC' }), now).reason).toBe(
      'Completed on 01/07/2025, in date until 01/07/2026.',
    );
  });
});
