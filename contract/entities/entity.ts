import * as z from 'zod/mini';
import { Id, Slug } from '#contract/entities/fields.ts';

/** What an organisation asks of a password. Lengths in characters. */
export const PasswordRequirements = z.object({
  min_length: z.int().check(z.gte(8), z.lte(128)),
  mixed_case: z.boolean(),
  number: z.boolean(),
  symbol: z.boolean(),
});
export type PasswordRequirements = z.infer<typeof PasswordRequirements>;

/** An organisation as others see it in a list or a reference. */
export const EntityRef = z.object({ id: Id, name: z.string(), slug: Slug });
export type EntityRef = z.infer<typeof EntityRef>;
