import * as z from 'zod/mini';
import { ClockOffset, Count, Id, Instant } from '#contract/entities/fields.ts';

/**
 * What every change that a device may queue has in common. A change is a command with a fact, not a saved request: the
 * same payload is applied once, whenever it arrives. Raise `version` when a payload changes shape and teach
 * src/offline/outbox/upgrade.ts the old one. `at` is the server’s time as the device
 * calculated it; `skew_ms` is how far its own clock was behind (negative: ahead), absent if it was right. `clock_off_ms`: the clock
 * jumped before the next contact, by so much; `at` may be wrong by that, because nobody knows whether it was before or after the change.
 */
export const changeFields = {
  ...{ id: Id, version: z.literal(1), at: Instant, base_rev: z.optional(Count) },
  skew_ms: z.optional(ClockOffset),
  clock_off_ms: z.optional(ClockOffset),
};

/** The server's outcome of one change. `conflict` and `refused` changes are archived on the server. */
export const ChangeOutcome = z.object({
  id: Id,
  outcome: z.enum(['applied', 'late', 'conflict', 'refused']),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/** What a person can do about a conflict. The screen has a sentence for each (src/features/sync-centre). */
export const Resolution = z.enum(['keep_theirs', 'keep_mine', 'new_try', 'start_prerequisite', 'attach_evidence', 'ask_manager']);
export type Resolution = z.infer<typeof Resolution>;

/** What the answer to a list of changes has beside `data`. */
export const ChangesMeta = z.object({ outcomes: z.array(ChangeOutcome), server_time: z.string() });
export type ChangesMeta = z.infer<typeof ChangesMeta>;
