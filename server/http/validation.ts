import * as z from 'zod';
import type * as mini from 'zod/mini';
import { unholdableIn } from '#contract/rules/holdable-text.ts';
import { ProductError } from '#server/http/product-error.ts';

z.config({
  ...z.locales.en(),
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined
        ? 'This field is required.'
        : `This should be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}.`;
    if (issue.code === 'unrecognized_keys') return 'This is not known here.';
    return undefined;
  },
});

/** Nesting that nothing of ours comes near, and that every recursive reader takes. */
export const deepestInput = 400;
const tooDeep = 'This is nested too deeply.';
const notText = 'This holds a character that cannot be kept: an invisible control character, or half of a symbol. Type it again without it.';
/** Refuses what the database could not hold, at its field. What packages write is encoded by its schema before it comes here. */
export const requireHoldable = (input: unknown): void => {
  const found = unholdableIn(input, deepestInput);
  if (found.length === 0) return;
  const fields = Object.fromEntries(found.slice(0, 20).map(({ path, why }) => [path || 'body', [why === 'depth' ? tooDeep : notText]]));
  throw new ProductError('invalid_input', { fields });
};

/** Reads input by a schema of the contract; throws `invalid_input` with a sentence for each field. */
export const read = <S extends mini.ZodMiniType>(schema: S | undefined, input: unknown): mini.output<S> | undefined => {
  if (!schema) return undefined;
  // A schema that refers to itself reads by recursion.
  const deep = unholdableIn(input, deepestInput).find((f) => f.why === 'depth');
  if (deep) throw new ProductError('invalid_input', { fields: { [deep.path.split('.').slice(0, 3).join('.') || 'body']: [tooDeep] } });
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) {
    requireHoldable(parsed.data);
    return parsed.data;
  }
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
