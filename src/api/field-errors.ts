import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';

/** The errors of a form: by the path of a field, or of the `whole`. */
export type FieldErrors = Partial<Record<string, string>>;

/** The server's errors of a form, by the paths that it named. */
export const pathErrorsOf = (result: Exclude<Result, { kind: 'ok' }>): FieldErrors => {
  const named = result.kind === 'refused' ? Object.entries(result.error.errors ?? {}) : [];
  return named.length > 0 ? Object.fromEntries(named.map(([path, words]) => [path, words.join('\n')])) : { whole: sentenceOf(result) };
};
