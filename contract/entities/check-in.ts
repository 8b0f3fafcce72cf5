import * as z from 'zod/mini';
import { ClockOffset, Id, Instant } from '#contract/entities/fields.ts';

export const CheckInCode = z.string().check(z.trim(), z.regex(/^\d{8}$/, 'Enter the eight digits of the code.'));

/** When somebody checked in to a session; `late` if the server received it only afterwards. */
export const CheckedIn = z.object({ at: Instant, late: z.boolean(), clock_off_ms: z.optional(z.nullable(ClockOffset)) });
/** A person's own check-in to a session. Ours. */
export const OwnCheckIn = z.object({ session_id: Id, ...CheckedIn.shape, received_at: Instant });
export type OwnCheckIn = z.infer<typeof OwnCheckIn>;

/** The key from which check-in codes are computed, for those who take the register; codes are valid from `opens_at` to `closes_at`. Ours. */
export const CheckInKey = z.object({ session_id: Id, key: z.string(), opens_at: Instant, closes_at: Instant });
export type CheckInKey = z.infer<typeof CheckInKey>;
