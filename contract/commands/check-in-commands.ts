import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { CheckInCode } from '#contract/entities/check-in.ts';
import { Count } from '#contract/entities/fields.ts';

/**
 * Says that somebody is at a session, with the code that they saw there at `at`. `step`: the 30 seconds that it was scanned for; null where it
 * was typed.
 */
export const CheckIn = z.object({
  ...change,
  command: z.literal('check_in.make'),
  args: z.object({ code: CheckInCode, step: z.nullable(Count) }),
});
export type CheckIn = z.infer<typeof CheckIn>;
