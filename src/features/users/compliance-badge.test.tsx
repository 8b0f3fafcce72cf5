import { expect, it } from 'vitest';
import { complianceWords } from '#src/features/users/compliance-badge.tsx';

const counts = { overdue: 0, current: 0, required: 0, required_overdue: 0 };

it('calls overdue what every figure does, and a late step of a pathway still to do', () => {
  expect(complianceWords({ ...counts, overdue: 3, current: 1, required: 9, required_overdue: 2 })).toBe('2 overdue');
  expect(complianceWords({ ...counts, overdue: 1, current: 1, required: 9 })).toBe('2 to do');
  expect(complianceWords({ ...counts, required: 9 })).toBe('Up to date');
});
it('says that nothing is required of somebody, and not that they are up to date', () => {
  expect(complianceWords(counts)).toBe('Nothing required');
});
