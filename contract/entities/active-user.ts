import * as z from 'zod/mini';
import { Slug, Count, Id, Instant, Name, Ref } from '#contract/entities/fields.ts';

/** Somebody who has used the product, or has never signed in. `seen_at`: when they last did; null for never. */
export const ActiveUser = z.object({
  ...{ id: Id, name: Name, email: z.string(), role: z.string(), place: z.object({ ...Ref.shape, slug: Slug }) },
  ...{ seen_at: z.nullable(Instant), has_password: z.boolean() },
});
export type ActiveUser = z.infer<typeof ActiveUser>;

/** The intervals of a chart of sign-ins: hours, days, weeks, months. Specification section 3: `h`. */
export const metricPeriods = ['h', 'd', 'w', 'm'] as const;
export type MetricPeriod = (typeof metricPeriods)[number];
/** The longest period for each interval, in days. */
export const longestMetrics: Record<MetricPeriod, number> = { h: 31, d: 400, w: 400, m: 400 };

/** Sign-ins of an organisation. Each person counts once per interval and once in total, however often they sign in. */
export const SignInMetrics = z.object({
  people: Count,
  sign_ins: Count,
  /** How many people there are, and how many of them have never signed in. */
  of: Count,
  never: Count,
  points: z.array(z.object({ at: Instant, people: Count, sign_ins: Count })),
});
export type SignInMetrics = z.infer<typeof SignInMetrics>;
