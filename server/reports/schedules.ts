import { nextRun, type Rhythm } from '#contract/rules/next-run.ts';
import type { ReportFormat } from '#contract/reports/report.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import type { Job } from '#server/jobs/job.ts';
import { noteDelivery } from '#server/reports/deliveries.ts';
import { scheduleStops } from '#server/reports/schedule-stops.ts';
import type { Services } from '#server/services.ts';

export type ScheduleRow = Rhythm & {
  id: string;
  owner_id: string;
  entity_id: string;
  name: string;
  report: string;
  filter: Record<string, unknown>;
  format: ReportFormat;
  as_link: boolean;
  link_days: number;
  next_at: string;
  zone: string;
};
/** The columns of a schedule (`report_schedules s`, `entity_names n`) needed for its sendings. */
export const scheduleColumns: Statement = sql`s.id, s.owner_id, s.entity_id, s.name, s.report, s.filter, s.format, s.as_link, s.link_days, s.frequency, s.weekday, s.month_day, s.send_at, s.next_at, n.time_zone as zone`;

/** A sending of a schedule, due at this time. */
export const deliveryOf = (row: ScheduleRow, dueAt: Date) => ({
  ...{ schedule: row.id, owner: row.owner_id, entity: row.entity_id, title: row.name, report: row.report, dueAt },
  ...{ question: { format: row.format, filter: row.filter, search: '' }, asLink: row.as_link, linkDays: row.link_days },
});

/**
 * Every minute: records the sendings that are due, each once, and when the next is due. Sendings missed while no server ran are made up for
 * by one. Schedules of leavers are stopped.
 */
export const schedulesJob = (services: Services): Job => {
  const { db, now, jobs, mail } = services;
  const { stop } = scheduleStops(services);
  return {
    title: () => 'Looking for reports that are due',
    unit: 'reports',
    seenBy: [],
    schedule: '* * * * *',
    ...{ canCancel: false, limitMinutes: 10, tries: 3, atOnce: 1 },
    run: async ({ progress }) => {
      const left = await db.all<{ id: string }>(
        sql`select s.id from report_schedules s join users u on u.id = s.owner_id where s.stopped_why is null and u.disabled_at is not null`,
      );
      for (const { id } of left) await db.tx((tx) => stop(tx, id, 'Its owner has left.'));
      if (left.length > 0) mail.wake();
      for (let found = 1; ; found++) {
        const one = await db.tx(async (tx) => {
          const row = await tx.one<ScheduleRow>(sql`select ${scheduleColumns} from report_schedules s join entity_names n on n.id = s.entity_id
            where not s.paused and s.stopped_why is null and s.next_at <= ${now()} order by s.next_at limit 1 for update of s skip locked`);
          if (!row) return false;
          await noteDelivery(tx, jobs, deliveryOf(row, new Date(row.next_at)));
          await tx.run(sql`update report_schedules set next_at = ${nextRun(row, now(), row.zone)} where id = ${row.id}`);
          return true;
        });
        if (!one) break;
        jobs.wake();
        await progress(found);
      }
    },
  };
};
