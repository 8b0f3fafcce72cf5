import type * as z from 'zod/mini';
import { errorsByPath, wordErrors } from '#contract/wording.ts';
import type { FieldErrors } from '#src/api/field-errors.ts';

wordErrors();

/** A schema's errors: a sentence by the path of each field. */
export const schemaErrors = ({ issues }: z.core.$ZodError): FieldErrors =>
  Object.fromEntries(Object.entries(errorsByPath(issues)).map(([path, words]) => [path, words[0]]));
