import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';

/** The server's errors about a form: by field, or for the form as a `whole`. */
export const fieldErrorsOf = (result: Exclude<Result, { kind: 'ok' }>): Partial<Record<string, string>> => {
  const named = result.kind === 'refused' ? Object.entries(result.error.errors ?? {}) : [];
  return named.length > 0
    ? Object.fromEntries(named.map(([field, words]) => [field.split('.')[0], words.join('\n')]))
    : { whole: sentenceOf(result) };
};
