import type * as mini from 'zod/mini';
import { errorsByPath, wordErrors } from '#contract/wording.ts';
import { unholdableIn } from '#contract/rules/holdable-text.ts';
import { ProductError } from '#server/product-error.ts';

wordErrors();

/** Maximum nesting: far more than any valid input has, and safe for recursive readers. */
export const deepestInput = 400;
const tooDeep = 'This is nested too deeply.';
const notText = 'This holds a character that cannot be kept: an invisible control character, or half of a symbol. Type it again without it.';
/** Throws `invalid_input`, by field, for text that the database cannot store. Text from packages has already been encoded by its schema. */
export const requireHoldable = (input: unknown): void => {
  const found = unholdableIn(input, deepestInput);
  if (found.length === 0) return;
  const fields = Object.fromEntries(found.slice(0, 20).map(({ path, why }) => [path || 'body', [why === 'depth' ? tooDeep : notText]]));
  throw new ProductError('invalid_input', { fields });
};

/** Parses input with a schema of the contract. Throws `invalid_input` with a message per field. */
export const read = <S extends mini.ZodMiniType>(schema: S | undefined, input: unknown): mini.output<S> | undefined => {
  if (!schema) return undefined;
  // Recursive schemas parse recursively.
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
