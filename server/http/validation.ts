import type * as mini from 'zod/mini';
import { errorsByPath, wordErrors } from '#contract/wording.ts';
import { unholdableIn } from '#contract/rules/holdable-text.ts';
import { ProductError } from '#server/http/product-error.ts';

wordErrors();

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
  const { '': whole, ...fields } = errorsByPath(parsed.error.issues);
  throw new ProductError('invalid_input', { fields: { ...fields, ...(whole ? { body: whole } : {}) } });
};
