import * as z from 'zod/mini';
import { Day, Id, Percent } from '#contract/entities/fields.ts';
import { resultTypes } from '#contract/entities/result.ts';

const most = 500;
const Ids = z._default(z.array(Id).check(z.maxLength(most, `Choose no more than ${most}.`)), []);
const flag = (plain: boolean) => z._default(z.boolean(), plain);

/** How a report treats people who are within their starter period. Source: the specification. */
export const starterFilters = ['include_new_starters', 'exclude_new_starters', 'new_starters_only'] as const;
/** Which requirements a report is about. `all` is ours. */
export const reportedTypes = ['primary', 'secondary', 'all'] as const;
/** How courses are chosen: individually, or as the steps of pathways. */
export const courseChoices = ['courses', 'pathways'] as const;
/** Job roles that are shown to inspectors. */
export const inspectableFilters = ['all', 'inspectable', 'not_inspectable'] as const;
/** The stage of somebody's care certificate; `either` excludes nobody. */
export const careCertificateFilters = ['either', 'in_progress', 'complete'] as const;
/** The period. `last_month` is the specification's default; `all_time` is ours. */
export const reportPeriods = ['last_month', 'last_week', 'today', 'all_time'] as const;
/** Which date of a result must be in the period. */
export const reportDates = ['completed', 'expires', 'recorded'] as const;
export const assessmentFilters = ['include_assessments', 'exclude_assessments', 'assessments_only'] as const;
/** Admin-only: entered in the office or imported, instead of earned by the person in a course or a session. Our interpretation. */
export const adminOnlyFilters = ['include_admin_only', 'exclude_admin_only', 'admin_only_only'] as const;
export const courseTypes = ['all', ...resultTypes] as const;
/** How many months before this one are shown by default, and at most. */
export const previousMonths = { usual: 12, most: 60 } as const;
/** The states of a row, with their labels: for a required course, and for a result. */
export const reportStatuses = {
  in_date: 'In date',
  expiring: 'Expiring',
  expired: 'Expired',
  starter: 'New starter',
  missing: 'Missing',
  replaced: 'Replaced',
  pending: 'Awaiting approval',
  rejected: 'Rejected',
} as const;
export type ReportStatus = keyof typeof reportStatuses;
/** The states for a required course. */
export const standingStates = ['in_date', 'expiring', 'expired', 'starter', 'missing'] as const satisfies readonly ReportStatus[];
/** Which certificates a report includes, with labels. Source: the four booleans of the specification's certificates filter. */
export const certificateStates = {
  includeApproved: 'Approved',
  includeAwaitingApproval: 'Awaiting approval',
  includeWorkingTowards: 'Working towards',
  includeOutstanding: 'Outstanding',
} as const;
export const reportStatusNames = Object.keys(reportStatuses) as ReportStatus[];

/**
 * The filter of all reports, with the fields of the specification's report preset, report selection and
 * certificates filter; a report uses those in `fields` of its definition. Absent fields have the specification's defaults.
 * Empty lists: everybody whom the caller may see, and every course that one of them is required to do.
 */
export const ReportFilter = z.strictObject({
  ...{ entities: Ids, roles: Ids, tags: Ids, users: Ids, courses: Ids, pathways: Ids },
  filter_by: z._default(z.enum(courseChoices), 'courses'),
  compliance_type: z._default(z.enum(reportedTypes), 'primary'),
  new_starters_filter: z._default(z.enum(starterFilters), 'include_new_starters'),
  inspectable: z._default(z.enum(inspectableFilters), 'all'),
  never_logged_in_only: flag(false),
  care_certificate_filter: z._default(z.enum(careCertificateFilters), 'either'),
  /** Empty: any. */
  includeStatusTypes: z._default(z.array(z.enum(reportStatusNames as [ReportStatus, ...ReportStatus[]])).check(z.maxLength(20)), []),
  course_type: z._default(z.enum(courseTypes), 'all'),
  /** The lowest score of a result. */
  grade: z._default(z.nullable(Percent), null),
  assessment_filter: z._default(z.enum(assessmentFilters), 'include_assessments'),
  admin_only_filter: z._default(z.enum(adminOnlyFilters), 'include_admin_only'),
  date_by: z._default(z.enum(reportDates), 'completed'),
  period: z._default(z.enum(reportPeriods), 'last_month'),
  /** First and last day; if either is given, `period` is ignored. */
  ...{ from_date: z._default(z.nullable(Day), null), to_date: z._default(z.nullable(Day), null) },
  previousMonths: z._default(z.int().check(z.gte(1), z.lte(previousMonths.most)), previousMonths.usual),
  /** The certificates of these courses. */
  certificates: Ids,
  ...{ includeApproved: flag(true), includeAwaitingApproval: flag(true), includeOutstanding: flag(true), includeWorkingTowards: flag(true) },
  // The specification's preset has other names for the same: `settled` converts them.
  ...{ includeStarters: z.optional(z.boolean()), primary_only: z.optional(z.boolean()), date_completion: z.optional(z.enum(reportDates)) },
});
export type ReportFilter = z.output<typeof ReportFilter>;
export type ReportField = keyof ReportFilter;

/** A filter without synonyms: `includeStarters` as `new_starters_filter`, `primary_only` as `compliance_type`, `date_completion` as `date_by`. */
export const settled = ({ includeStarters, primary_only, date_completion, ...filter }: ReportFilter): ReportFilter => ({
  ...filter,
  ...(includeStarters === false && { new_starters_filter: 'exclude_new_starters' as const }),
  ...(primary_only && { compliance_type: 'primary' as const }),
  ...(date_completion && { date_by: date_completion }),
});

/** The defaults of a report. */
export const plainFilter: ReportFilter = ReportFilter.parse({});

/** The lists of a filter whose values have names. */
export const filterLists = ['entities', 'roles', 'tags', 'users', 'courses', 'pathways', 'certificates'] as const;
export type FilterList = (typeof filterLists)[number];
/** The names of what a filter chose. */
export type FilterNames = Record<FilterList, { id: string; name: string }[]>;

/** The people and courses of a filter, common to all reports. */
export const peopleFields = [
  ...(['entities', 'roles', 'tags', 'users', 'new_starters_filter', 'inspectable'] as const),
  ...(['never_logged_in_only', 'care_certificate_filter'] as const),
] as const satisfies readonly ReportField[];
export const courseFields = ['courses', 'pathways', 'filter_by'] as const satisfies readonly ReportField[];
