import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Day, Id, Instant, Percent, Ref } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';

/** Ours: what people on a manager's dashboard need. `soon`: they turn red within 30 days. */
export const peopleNeeds = ['overdue', 'soon', 'starters'] as const;
export type PeopleNeed = (typeof peopleNeeds)[number];

/** `people`: how many work there. `score`: how much of what is required is in date, in whole per cent; null where nothing is required. */
const counts = { people: Count, overdue: Count, required: Count, in_date: Count, score: z.nullable(Percent) };
/** People who turn red within 30, 60 and 90 days. */
const TurnRed = z.array(Count);

/** Who sees on a dashboard how much of what is required is in date in an organisation as a whole. */
export const seesCompliance = 'widget.entity_compliance' satisfies PermissionSlug;
/** The same without what only they see. */
const seen = { ...counts, required: z.nullable(Count), in_date: z.nullable(Count) };

/**
 * Ours: how the people of an organisation and below it stand, as it was counted. `counted_at`: the oldest of these counts; null before the first. What is
 * required and in date, and the score, are null for who may not see the compliance of the organisation (`seesCompliance`).
 */
export const Figures = z.object({
  ...{ entity: z.nullable(EntityRef), counted_at: z.nullable(Instant), ...seen, turn_red: TurnRed, starters: Count },
  /** As it was on this day of each of the last weeks, the oldest first; weeks in which nothing was counted are left out. */
  weeks: z.array(z.object({ on: Day, ...seen })),
});
export type Figures = z.infer<typeof Figures>;

/** Ours: how it stood at the end of a month that is over (decision 068). `computed`: worked out afterwards from the training records. */
export const MonthFigures = z.object({ month: Day, required: Count, in_date: Count, score: z.nullable(Percent), computed: z.boolean() });
export type MonthFigures = z.infer<typeof MonthFigures>;

/** Ours: an organisation beside its siblings, with all below it. `own`: the people who belong to the one above all of these itself. */
export const PlaceFigures = z.object({ id: Id, entity: EntityRef, own: z.boolean(), has_below: z.boolean(), ...counts, before: z.nullable(Percent) });
export type PlaceFigures = z.infer<typeof PlaceFigures>;

/** Ours: how people stand with one course. */
export const CourseFigures = z.object({
  ...{ id: Id, title: z.string(), required: Count, in_date: Count, overdue: Count, score: z.nullable(Percent), turn_red: TurnRed },
});
export type CourseFigures = z.infer<typeof CourseFigures>;

/** Ours: somebody who needs something, with the courses that it is about. */
export const NeedyPerson = z.object({
  ...{ id: Id, name: z.string(), role: z.string(), place: z.string(), started_on: Day, overdue: Count, soon: Count, starter: z.boolean() },
  courses: z.array(z.object({ id: Id, title: z.string(), status: z.enum(complianceStatuses), reason: z.string() })),
});
export type NeedyPerson = z.infer<typeof NeedyPerson>;

/** Ours: what waits for the caller. Null where they may not see it. `oldest`: since when work has waited on a device, by the device’s clock. */
export const Waiting = z.object({
  results: z.nullable(Count),
  certificates: z.nullable(Count),
  devices: z.nullable(z.object({ unsent: Count, oldest: z.nullable(Instant), people: z.array(Ref) })),
});
export type Waiting = z.infer<typeof Waiting>;

/** Ours: the widgets of a dashboard in order, each shown or hidden. What is unknown here is left out, so that another release may know more. */
export const ArrangedWidgets = z.array(z.object({ id: z.string().check(z.maxLength(60)), hidden: z.boolean() })).check(z.maxLength(100));

/** Ours: how the caller sees a dashboard: the widgets that they may see, arranged. */
export const DashboardLayout = z.object({
  widgets: ArrangedWidgets,
  /** Whose arrangement it is: the caller’s own, that of `organisation`, or nobody’s. */
  from: z.enum(['person', 'organisation', 'standard']),
  /** The nearest organisation with an arrangement, which applies to people who have none of their own. */
  organisation: z.nullable(Ref),
  /** Of the caller’s own arrangement, to be sent with the next; null where they have none. */
  rev: z.nullable(Id),
  /** The organisation for which the caller may arrange it, with the `rev` of its arrangement; null where they may not. */
  shared: z.nullable(z.object({ entity: EntityRef, rev: z.nullable(Id) })),
});
export type DashboardLayout = z.infer<typeof DashboardLayout>;
