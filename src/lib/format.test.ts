import { expect, it } from 'vitest';
import { startWords } from '#src/lib/format.ts';

it('says that somebody starts until their first day, and that they started from then on', () => {
  expect(startWords('2026-12-25', new Date('2026-12-24T23:59:59Z'))).toBe('Starts 25/12/2026');
  expect(startWords('2026-12-25', new Date('2026-12-25T00:00:00Z'))).toBe('Started 25/12/2026');
});
