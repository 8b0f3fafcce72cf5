import * as z from 'zod';
import type * as mini from 'zod/mini';
import { ProductError } from '#server/http/product-error.ts';

z.config({
  ...z.locales.en(),
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined ? 'Please fill this in.' : `This should be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}.`;
    if (issue.code === 'unrecognized_keys') return 'This is not known here.';
    return undefined;
  },
});

/** Reads input by a schema of the contract; throws `invalid_input` with a sentence for each field. */
export const read = <S extends mini.ZodMiniType>(schema: S | undefined, input: unknown): mini.output<S> | undefined => {
  if (!schema) return undefined;
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const fields: Record<string, string[]> = {};
  const collect = (issues: readonly z.core.$ZodIssue[], prefix: PropertyKey[]) => {
    for (const issue of issues) {
      const path = [...prefix, ...issue.path];
      if (issue.code === 'invalid_union' && issue.errors.length > 0) {
        // The branch that came furthest is the one the sender meant.
        const meant = [...issue.errors].sort(
          (a, b) => Math.max(...b.map((i) => i.path.length)) - Math.max(...a.map((i) => i.path.length)) || a.length - b.length,
        )[0];
        collect(meant ?? [], path);
        continue;
      }
      const name = path.map(String).join('.') || 'body';
      fields[name] = [...(fields[name] ?? []), issue.message];
    }
  };
  collect(parsed.error.issues, []);
  throw new ProductError('invalid_input', { fields });
};
