import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Day, Id, Ref } from '#contract/entities/fields.ts';
import { complianceColours, complianceStatuses } from '#contract/rules/compliance-status.ts';
import { forecastDays, forecastGroups } from '#contract/rules/forecast.ts';

/** Ours: from a day on somebody stands otherwise with a course. `in_days`: 0 is today, where they work. */
const ForecastTurn = z.object({
  to: z.enum(complianceColours),
  in_days: Count,
  on: Day,
  status: z.enum(complianceStatuses),
  reason: z.string(),
});

/** Ours: one person and one course that they are to do, whose status changes, or who starts, within the days that a forecast looks ahead. */
export const ForecastLine = z.object({
  id: z.string(),
  user: Ref,
  place: z.string(),
  course: z.object({ id: Id, title: z.string() }),
  /** How they stand now, and the reason. */
  colour: z.enum(complianceColours),
  reason: z.string(),
  turns: z.array(ForecastTurn),
  starts_on: z.nullable(Day),
  starts_in_days: z.nullable(Count),
  /** The next session of the course on whose list they are. */
  booked: z.nullable(z.object({ session_id: Id, on: Day, in_days: Count })),
});
export type ForecastLine = z.infer<typeof ForecastLine>;

/** `lines`: each person once a course. `people`: each person once. */
const ForecastCount = z.object({ lines: Count, people: Count });
const groups = Object.fromEntries([...forecastGroups, 'starters_due'].map((group) => [group, ForecastCount])) as Record<
  (typeof forecastGroups)[number] | 'starters_due',
  typeof ForecastCount
>;
export const ForecastFigure = z.object({ days: z.literal(forecastDays), ...groups });

/** A session to come of the course. `free`: how many places are left; null: it has no limit. `register`: whether the caller sees its register. */
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

/** Ours: who turns amber and red in the days ahead, of a course, a job role or an organisation. `people`: how many were looked at. */
export const Forecast = z.object({
  course: z.nullable(z.object({ id: Id, title: z.string() })),
  role: z.nullable(Ref),
  entity: z.nullable(EntityRef),
  people: Count,
  figures: z.array(ForecastFigure),
  /** Of the course, those with a place left first; none where no course was asked for. */
  sessions: z.array(ForecastSession),
});
export type Forecast = z.infer<typeof Forecast>;
