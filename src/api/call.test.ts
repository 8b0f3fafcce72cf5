import { expect, it } from 'vitest';
import { sentenceOf } from '#src/api/call.ts';

const refused = (code: 'invalid_input' | 'standard_open', message: string, errors?: Record<string, string[]>) => ({
  kind: 'refused' as const,
  status: 422,
  error: { code, message, request_id: '1', ...(errors ? { errors } : {}) },
  retryAfterMs: null,
});

it('says what is wrong with what was refused, where that was said', () => {
  const problem = 'This is not a video that can be opened.';
  expect(sentenceOf(refused('invalid_input', 'Invalid input.', { file: [problem] }))).toBe(problem);
  expect(sentenceOf(refused('invalid_input', 'Invalid input.'))).toBe('Invalid input.');
  expect(sentenceOf(refused('standard_open', 'The person stays in line of sight.', { rev: ['2'] }))).toBe('The person stays in line of sight.');
  expect(sentenceOf({ kind: 'unreachable', reason: 'offline' })).toMatch(/no connection/);
});
