import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Day, Id, Ref } from '#contract/entities/fields.ts';
import { complianceColours, complianceStatuses } from '#contract/rules/compliance-status.ts';
import { forecastDays, forecastGroups } from '#contract/rules/forecast.ts';

/** Ours: a coming change of somebody's status in a course. `in_days`: 0 is today in their time zone. */
const ForecastTurn = z.object({
  to: z.enum(complianceColours),
  in_days: Count,
  on: Day,
  status: z.enum(complianceStatuses),
  reason: z.string(),
});

/** Ours: one person and one required course whose status changes, or whose requirement starts, within the forecast. */
export const ForecastLine = z.object({
  id: z.string(),
  user: Ref,
  place: z.string(),
  course: z.object({ id: Id, title: z.string() }),
  /** Their status now, and the reason. */
  colour: z.enum(complianceColours),
  reason: z.string(),
  turns: z.array(ForecastTurn),
  starts_on: z.nullable(Day),
  starts_in_days: z.nullable(Count),
  /** The next session of the course on which they have a place. */
  booked: z.nullable(z.object({ session_id: Id, on: Day, in_days: Count })),
});
export type ForecastLine = z.infer<typeof ForecastLine>;

/** `lines`: each person once per course. `people`: each person once. */
const ForecastCount = z.object({ lines: Count, people: Count });
const groups = Object.fromEntries([...forecastGroups, 'starters_due'].map((group) => [group, ForecastCount])) as Record<
  (typeof forecastGroups)[number] | 'starters_due',
  typeof ForecastCount
>;
export const ForecastFigure = z.object({ days: z.literal(forecastDays), ...groups });

/** A coming session of the course. `free`: how many places are left; null: no limit. `register`: whether the caller can see its register. */
export const ForecastSession = z.object({
  id: Id,
  on: Day,
  in_days: Count,
  venue: z.string(),
  delegates: Count,
  free: z.nullable(Count),
  register: z.boolean(),
});
export type ForecastSession = z.infer<typeof ForecastSession>;

/** Ours: who turns amber and red in the coming days, for a course, a job role or an organisation. `people`: how many were examined. */
export const Forecast = z.object({
  course: z.nullable(z.object({ id: Id, title: z.string() })),
  role: z.nullable(Ref),
  entity: z.nullable(EntityRef),
  people: Count,
  figures: z.array(ForecastFigure),
  /** Sessions of the course, those with a free place first; none unless a course was requested. */
  sessions: z.array(ForecastSession),
});
export type Forecast = z.infer<typeof Forecast>;
