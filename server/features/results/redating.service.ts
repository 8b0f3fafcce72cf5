import { randomUUID } from 'node:crypto';
import { insertRow } from '#server/db/rows.ts';
import { countOf } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { redateResults } from '#server/features/results/results.service.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

/** Up to this many results are redated at once; more in the background. */
const atOnce = 200;
/** People in one transaction. */
const part = 150;

/** Results of a course of the people of an organisation and those below it: of all, or of those with a job role. */
type Which = { course_id: string; role_id: string | null; entity_id: string };
type Redating = Which & { id: string; reason: string; asked_by: string; total: number; done: number; reached: string | null };

/**
 * Says itself whose results they are, so that few and many are the same ones, whatever scope they are read in: nobody redates the records of
 * another organisation's people, such as clients trained in a course of their provider.
 */
const whichOf = ({ course_id, role_id, entity_id }: Which): Statement =>
  sql`r.course_id = ${course_id} and r.user_id in (select p.id from users p join entity_below b on b.below = p.primary_entity_id where b.above = ${entity_id})
    and ${role_id === null ? sql`true` : sql`r.user_id in (select h.user_id from held_roles h where h.role_id = ${role_id})`}`;

/** How many results are dated by the rule. */
export const datedByRule = (on: Db, which: Which): Promise<number> =>
  on.beyond((whole) => countOf(whole, sql`current_results r where r.expiry = 'rule' and ${whichOf(which)}`));

type Asked = Which & { subject: string; reason: string; by: string };
/**
 * Redates results by the current rules: few at once, many in a job, which must be woken after the transaction. Both run without a scope, and
 * redate what `whichOf` says. Returns how many changed, and how many the job will redate.
 */
export const redate = async (
  tx: Db,
  { jobs, now }: Pick<Services, 'jobs' | 'now'>,
  { subject, reason, by, ...which }: Asked,
): Promise<{ changed: number; waiting: number }> => {
  const total = await datedByRule(tx, which);
  if (total <= atOnce) return { changed: await tx.beyond((whole) => redateResults(whole, whichOf(which), { by, reason }, now())), waiting: 0 };
  // A task that has failed for good and is no longer shown is not started again.
  await tx.run(
    sql`delete from redatings d where not exists (select 1 from jobs j where j.kind = 'redate' and j.key = d.id::text) and d.course_id = ${which.course_id}`,
  );
  const id = randomUUID();
  await tx.run(insertRow('redatings', { id, ...which, reason, asked_by: by, total }));
  await jobs.note(tx, 'redate', { key: id, subject, entity: which.entity_id, owner: by, total });
  return { changed: 0, waiting: total };
};

/** Person by person, so that finished people stay finished whenever the server stops, and others are not blocked. */
export const redateJob = ({ db, now }: Pick<Services, 'db' | 'now'>, atATime = part): Job => ({
  title: (subject) => `Recalculating result dates: ${subject}`,
  unit: 'results',
  seenBy: ['record.completed_courses'],
  ...{ canCancel: true, limitMinutes: 240, tries: 5, atOnce: 1 },
  run: async ({ key, progress }) => {
    for (;;) {
      const done = await db.tx(async (tx) => {
        const row = await tx.one<Redating>(sql`select * from redatings where id::text = ${key} for update`);
        if (!row) return null;
        const which = whichOf(row);
        const next = await tx.all<{ user_id: string; n: number }>(sql`select r.user_id, count(*)::int as n from current_results r
          where r.expiry = 'rule' and ${which} and ${row.reached === null ? sql`true` : sql`r.user_id > ${row.reached}`} group by r.user_id order by r.user_id limit ${atATime}`);
        const last = next.at(-1);
        if (!last) {
          await tx.run(sql`delete from redatings where id = ${row.id}`);
          return null;
        }
        const people = sql`r.user_id = any(${next.map((n) => n.user_id)}::uuid[])`;
        await redateResults(tx, sql`${people} and ${which}`, { by: row.asked_by, reason: row.reason }, now());
        const sum = Math.min(row.total, row.done + next.reduce((all, { n }) => all + n, 0));
        await tx.run(sql`update redatings set reached = ${last.user_id}, done = ${sum} where id = ${row.id}`);
        return { done: sum, total: row.total };
      });
      if (done === null) return;
      await progress(done.done, done.total);
    }
  },
});
