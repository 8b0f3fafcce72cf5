import { beyondScope } from '#server/db/scope.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';
import { countPlaces } from '#server/features/dashboards/figures.rows.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

/** Figures are reused for this long, where there are too many people to count during a request. */
const standsMs = 600_000;
const countedWhileWaiting = 250;
/** Figures are kept for this many days: those of thirteen weeks are shown. */
const keptDays = 100;
/** The key of the job that counts every organisation each night. */
const everywhere = 'one';

/**
 * Refreshes the figures of the organisations that the actor sees: of few people they are counted now, of many a job counts them if they are
 * older than ten minutes. Figures counted less than `within` ago are recent enough.
 */
export const freshen = async ({ db, now, jobs }: Pick<Services, 'db' | 'now' | 'jobs'>, actor: Actor, within: number): Promise<void> => {
  const justNow = new Date(now().getTime() - within);
  const oldest = new Date(now().getTime() - standsMs);
  const seen = await db.one<{ people: number; stale: boolean; old: boolean }>(sql`select
    (select count(*)::int from (select 1 from users u join entities e on e.id = u.primary_entity_id where ${visibleEntity(actor)} and u.disabled_at is null limit ${countedWhileWaiting + 1}) few) as people,
    exists (select 1 from entities e where ${visibleEntity(actor)} and not exists (select 1 from place_figures f where f.entity_id = e.id and f.counted_at > ${oldest})) as stale,
    exists (select 1 from entities e where ${visibleEntity(actor)} and not exists (select 1 from place_figures f where f.entity_id = e.id and f.counted_at >= ${justNow})) as old`);
  if (!seen) return;
  if (within > 0 && !seen.old) return;
  if (seen.people <= countedWhileWaiting) {
    const places = await db.all<{ id: string }>(sql`select e.id from entities e where ${visibleEntity(actor)} limit ${countedWhileWaiting}`);
    if (places.length < countedWhileWaiting) {
      const ids = places.map((p) => p.id);
      return beyondScope(() => countPlaces(db, now(), ids));
    }
  }
  if (!seen.stale) return;
  const which = actor.seesAll ? { key: everywhere } : { key: actor.place.id, subject: actor.place.name, entity: actor.place.id };
  await beyondScope(() => jobs.note(db, 'figures', { ...which, again: false }));
  jobs.wake();
};

/** Counts compliance: when somebody looks, and each night everywhere, so that every day has a figure. */
export const figuresJob = ({ db, now }: Pick<Services, 'db' | 'now'>): Job => ({
  title: (name) => (name ? `Counting the figures of ${name}` : 'Counting the figures of the dashboards'),
  unit: 'people',
  seenBy: [],
  schedule: '20 0 * * *',
  ...{ canCancel: false, limitMinutes: 180, tries: 3, atOnce: 1 },
  run: async ({ key, progress }) => {
    const at = now();
    const which = key === everywhere ? sql`true` : sql`e.id in (select b.below from entity_below b where b.above = ${key})`;
    const places = await db.all<{ id: string }>(sql`select e.id from entities e where ${which} and not exists (
      select 1 from place_figures f where f.entity_id = e.id and f.counted_at > ${new Date(at.getTime() - standsMs)}) order by e.id`);
    await countPlaces(
      db,
      at,
      places.map((p) => p.id),
      progress,
    );
    await db.run(sql`delete from place_figures where day < ${at}::timestamptz - make_interval(days => ${keptDays})`);
  },
});
