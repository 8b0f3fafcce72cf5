import * as z from 'zod/mini';
import { Count, Id, Instant } from '#contract/entities/fields.ts';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import { reportFormats } from '#contract/reports/report.ts';
import { ReportFilter } from '#contract/reports/filter.ts';

/** A month as YYYY-MM. */
export const Month = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month, for example 2026-11.'));

/** Whose compliance is shown and for which courses, as in the matrix, and for how many months. */
export const ComplianceFilter = z.object({
  ...MatrixFilter.shape,
  previousMonths: ReportFilter.shape.previousMonths,
});
export type ComplianceFilter = z.output<typeof ComplianceFilter>;
/** The request. `entities` is required, even if empty. `month` (ours): the month for which each organisation's courses are shown; default: the latest. */
export const ComplianceQuestion = z.object({
  ...ComplianceFilter.shape,
  entities: MatrixFilter.shape.entities.def.innerType,
  month: z.optional(Month),
  directFormat: z.optional(z.enum(reportFormats)),
  emailFormat: z.optional(z.enum(reportFormats)),
});

/** The counts: each person once per required course. The five statuses add up to `asked`; `exempt` are some of those in date. */
export const complianceNumbers = ['asked', 'in_date', 'expiring', 'expired', 'missing', 'starter', 'exempt'] as const;
const Numbers = { asked: Count, in_date: Count, expiring: Count, expired: Count, missing: Count, starter: Count, exempt: Count };
export type ComplianceNumbers = Record<(typeof complianceNumbers)[number], number>;
const Score = z.nullable(z.int().check(z.gte(0), z.lte(100)));

/** The source of a month's numbers: counted now, stored when the month ended, or reconstructed afterwards from the training records. */
export const monthSources = ['now', 'kept', 'computed', 'unknown'] as const;
const ComplianceMonth = z.object({
  ...{ month: Month, source: z.enum(monthSources), counted_at: z.nullable(Instant) },
  /** How many of the organisations have numbers for that month. */
  entities: Count,
  ...Numbers,
  /** In whole per cent of what is due: `asked` without new starters who still have time. */
  score: Score,
});
export type ComplianceMonth = z.infer<typeof ComplianceMonth>;
/** For each month in the order of `months`: how much was due, and how much of that was in date. */
const Trend = { required: z.array(Count), in_date: z.array(Count) };

/** The compliance result of the specification. Its fields are ours. */
export const ComplianceReport = z.object({
  months: z.array(ComplianceMonth),
  courses: z.array(z.object({ id: Id, title: z.string(), ...Trend })),
  /** Organisations with people of their own. `course_…`: by course, in the order of `courses`, in the requested month. */
  entities: z.array(
    z.object({ id: Id, name: z.string(), slug: z.string(), ...Trend, course_required: z.array(Count), course_in_date: z.array(Count) }),
  ),
  /** Ours: the names of the chosen filter values. */
  chosen: z.object({
    ...{ entities: z.array(z.object({ id: Id, name: z.string() })), roles: z.array(z.object({ id: Id, name: z.string() })) },
    ...{ tags: z.array(z.object({ id: Id, name: z.string() })), users: z.array(z.object({ id: Id, name: z.string() })) },
    courses: z.array(z.object({ id: Id, name: z.string() })),
  }),
});
export type ComplianceReport = z.infer<typeof ComplianceReport>;

/** A line of a drill-down: an organisation with all below it, a tag, a job role or a person, now or at the end of a month. */
export const DrillDownLine = z.object({
  id: Id,
  name: z.string(),
  /** For an organisation: whether there are others below it. */
  has_children: z.optional(z.boolean()),
  /** For a person. */
  role: z.optional(z.nullable(z.string())),
  place: z.optional(z.string()),
  /** In a past month: not as counted then, but reconstructed from what is known today. */
  worked_out: z.optional(z.boolean()),
  ...Numbers,
  required: Count,
  score: Score,
});
export type DrillDownLine = z.infer<typeof DrillDownLine>;
