import { expect, it } from 'vitest';
import { type LocalCourse, tryShown } from '#src/features/learning/try-shown.ts';

const local = (attemptId: string, percent: number, more: Partial<LocalCourse> = {}): LocalCourse => ({
  ...{ attemptId, percent, unmarked: false, graded: false, later: [] },
  ...more,
});

it('shows the later of the try in the list and the one on this device', () => {
  expect(tryShown({ attempt_id: null, percent: 0 }, undefined)).toMatchObject({ attemptId: null, percent: 0, isLater: false });
  expect(tryShown({ attempt_id: 'try 1', percent: 100 }, undefined)).toMatchObject({ attemptId: 'try 1', percent: 100, isLater: false });
  // The same one, further here than the list knows.
  expect(tryShown({ attempt_id: 'try 1', percent: 20 }, local('try 1', 60))).toMatchObject({ attemptId: 'try 1', percent: 60, isLater: false });
  // Begun here without a connection.
  expect(tryShown({ attempt_id: null, percent: 0 }, local('try 1', 10))).toMatchObject({ attemptId: 'try 1', percent: 10, isLater: true });
  const again = local('try 2', 10, { later: ['try 3'], unmarked: true });
  expect(tryShown({ attempt_id: 'try 1', percent: 100 }, again)).toEqual({ attemptId: 'try 2', percent: 10, unmarked: true, isLater: true });
  // Left open here, and completed and taken again elsewhere.
  const left = local('try 1', 40, { later: ['try 2', 'try 3'], unmarked: true });
  expect(tryShown({ attempt_id: 'try 2', percent: 100 }, left)).toEqual({ attemptId: 'try 2', percent: 100, unmarked: false, isLater: false });
});
