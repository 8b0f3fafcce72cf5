import { describe, expect, it } from 'vitest';
import { type ComplianceFacts, complianceOf } from '#contract/rules/compliance-status.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const standing = (more: Partial<ComplianceFacts>): ComplianceFacts => ({
  ...{ required: true, started_on: '2024-01-01', starter_period: 84, expiry_warning: 60, zone: 'Europe/London', result: null },
  ...more,
});
const part = (name: 'theory' | 'practical', expires_at: string | null | undefined) => ({
  ...{ name, title: `The ${name}` },
  result: expires_at === undefined ? null : { completed_at: '2025-06-20T09:00:00.000Z', expires_at },
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
      done('2026-06-14T22:59:59.000Z'),
      'expired',
      '2026-06-14T22:59:59.000Z',
      'Completed on 20/06/2025, expired on 14/06/2026. It must be completed again.',
    ],
    [
      'on its last day, whatever the time',
      done('2026-06-15T11:59:59.000Z'),
      'expiring',
      '2026-06-15T11:59:59.000Z',
      'Completed on 20/06/2025, expires on 15/06/2026: within 60 days.',
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
      '2026-07-24T22:59:59.000Z',
      'New starter: due on 24/07/2026, 84 days after the start date, 01/05/2026.',
    ],
    [
      'one who should have',
      {},
      'missing',
      '2024-03-25T23:59:59.000Z',
      'Never completed. It was due on 25/03/2024, 84 days after the start date, 01/01/2024.',
    ],
    [
      'one with a day to start in',
      { started_on: '2026-06-14', starter_period: 1 },
      'starter',
      '2026-06-15T22:59:59.000Z',
      'New starter: due on 15/06/2026, 1 day after the start date, 14/06/2026.',
    ],
    [
      'one whose last day has gone',
      { started_on: '2026-06-13', starter_period: 1 },
      'missing',
      '2026-06-14T22:59:59.000Z',
      'Never completed. It was due on 14/06/2026, 1 day after the start date, 13/06/2026.',
    ],
    [
      'one who started long before it was required',
      { required_since: '2026-06-15', starter_period: 28 },
      'starter',
      '2026-07-13T22:59:59.000Z',
      'Due on 13/07/2026, 28 days after it was first required, on 15/06/2026.',
    ],
    [
      'one who started after it was required',
      { required_since: '2020-01-01', starter_period: 28 },
      'missing',
      '2024-01-29T23:59:59.000Z',
      'Never completed. It was due on 29/01/2024, 28 days after the start date, 01/01/2024.',
    ],
    [
      'one whose other course counts as well',
      { ...done('2026-09-20T09:00:00.000Z'), through: 'Level 3' },
      'in_date',
      '2026-09-20T09:00:00.000Z',
      'Completed on 20/06/2025 by “Level 3”, which counts as well, in date until 20/09/2026.',
    ],
    [
      'exempt',
      { result: { completed_at: '2025-06-20T09:00:00.000Z', expires_at: null, exempt: true } },
      'in_date',
      null,
      'Exempt since 20/06/2025. It has no end.',
    ],
    [
      'one part of two',
      { parts: [part('theory', '2026-09-20T09:00:00.000Z'), part('practical', undefined)] },
      'missing',
      '2024-03-25T23:59:59.000Z',
      'The theory part, “The theory”, was completed on 20/06/2025; the practical part, “The practical”, was never completed. It was due on 25/03/2024, 84 days after the start date, 01/01/2024.',
    ],
    [
      'no part of two, and new',
      { started_on: '2026-05-01', parts: [part('theory', undefined), part('practical', undefined)] },
      'starter',
      '2026-07-24T22:59:59.000Z',
      'Neither of its two parts was completed. New starter: due on 24/07/2026, 84 days after the start date, 01/05/2026.',
    ],
    [
      'both parts, one of which ends first',
      { ...done('2026-09-20T09:00:00.000Z'), parts: [part('theory', null), part('practical', '2026-09-20T09:00:00.000Z')] },
      'in_date',
      '2026-09-20T09:00:00.000Z',
      'Both parts completed, the last on 20/06/2025, in date until 20/09/2026. That is when the practical part, “The practical”, expires.',
    ],
    [
      'both parts, one of which has ended',
      { ...done('2026-06-01T09:00:00.000Z'), parts: [part('theory', null), part('practical', '2026-06-01T09:00:00.000Z')] },
      'expired',
      '2026-06-01T09:00:00.000Z',
      'Both parts completed, the last on 20/06/2025, expired on 01/06/2026. The practical part, “The practical”, has to be completed again.',
    ],
    ['asked for later', { required_from: '2026-06-16' }, 'not_required', null, 'Not required now. It is required from 16/06/2026.'],
    [
      'asked for from today',
      { required_from: '2026-06-15' },
      'starter',
      '2026-06-15T22:59:59.000Z',
      'Due on 15/06/2026, the day from which it is required.',
    ],
    [
      'asked for until today',
      { required_until: '2026-06-15' },
      'missing',
      '2024-03-25T23:59:59.000Z',
      'Never completed. It was due on 25/03/2024, 84 days after the start date, 01/01/2024.',
    ],
    [
      'expired, and not asked for any more',
      { ...done('2026-06-10T00:00:00.000Z'), required_until: '2026-06-14' },
      'lapsed',
      null,
      'Completed on 20/06/2025, expired on 10/06/2026. It was required until 14/06/2026.',
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
