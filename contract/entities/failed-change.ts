import * as z from 'zod/mini';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** A change that a device has given up, because the server failed at it again and again: what the device says of it. */
export const GivenUp = z.object({
  id: Id,
  command: z.string().check(z.regex(/^[a-z0-9_]+\.[a-z0-9_]+$/), z.maxLength(60)),
  times: Count,
  since: Instant,
});
export type GivenUp = z.infer<typeof GivenUp>;

/** A change that the server fails at by its own fault. Not what it says, but enough to find it in the server's log. */
export const FailedChange = z.object({
  id: Id,
  user: Ref,
  command: z.string(),
  times: Count,
  first_at: Instant,
  last_at: Instant,
  /** When its device stopped trying, and which device that was. */
  given_up_at: z.nullable(Instant),
  device_id: z.nullable(z.string()),
  /** The last request in the log, and what went wrong where. Null where the server itself knows of no failure. */
  request_id: z.nullable(z.string()),
  error: z.nullable(z.string()),
});
export type FailedChange = z.infer<typeof FailedChange>;
