import { createHash, randomUUID } from 'node:crypto';
import { type ImportKind, importKinds } from '#contract/entities/import.ts';
import type { Role } from '#contract/entities/group.ts';
import { can } from '#contract/can.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { entitiesOf } from '#server/features/entities/entities.service.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { groupsOf } from '#server/features/groups/groups.service.ts';
import { createImporter } from '#server/features/importer/imports.service.ts';
import { addressInUse, answersLeft, noteAnswers, tooManyInUse } from '#server/features/users/addresses-in-use.service.ts';
import { bulkEventsOf } from '#server/features/users/bulk-events.service.ts';
import { welcomeMail } from '#server/features/users/welcome.service.ts';
import { peopleWriter } from '#server/features/users/people.service.ts';
import { ProductError } from '#server/product-error.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { type Job, JobEnds, type Running } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

type Values = Record<string, unknown>;
type Target = { id: string; entity: { id: string; slug: string } };
/** Carries out the plan for one row, inside a transaction. Returns what it changed, and whom to welcome. */
type Writer = (
  tx: Db,
  by: By,
  at: Target,
  subjectId: string | null,
  values: Values,
) => Promise<{ id: string; welcome?: { id: string; name: string; email: string } }>;

/** The services of the API do the work, so an import can do nothing that its importer could not do in the app. */
const writersOf = (services: Services): Record<ImportKind, Writer> => {
  const { now } = services;
  const people = peopleWriter(now);
  const entities = entitiesOf(services);
  const roles = groupsOf<Role>('role', services);
  const events = bulkEventsOf(services);
  const parentOf = async (tx: Db, actor: Actor, { parent_ref: ref, ...values }: Values): Promise<Values> => {
    if (ref === undefined) return values;
    const key = String(ref).toLowerCase();
    const found = await tx.all<{ id: string }>(
      sql`select e.id from entities e where (lower(e.slug) = ${key} or lower(e.code) = ${key} or lower(e.name) = ${key}) and ${visibleEntity(actor)} limit 2`,
    );
    if (found.length !== 1)
      throw new ProductError('invalid_input', { fields: { parent_id: [`“${String(ref)}” could not be added, so nothing can belong to it.`] } });
    return { ...values, parent_id: found[0]?.id };
  };
  return {
    people: async (tx, by, _at, id, values) => {
      if (id) return people.update(tx, by, id, values as never);
      const made = await people.create(tx, by, values as never);
      return { id: made.id, welcome: made };
    },
    organisations: async (tx, by, _at, id, values) => {
      const body = await parentOf(tx, by.actor, values);
      const made = await (id ? entities.update(tx, by, id, body) : entities.create(tx, by, body as never));
      // What was just added is visible to them, and theirs to extend.
      if (!by.actor.entityIds.includes(made.id)) by.actor = { ...by.actor, entityIds: [...by.actor.entityIds, made.id] };
      return made;
    },
    roles: (tx, by, at, id, values) =>
      id ? roles.update(tx, by, at.entity.slug, id, values) : roles.create(tx, by, at.entity.slug, values as never),
    courses: async (tx, by, at, id, values) => {
      const subjectId = id ?? randomUUID();
      const fields = values as { title: string; short_title: string; renewal_months: number | null; published: boolean };
      const before =
        id &&
        existing(
          await tx.one<typeof fields>(
            sql`select title, short_title, renewal_months, published from courses where id = ${id} and entity_id = ${at.entity.id}`,
          ),
        );
      const after = { ...(before ?? fields), ...fields };
      const { title, short_title, renewal_months, published } = after;
      if (id) await updateRows(tx, 'courses', { short_title, renewal_months, published }, sql`id = ${id}`);
      else await tx.run(insertRow('courses', { id: subjectId, title, short_title, renewal_months, published, entity_id: at.entity.id }));
      await noteChange(tx, by, now(), {
        ...{ entityId: at.entity.id, action: id ? 'updated' : 'created', subject: { kind: 'course', id: subjectId, name: String(after.title) } },
        ...(before ? { before } : {}),
        after,
      });
      return { id: subjectId };
    },
    training: async (tx, by, at, _id, values) => {
      const { user_id, part, ...event } = values as { user_id: string; part: number; course_id: string; completed_on: string; type: 'historical' };
      const id = eventId(at.id, event.course_id, event.completed_on, event.type, part);
      const body = { id, ...event, user_ids: [user_id], evidence_id: null, note: 'Imported' };
      const recorded = await events.record(tx, by, body, 'import');
      const problem = recorded.people.find((p) => p.id === user_id)?.problem;
      if (problem) throw new ProductError('invalid_input', { fields: { completed_on: [problem] } });
      return { id: user_id };
    },
  };
};

