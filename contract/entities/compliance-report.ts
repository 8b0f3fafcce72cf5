import * as z from 'zod/mini';
import { Count, Id, Instant } from '#contract/entities/fields.ts';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import { reportFormats } from '#contract/reports/report.ts';
import { ReportFilter } from '#contract/reports/filter.ts';

/** A month as YYYY-MM. */
export const Month = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month, for example 2026-11.'));

/** Whose compliance is shown and for which courses, as in the matrix, and of how many months. */
export const ComplianceFilter = z.object({
  ...MatrixFilter.shape,
  previousMonths: ReportFilter.shape.previousMonths,
});
export type ComplianceFilter = z.output<typeof ComplianceFilter>;
/** What is asked for: `entities` has to be said, if only as an empty list. `month`, ours: of which month the courses of each organisation are shown; the latest, where it is not said. */
export const ComplianceQuestion = z.object({
  ...ComplianceFilter.shape,
  entities: MatrixFilter.shape.entities.def.innerType,
  month: z.optional(Month),
  directFormat: z.optional(z.enum(reportFormats)),
  emailFormat: z.optional(z.enum(reportFormats)),
});

/** What is counted: each person once a course that is required of them. The five statuses add up to `asked`; `exempt` are some of those in date. */
export const complianceNumbers = ['asked', 'in_date', 'expiring', 'expired', 'missing', 'starter', 'exempt'] as const;
const Numbers = { asked: Count, in_date: Count, expiring: Count, expired: Count, missing: Count, starter: Count, exempt: Count };
export type ComplianceNumbers = Record<(typeof complianceNumbers)[number], number>;
const Score = z.nullable(z.int().check(z.gte(0), z.lte(100)));

/** Where the numbers of a month come from: counted now, written when the month ended, or counted afterwards from the training records. */
export const monthSources = ['now', 'kept', 'computed', 'unknown'] as const;
const ComplianceMonth = z.object({
  ...{ month: Month, source: z.enum(monthSources), counted_at: z.nullable(Instant) },
  /** How many of the organisations have numbers for that month. */
  entities: Count,
  ...Numbers,
  /** In whole per cent of what is due: of `asked` without those new starters who still have time. */
  score: Score,
});
export type ComplianceMonth = z.infer<typeof ComplianceMonth>;
/** Of each month in the order of `months`: how much was due, and how much of that was in date. */
const Trend = { required: z.array(Count), in_date: z.array(Count) };

/** The compliance result of the specification. What it holds is ours. */
export const ComplianceReport = z.object({
  months: z.array(ComplianceMonth),
  courses: z.array(z.object({ id: Id, title: z.string(), ...Trend })),
  /** Organisations with people of their own. `course_…`: by course, in the order of `courses`, in the month that was asked for. */
  entities: z.array(
    z.object({ id: Id, name: z.string(), slug: z.string(), ...Trend, course_required: z.array(Count), course_in_date: z.array(Count) }),
  ),
  /** Ours: the names of what was chosen. */
  chosen: z.object({
    ...{ entities: z.array(z.object({ id: Id, name: z.string() })), roles: z.array(z.object({ id: Id, name: z.string() })) },
    ...{ tags: z.array(z.object({ id: Id, name: z.string() })), users: z.array(z.object({ id: Id, name: z.string() })) },
    courses: z.array(z.object({ id: Id, name: z.string() })),
  }),
});
export type ComplianceReport = z.infer<typeof ComplianceReport>;

/** A line of a drill-down: an organisation with all below it, a tag, a job role or a person, as they stand now or stood at the end of a month. */
export const DrillDownLine = z.object({
  id: Id,
  name: z.string(),
  /** Of an organisation: whether there are others below it. */
  has_children: z.optional(z.boolean()),
  /** Of a person. */
  role: z.optional(z.nullable(z.string())),
  place: z.optional(z.string()),
  /** In a month that is over: not as it was counted, but worked out from what is known today. */
  worked_out: z.optional(z.boolean()),
  ...Numbers,
  required: Count,
  score: Score,
});
export type DrillDownLine = z.infer<typeof DrillDownLine>;
