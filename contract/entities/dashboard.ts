import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Day, Id, Instant, Percent, Ref } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';

/** Ours: people on a manager's dashboard who need something. `soon`: they turn red within 30 days. */
export const peopleNeeds = ['overdue', 'soon', 'starters'] as const;
export type PeopleNeed = (typeof peopleNeeds)[number];
/** By what lists of people are narrowed; `none`: nothing is overdue, turns red within 30 days, or waits for a new starter. */
export const peopleStandings = [...peopleNeeds, 'none'] as const;
export type PeopleStanding = (typeof peopleStandings)[number];

/** `people`: how many work there. `score`: how much of what is required is in date, in whole per cent; null if nothing is required. */
const counts = { people: Count, overdue: Count, required: Count, in_date: Count, score: z.nullable(Percent) };
/** People who turn red within 30, 60 and 90 days. */
const TurnRed = z.array(Count);

/** Permissions to see on a dashboard the compliance score of an organisation as a whole. */
export const seesCompliance = 'widget.entity_compliance' satisfies PermissionSlug;
/** The same without what needs those permissions. */
const seen = { ...counts, required: z.nullable(Count), in_date: z.nullable(Count) };

/**
 * Ours: precomputed compliance of an organisation with all below it. `counted_at`: the oldest of the counts; null before the first. What is
 * required and in date, and the score, are null for callers who may not see the organisation's compliance (`seesCompliance`).
 */
export const Figures = z.object({
  ...{ entity: z.nullable(EntityRef), counted_at: z.nullable(Instant), ...seen, turn_red: TurnRed, starters: Count },
  /** The same on this weekday of each of the last weeks, oldest first; weeks without counts are left out. */
  weeks: z.array(z.object({ on: Day, ...seen })),
});
export type Figures = z.infer<typeof Figures>;

/** Ours: the state at the end of a past month (decision 068). `computed`: reconstructed from the training records. */
export const MonthFigures = z.object({ month: Day, required: Count, in_date: Count, score: z.nullable(Percent), computed: z.boolean() });
export type MonthFigures = z.infer<typeof MonthFigures>;

/** Ours: an organisation and its siblings, each with all below it. `own`: people who belong directly to their parent organisation. */
export const PlaceFigures = z.object({ id: Id, entity: EntityRef, own: z.boolean(), has_below: z.boolean(), ...counts, before: z.nullable(Percent) });
export type PlaceFigures = z.infer<typeof PlaceFigures>;

/** Ours: the compliance of people in one course. */
export const CourseFigures = z.object({
  ...{ id: Id, title: z.string(), required: Count, in_date: Count, overdue: Count, score: z.nullable(Percent), turn_red: TurnRed },
});
export type CourseFigures = z.infer<typeof CourseFigures>;

/** Ours: somebody who needs something, with the courses concerned. */
export const NeedyPerson = z.object({
  ...{ id: Id, name: z.string(), role: z.string(), place: z.string(), started_on: Day, overdue: Count, soon: Count, starter: z.boolean() },
  courses: z.array(z.object({ id: Id, title: z.string(), status: z.enum(complianceStatuses), reason: z.string() })),
});
export type NeedyPerson = z.infer<typeof NeedyPerson>;

/** Ours: what waits for the caller. Null if they may not see it. `oldest`: since when work has waited on a device, by the device’s clock. */
export const Waiting = z.object({
  results: z.nullable(Count),
  certificates: z.nullable(Count),
  devices: z.nullable(z.object({ unsent: Count, oldest: z.nullable(Instant), people: z.array(Ref) })),
});
export type Waiting = z.infer<typeof Waiting>;

/** Ours: the widgets of a dashboard in order, each shown or hidden. Unknown ids are ignored, so that another release may know more. */
export const ArrangedWidgets = z.array(z.object({ id: z.string().check(z.maxLength(60)), hidden: z.boolean() })).check(z.maxLength(100));

/** Ours: a dashboard as the caller sees it: the widgets that they may see, in their arrangement. */
export const DashboardLayout = z.object({
  widgets: ArrangedWidgets,
  /** Whose arrangement it is: the caller’s own, that of `organisation`, or the default. */
  from: z.enum(['person', 'organisation', 'standard']),
  /** The nearest organisation with an arrangement, which applies to people who have none of their own. */
  organisation: z.nullable(Ref),
  /** The version of the caller’s own arrangement, to be sent with the next change; null if they have none. */
  rev: z.nullable(Id),
  /** The organisation for which the caller may arrange it, with the `rev` of its arrangement; null if they may not. */
  shared: z.nullable(z.object({ entity: EntityRef, rev: z.nullable(Id) })),
});
export type DashboardLayout = z.infer<typeof DashboardLayout>;
