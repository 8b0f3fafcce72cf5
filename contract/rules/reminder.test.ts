import { expect, it } from 'vitest';
import type { PersonCompliance } from '#contract/entities/compliance.ts';
import { mostInReminder, reminderText } from '#contract/rules/reminder.ts';

const now = new Date('2026-06-01T12:00:00Z');
const course = (course_title: string, status: PersonCompliance['status'], due_at: string | null = null): PersonCompliance => ({
  ...{ course_id: course_title, course_title, type: 'primary', status, due_at, completed_at: null, expires_at: null },
  reason: `${`${status} ${due_at?.slice(0, 10) ?? ''}`.trim()}.`,
});

it('names the courses of a person that are overdue or due soon, after the sender’s words', () => {
  const must = [
    course('Fire safety', 'expired', '2026-05-01T22:59:59Z'),
    course('Moving', 'expiring', '2026-06-20T22:59:59Z'),
    course('Induction', 'starter', '2026-06-25T22:59:59Z'),
    course('Later', 'starter', '2026-09-01T22:59:59Z'),
    course('Done', 'in_date'),
  ];
  expect(reminderText(must, '  Please see to this. ', now)).toBe(
    'Please see to this.\n\nOverdue:\n• Fire safety: expired 2026-05-01.\n\nDue soon:\n• Moving: expiring 2026-06-20.\n• Induction: starter 2026-06-25.',
  );
  expect(reminderText(must.slice(0, 1), '', now)).toBe('Overdue:\n• Fire safety: expired 2026-05-01.');
});
it('is not written to who has nothing due, and counts what it does not name', () => {
  expect(reminderText([course('Done', 'in_date'), course('Later', 'starter', '2026-09-01T22:59:59Z')], 'Hello', now)).toBeNull();
  const many = Array.from({ length: mostInReminder + 2 }, (_, i) => course(`Course ${i}`, 'missing'));
  const text = reminderText([...many, course('Moving', 'expiring', '2026-06-20T22:59:59Z')], '', now) ?? '';
  expect(text.match(/•/g)).toHaveLength(mostInReminder);
  expect(text).toMatch(/And 3 more courses: see your home page\.$/);
  expect(text).not.toContain('Due soon');
});
