import * as z from 'zod/mini';
import { Instant } from '#contract/entities/fields.ts';

/** A person's own training as a calendar to subscribe to. Ours. */
export const CalendarFeed = z.object({
  /** Since when its address has existed; null if there is none. */
  made_at: z.nullable(Instant),
  last_read_at: z.nullable(Instant),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;
/** The address is returned only once: the server stores only its hash. */
export const NewCalendarFeed = z.object({ ...CalendarFeed.shape, address: z.string() });

/** How often one address can be read in an hour. */
export const feedReadsAnHour = 60;
