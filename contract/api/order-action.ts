import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';

/**
 * The body by which a list within something is changed: the thing that is added or removed, or all of them in their new order
 * (`ids`, which are exactly those that are there).
 */
export const orderAction = <const K extends string>(key: K, most: number) => {
  const one = { [key]: Id } as { [P in K]: typeof Id };
  return z.discriminatedUnion('action', [
    z.object({ action: z.literal('add'), ...one }),
    z.object({ action: z.literal('remove'), ...one }),
    z.object({ action: z.literal('order'), ids: z.array(Id).check(z.maxLength(most, `Use no more than ${most}.`)) }),
  ]);
};
