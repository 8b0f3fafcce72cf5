import { percentOf } from '#contract/rules/percent.ts';
import type { EntityScore, scoreKinds } from '#contract/entities/entity.ts';
import { entityAndBelow } from '#server/db/seen.ts';
import { instant, sql } from '#server/db/sql.ts';
import { requiredOfEach } from '#server/features/compliance/required-of-each.rows.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

type Kind = (typeof scoreKinds)[number];
/** Scores are reused for this long. */
const standsMs = 600_000;
/** People per slice, so that counting many thousand blocks nobody for long. */
const part = 250;
const notReady: EntityScore = { ready: false, score: null, required: 0, in_date: 0, people: 0, counted_at: null };

/** The score of an organisation if it was counted recently; else one that is not ready, and a job counts it. */
export const scoreOf = async (
  { db, now, jobs }: Pick<Services, 'db' | 'now' | 'jobs'>,
  entity: { id: string; name: string },
  kind: Kind,
): Promise<EntityScore> => {
  const oldest = new Date(now().getTime() - standsMs);
  const cached = await db.one<Omit<EntityScore, 'ready' | 'score'>>(
    sql`select required, in_date, people, ${instant(sql`counted_at`)} as counted_at from entity_scores where entity_id = ${entity.id} and kind = ${kind} and counted_at > ${oldest}`,
  );
  if (cached) return { ready: true, score: percentOf(cached.in_date, cached.required), ...cached };
  await jobs.note(db, 'score', { key: entity.id, subject: entity.name, entity: entity.id, again: false });
  jobs.wake();
  return notReady;
};

/** Counts by the shared compliance rule, without what a new starter still has time for. */
export const scoreJob = ({ db, now }: Pick<Services, 'db' | 'now'>): Job => ({
  title: (name) => `Counting the compliance score of ${name}`,
  unit: 'people',
  seenBy: [],
  ...{ canCancel: false, limitMinutes: 60, tries: 3, atOnce: 2 },
  run: async ({ key: entityId, progress }) => {
    const people = (
      await db.all<{ id: string }>(
        sql`select u.id from users u where u.disabled_at is null and u.primary_entity_id in (${entityAndBelow(sql`e.id = ${entityId}`)}) order by u.id`,
      )
    ).map((p) => p.id);
    const sums = { primary: { required: 0, in_date: 0 }, secondary: { required: 0, in_date: 0 } };
    for (let at = 0; at < people.length; at += part) {
      for (const { type, status } of [...(await requiredOfEach(db, people.slice(at, at + part), now())).values()].flat()) {
        if (type === null || status === 'starter') continue;
        sums[type].required++;
        if (status === 'in_date' || status === 'expiring') sums[type].in_date++;
      }
      await progress(Math.min(at + part, people.length), people.length);
    }
    for (const kind of ['primary', 'secondary'] as const)
      await db.run(sql`insert into entity_scores (entity_id, kind, required, in_date, people, counted_at)
        values (${entityId}, ${kind}, ${sums[kind].required}, ${sums[kind].in_date}, ${people.length}, ${now()})
        on conflict (entity_id, kind) do update set required = excluded.required, in_date = excluded.in_date, people = excluded.people, counted_at = excluded.counted_at`);
  },
});
