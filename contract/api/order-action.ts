import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';

/**
 * The body that changes a list within something: adds or removes one, or gives all of them in their new order (`ids` must be exactly the
 * present ones).
 */
export const orderAction = <const K extends string>(key: K, most: number) => {
  const one = { [key]: Id } as { [P in K]: typeof Id };
  return z.discriminatedUnion('action', [
    z.object({ action: z.literal('add'), ...one }),
    z.object({ action: z.literal('remove'), ...one }),
    z.object({ action: z.literal('order'), ids: z.array(Id).check(z.maxLength(most, `Use no more than ${most}.`)) }),
  ]);
};
