import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { CheckInCode } from '#contract/entities/check-in.ts';
import { Count } from '#contract/entities/fields.ts';

/**
 * Checks somebody in to a session, with the code that was displayed there at `at`. `step`: the 30-second step of a scanned code; null if it
 * was typed.
 */
export const CheckIn = z.object({
  ...change,
  command: z.literal('check_in.make'),
  args: z.object({ code: CheckInCode, step: z.nullable(Count) }),
});
export type CheckIn = z.infer<typeof CheckIn>;
