import { can } from '#contract/can.ts';
import { type Job, jobKinds } from '#contract/entities/job.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { instant, sql } from '#server/db/sql.ts';
import type { By } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const mostShown = 100;

type Row = Omit<Job, 'title' | 'unit' | 'can_cancel' | 'can_retry' | 'link'> & { key: string; subject: string; owner_id: string | null };

const columns = sql`j.id, j.kind, j.key, j.subject, j.state, j.done, j.total, j.problem, j.cancel_at is not null as stopping, j.owner_id,
    case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as started_by,
    case when n.id is not null then json_build_object('id', n.id, 'name', n.name) end as organisation,
    ${instant(sql`j.asked_at`)} as asked_at, ${instant(sql`j.started_at`)} as started_at, ${instant(sql`j.ended_at`)} as ended_at`;
const source = sql`jobs j left join person_names p on p.id = j.owner_id left join entity_names n on n.id = j.entity_id`;

/** Background jobs that people see: their own, and those of their organisations for which they have permission. */
export const jobsOf = ({ db, jobs }: Pick<Services, 'db' | 'jobs'>) => {
  const visible = (actor: Actor) => {
    if (actor.seesAll) return sql`true`;
    const kinds = jobKinds.filter((kind) => {
      const { seenBy } = jobs.definition(kind);
      return seenBy.length > 0 && can(actor.user, seenBy);
    });
    return sql`(j.owner_id = ${actor.user.uuid} or (j.kind = any(${kinds}::text[]) and exists (select 1 from entities e where e.id = j.entity_id and ${visibleEntity(actor)})))`;
  };
  const jobOf = ({ key, subject, owner_id: _owner, ...row }: Row): Job => {
    const { title, unit, canCancel, link } = jobs.definition(row.kind);
    const open = row.state === 'waiting' || row.state === 'running';
    return {
      ...{ ...row, title: title(subject), unit, link: link?.(key) ?? null },
      ...{ can_cancel: canCancel && open && !row.stopping, can_retry: row.state === 'failed' || row.state === 'stopped' },
    };
  };
  const found = async (actor: Actor, id: string): Promise<Row> =>
    existing(await db.one<Row>(sql`select ${columns} from ${source} where j.id = ${id} and ${visible(actor)}`));

  return {
    /** Jobs in progress first, then the most recently ended. */
    list: async (actor: Actor): Promise<Job[]> => {
      const rows = await db.all<Row>(sql`select ${columns} from ${source} where ${visible(actor)}
        order by j.ended_at is not null, case when j.ended_at is null then j.asked_at end, j.ended_at desc, j.id limit ${mostShown}`);
      return rows.map(jobOf);
    },
    cancel: async (actor: Actor, id: string): Promise<Job> => {
      const { kind, key } = await found(actor, id);
      if (!jobs.definition(kind).canCancel) throw new ProductError('forbidden');
      await jobs.cancel(kind, key);
      return jobOf(await found(actor, id));
    },
    /** Restarts a job that has failed or was stopped; any other stays as it is. */
    retry: async ({ actor, request }: By, id: string): Promise<Job> => {
      const { kind, key, subject, state, organisation, owner_id: owner } = await found(actor, id);
      if (state === 'failed' || state === 'stopped') {
        const again = jobs.definition(kind).onRetry;
        if (again) await again(key, { actor, address: request.ip });
        else await jobs.note(db, kind, { key, subject, entity: organisation?.id ?? null, owner });
        jobs.wake();
      }
      return jobOf(await found(actor, id));
    },
  };
};
