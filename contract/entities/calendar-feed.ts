import * as z from 'zod/mini';
import { Instant } from '#contract/entities/fields.ts';

/** A person's own training as a calendar to subscribe to. Ours. */
export const CalendarFeed = z.object({
  /** Since when it has its address; null where it has none. */
  made_at: z.nullable(Instant),
  last_read_at: z.nullable(Instant),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;
/** The address is known at this moment only: afterwards the server has no more than a hash of it. */
export const NewCalendarFeed = z.object({ ...CalendarFeed.shape, address: z.string() });

/** How often one address can be read in an hour. */
export const feedReadsAnHour = 60;