/** One event for each course, day and kind of an import, whichever slice of it runs first. */
const eventId = (...parts: readonly (string | number)[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
};

const chunk = 200;

const sentenceOf = (error: ProductError) => Object.values(error.fields ?? {}).flat()[0] ?? error.message;

/**
 * Runs imports in slices: each in one transaction with its outcome, so that after any interruption no row is done twice and none is lost. A
 * row that is refused after all is recorded and does not affect the others.
 */
export const importJob = (services: Services): Job => {
  const { db, now, sessions, log } = services;
  const writers = writersOf(services);
  const sendWelcome = welcomeMail(services);
  const importer = createImporter(services);
  const stopped = (id: string) => db.run(sql`update imports set state = 'stopped' where id = ${id} and state = 'running'`);

  type Work = {
    id: string;
    kind: ImportKind;
    actor_id: string;
    acting_as_id: string | null;
    address: string;
    options: { send_welcome_email: boolean };
    entity: { id: string; slug: string };
  };
  const actorFor = async (job: Work): Promise<Actor | null> => {
    const actor = await sessions.actorOf(job.actor_id, '', 'token');
    return actor && job.acting_as_id ? sessions.actingFor(actor, job.acting_as_id) : actor;
  };
  type Row = { no: number; action: string; subject_id: string | null; values: Values };
  /** The next rows; false if nothing is left to do, or it was stopped. */
  const part = async (job: Work, by: By): Promise<boolean> => {
    const more = await db.tx(async (tx) => {
      const going = await tx.one<{ state: string }>(sql`select state from imports where id = ${job.id} for update`);
      if (going?.state === 'stopped') throw new JobEnds('stopped');
      if (going?.state !== 'running') return false;
      const rows = await tx.all<Row>(
        sql`select no, action, subject_id, planned as values from import_rows where import_id = ${job.id} and done_at is null and action <> 'refused' order by place limit ${chunk}`,
      );
      const saved: Db = {
        ...tx,
        tx: async (work) => {
          await tx.run(sql`savepoint import_row`);
          try {
            const result = await work({ ...tx, tx: (inner) => inner(tx) });
            await tx.run(sql`release savepoint import_row`);
            return result;
          } catch (error) {
            await tx.run(sql`rollback to savepoint import_row`);
            throw error;
          }
        },
      };
      const done: { no: number; id: string | null; problem: string | null }[] = [];
      const mayLearn = job.kind === 'people' ? await answersLeft(tx, by.actor, 'import', now()) : Number.POSITIVE_INFINITY;
      let learnt = 0;
      for (const row of rows) {
        if (['same', 'skip'].includes(row.action)) {
          done.push({ no: row.no, id: row.subject_id, problem: null });
          continue;
        }
        if (learnt >= mayLearn && row.subject_id === null) {
          done.push({ no: row.no, id: null, problem: tooManyInUse });
          continue;
        }
        try {
          const id = await saved.tx(async (inner) => {
            const { id, welcome } = await writers[job.kind](inner, by, job, row.subject_id, row.values);
            if (welcome && job.options.send_welcome_email) await sendWelcome(welcome, inner);
            return id;
          });
          done.push({ no: row.no, id, problem: null });
        } catch (error) {
          if (!(error instanceof ProductError)) log.error({ err: error, import: job.id, row: row.no }, 'a row could not be imported');
          const problem = error instanceof ProductError ? sentenceOf(error) : 'Something went wrong with this row.';
          if (problem === addressInUse) learnt++;
          done.push({ no: row.no, id: null, problem });
        }
      }
      await noteAnswers(tx, by.actor, 'import', now(), learnt);
      await tx.run(sql`update import_rows r set done_at = case when d.problem is null then ${now()}::timestamptz end, subject_id = coalesce(d.id, r.subject_id),
          action = case when d.problem is null then r.action else 'refused' end,
          problems = case when d.problem is null then r.problems else jsonb_build_array(jsonb_build_object('column', null, 'problem', d.problem, 'remedy', 'Mend it and import this row again.')) end
        from unnest(${done.map((d) => d.no)}::int[], ${done.map((d) => d.id)}::uuid[], ${done.map((d) => d.problem)}::text[]) as d(no, id, problem)
        where r.import_id = ${job.id} and r.no = d.no`);
      const left = rows.length === chunk;
      if (!left) await tx.run(sql`update imports set state = 'done', ended_at = ${now()} where id = ${job.id}`);
      return left;
    });
    sessions.forgetAll();
    services.peopleTotals.forget();
    services.mail.wake();
    return more;
  };
  const run = async ({ key: id, progress }: Running): Promise<void> => {
    const job = await db.one<Work>(sql`select i.id, i.kind, i.options, coalesce(i.run_by, i.actor_id) as actor_id,
        case when i.run_by is null then i.acting_as_id else i.run_acting_as_id end as acting_as_id, coalesce(i.run_address, i.address) as address, json_build_object('id', e.id, 'slug', e.slug) as entity
      from imports i join entities e on e.id = i.entity_id where i.id = ${id}`);
    if (!job) return;
    for (let going = true; going; ) {
      const position = await db.one<{ done: number; total: number }>(
        sql`select count(*) filter (where done_at is not null or action = 'refused')::int as done, count(*)::int as total from import_rows where import_id = ${id}`,
      );
      await progress(position?.done ?? 0, position?.total);
      // Permissions are checked again before each slice.
      const actor = await actorFor(job);
      const { add, change } = importKinds[job.kind];
      if (!actor || !can(actor.user, add) || !can(actor.user, change)) {
        await stopped(id);
        throw new JobEnds('stopped', 'Who started it may no longer do this.');
      }
      going = await asActor(actor, (by) => part(job, { actor: by, request: { ip: job.address } }));
    }
  };
  return {
    title: (file) => `Import of ${file}`,
    unit: 'rows',
    seenBy: ['trainer.create', 'user.bulk_attempts'],
    ...{ canCancel: true, limitMinutes: 720, tries: 5, atOnce: 2 },
    link: (id) => `/importer/logs/${id}`,
    run,
    onStopped: async (id) => void (await stopped(id)),
    onRetry: async (id, by) => {
      const stored = existing(await importer.kept(id));
      importer.requireKind(by.actor, stored.kind);
      await importer.start(by, stored);
    },
  };
};
