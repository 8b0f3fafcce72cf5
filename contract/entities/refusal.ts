import * as z from 'zod/mini';
import { Id, Ref } from '#contract/entities/fields.ts';
import { encodeTexts } from '#contract/rules/holdable-text.ts';

/** A change that the server could not accept, with the reason and any question and answer about it. */
export const Refusal = z.object({
  id: Id,
  user: Ref,
  command: z.string(),
  code: z.string(),
  message: z.string(),
  payload: z.unknown(),
  at: z.string(),
  asked_at: z.nullable(z.string()),
  question: z.nullable(z.string()),
  answered_at: z.nullable(z.string()),
  answered_by: z.nullable(Ref),
  answer: z.nullable(z.string()),
  /** When the person stored it as evidence with their training record. */
  evidence_at: z.nullable(z.string()),
});
export type Refusal = z.infer<typeof Refusal>;

/** A refused entry that a person asks about or stores as evidence; the server may never have received it. */
export const RefusedEntry = z.object({
  command: z.string().check(z.maxLength(60)),
  code: z.string().check(z.maxLength(60)),
  message: z.string().check(z.maxLength(1000)),
  /** It may contain text written by a package. */
  payload: z.unknown().check(z.overwrite(encodeTexts)),
  at: z.string().check(z.maxLength(40)),
});
