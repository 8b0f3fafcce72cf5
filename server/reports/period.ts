import type { ReportFilter } from '#contract/reports/filter.ts';
import { type Statement, sql } from '#server/db/sql.ts';

/** The first and the last day of a filter's period, relative to today in that time zone. */
const daysOf = (zone: Statement, { period, from_date: from, to_date: to }: ReportFilter, at: Date): [Statement, Statement] => {
  if (from || to) return [sql`coalesce(${from}::date, '-infinity')`, sql`coalesce(${to}::date, 'infinity')`];
  if (period === 'all_time') return [sql`'-infinity'::date`, sql`'infinity'::date`];
  const today = sql`(${at}::timestamptz at time zone ${zone})::date`;
  return [{ today, last_week: sql`${today} - 6`, last_month: sql`(${today} - interval '1 month')::date` }[period], today];
};

/** Whether a day is within the period of a filter, relative to today in that time zone. */
export const dayInPeriod = (day: Statement, zone: Statement, filter: ReportFilter, at: Date): Statement => {
  const [first, last] = daysOf(zone, filter, at);
  return sql`(${day} >= ${first} and ${day} <= ${last})`;
};

/** When a filter's period begins and ends in that time zone. For `momentInPeriod`, which needs them for each zone and not for each moment. */
export const boundsOf = (zone: Statement, filter: ReportFilter, at: Date): { begins: Statement; ends: Statement } => {
  const [first, last] = daysOf(zone, filter, at);
  return { begins: sql`((${first})::timestamp at time zone ${zone})`, ends: sql`((${last} + 1)::timestamp at time zone ${zone})` };
};

/**
 * The same as `dayInPeriod` for the day of a moment, without computing it for every moment: only near the bounds, where clocks may change at
 * midnight.
 */
export const momentInPeriod = (
  moment: Statement,
  { begins, ends, zone }: Record<'begins' | 'ends' | 'zone', Statement>,
  filter: ReportFilter,
  at: Date,
) =>
  sql`(${moment} >= ${begins} - interval '2 hours' and ${moment} < ${ends} + interval '2 hours'
    and ((${moment} >= ${begins} + interval '2 hours' and ${moment} < ${ends} - interval '2 hours')
      or ${dayInPeriod(sql`(${moment} at time zone ${zone})::date`, zone, filter, at)}))`;
