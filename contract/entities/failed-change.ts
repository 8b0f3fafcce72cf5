import * as z from 'zod/mini';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** A device's report of a change that it has stopped sending, because the server repeatedly failed on it. */
export const GivenUp = z.object({
  id: Id,
  command: z.string().check(z.regex(/^[a-z0-9_]+\.[a-z0-9_]+$/), z.maxLength(60)),
  times: Count,
  since: Instant,
});
export type GivenUp = z.infer<typeof GivenUp>;

/** A change on which the server fails through its own fault. Without its content, but with enough to find it in the server's log. */
export const FailedChange = z.object({
  id: Id,
  user: Ref,
  command: z.string(),
  times: Count,
  first_at: Instant,
  last_at: Instant,
  /** When its device stopped trying, and which device. */
  given_up_at: z.nullable(Instant),
  device_id: z.nullable(z.string()),
  /** The last request in the log, with the error and its location. Null if the server has recorded no failure. */
  request_id: z.nullable(z.string()),
  error: z.nullable(z.string()),
});
export type FailedChange = z.infer<typeof FailedChange>;
