import type { ReportFilter } from '#contract/reports/filter.ts';
import { type Statement, sql } from '#server/db/sql.ts';

/** Whether a day is within the period of a filter, relative to today in that time zone. */
export const dayInPeriod = (day: Statement, zone: Statement, { period, from_date: from, to_date: to }: ReportFilter, at: Date): Statement => {
  const today = sql`(${at}::timestamptz at time zone ${zone})::date`;
  if (from || to) return sql`(${day} >= coalesce(${from}::date, '-infinity') and ${day} <= coalesce(${to}::date, 'infinity'))`;
  if (period === 'all_time') return sql`true`;
  const first = { today, last_week: sql`${today} - 6`, last_month: sql`(${today} - interval '1 month')::date` }[period];
  return sql`(${day} >= ${first} and ${day} <= ${today})`;
};
