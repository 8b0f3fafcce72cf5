import { previousMonths } from '#contract/reports/filter.ts';
import { addMonthsToDay, dayIn, startOfDay } from '#contract/rules/days.ts';
import { beyondScope } from '#server/db/scope.ts';
import { entityAndBelow } from '#server/db/seen.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { type MonthToWrite, writeMonths } from '#server/features/compliance-report/counts.rows.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

/** The key of the job that writes past months; any other key is an organisation, or `all`, whose current figures are counted. */
const monthsKey = 'one';
const allKey = 'all';
/** Current figures are reused for this long, where counting takes longer than a request. */
export const standsMs = 600_000;
/** People counted at once, in one transaction. */
const peopleAtOnce = 2000;
/** A month stored within this many days of its end counts as recorded then; later it is marked as computed. */
const keptDays = 3;
const dayMs = 86_400_000;

/** The month (its first day) of an instant, in a time zone. */
export const monthIn = (at: Date, zone: string): string => `${dayIn(at, zone).slice(0, 7)}-01`;
/** The months before another, latest first. */
export const monthsBefore = (month: string, n: number): string[] => Array.from({ length: n }, (_, i) => addMonthsToDay(month, -1 - i));
/** The last second of a month. */
export const endOf = (month: string, zone: string): Date => new Date(Date.parse(startOfDay(addMonthsToDay(month, 1), zone)) - 1000);

type Place = { id: string; zone: string; people: number; created_at: string };

/** Stores compliance figures of organisations: of past months, and current ones. */
export const monthsOf = ({ db, now, jobs }: Pick<Services, 'db' | 'now' | 'jobs'>) => {
  /** Organisations of a condition (on `entities e`), in slices of limited numbers of people. */
  const partsOf = async (which: Statement): Promise<Place[][]> => {
    const places = await db.all<Place>(sql`select e.id, e.time_zone as zone, e.created_at, coalesce(n.people, 0)::int as people from entities e
      left join (select primary_entity_id, count(*) as people from users group by primary_entity_id) n on n.primary_entity_id = e.id where ${which} order by e.id`);
    const parts: Place[][] = [];
    let people = 0;
    for (const place of places) {
      const last = parts.at(-1);
      if (last && people + place.people <= peopleAtOnce && last.length < 500) last.push(place);
      else {
        parts.push([place]);
        people = 0;
      }
      people += place.people;
    }
    return parts;
  };

  /** Counts the current figures of organisations. */
  const countNow = async (which: Statement, progress: (people: number) => Promise<void> = async () => undefined): Promise<void> => {
    let done = 0;
    for (const places of await partsOf(which)) {
      const at = now();
      const before = done;
      const months = places.map((p): MonthToWrite => ({ entity_id: p.id, month: monthIn(at, p.zone), final: false, computed: false }));
      await writeMonths(db, months, at, at, (people) => progress(before + people));
      done += places.reduce((sum, p) => sum + p.people, 0);
    }
  };

  /** Writes the past months that are missing. */
  const writeOver = async (progress: (done: number) => Promise<void>): Promise<void> => {
    let done = 0;
    const at = now();
    for (const places of await partsOf(sql`true`)) {
      const known = new Set(
        (
          await db.all<{ key: string }>(
            sql`select entity_id || ' ' || month as key from compliance_months where final and entity_id = any(${places.map((p) => p.id)}::uuid[])`,
          )
        ).map((m) => m.key),
      );
      const missing = places.flatMap((place) =>
        monthsBefore(monthIn(at, place.zone), previousMonths.usual).flatMap((month) => (known.has(`${place.id} ${month}`) ? [] : [{ place, month }])),
      );
      for (const some of Map.groupBy(missing, ({ place, month }) => `${month} ${place.zone}`).values()) {
        const [first] = some;
        if (!first) continue;
        const end = endOf(first.month, first.place.zone);
        const isLate = at.getTime() - end.getTime() > keptDays * dayMs;
        const months = some.map(({ place, month }): MonthToWrite => {
          const computed = isLate || Date.parse(place.created_at) > end.getTime();
          return { entity_id: place.id, month, final: true, computed };
        });
        const before = done;
        await writeMonths(db, months, end, at, (people) => progress(before + people));
        done += some.reduce((sum, { place }) => sum + place.people, 0);
        await progress(done);
      }
    }
  };

  return {
    countNow,
    /** Requests the job that writes past months, or that counts the current figures of organisations: of `place` and all below it, or of all. */
    ask: async (what: 'months' | { place: { id: string; name: string } | null }): Promise<void> => {
      const key = what === 'months' ? monthsKey : (what.place?.id ?? allKey);
      const place = what === 'months' ? null : what.place;
      await beyondScope(() => jobs.note(db, 'compliance', { key, subject: place?.name ?? '', entity: place?.id ?? null, again: false }));
      jobs.wake();
    },
    job: {
      title: (subject: string) => `Counting the compliance report${subject ? ` of ${subject}` : ''}`,
      unit: 'people',
      seenBy: [],
      schedule: '7 * * * *',
      ...{ canCancel: false, limitMinutes: 240, tries: 5, atOnce: 2 },
      run: async ({ key, progress }) => {
        if (key === monthsKey) return writeOver(progress);
        const which = key === allKey ? sql`true` : sql`e.id in (${entityAndBelow(sql`e.id = ${key}`)})`;
        await countNow(
          sql`${which} and not exists (select 1 from compliance_months m where m.entity_id = e.id and not m.final and m.counted_at > ${new Date(now().getTime() - standsMs)})`,
          progress,
        );
      },
    } satisfies Job as Job,
  };
};
