import type { listBulkEvents, recordBulkEvent } from '#contract/api/bulk-events.ts';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import { type BulkEvent, type BulkPerson, bulkLimits } from '#contract/entities/bulk-event.ts';
import { dayIn } from '#contract/rules/days.ts';
import { contains, existing, orderBy, pageOf, reference } from '#server/db/rows.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { hasCourseHere, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { changeResults, recordResults } from '#server/features/results/results.service.ts';
import { evidenceFile, evidenceIsAskedBy } from '#server/features/users/evidence.service.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

const source = sql`bulk_events b join entities e on e.id = b.entity_id join course_titles k on k.id = b.course_id join person_names a on a.id = b.actor_id`;
const columns = sql`b.id, json_build_object('id', k.id, 'title', k.title) as course, b.type, b.completed_on, b.note, ${reference('evidence', sql`b.evidence_id`)} as evidence, json_build_object('id', a.id, 'name', a.name) as actor,
  (select count(*)::int from bulk_event_people p where p.bulk_id = b.id and p.problem is null) as recorded,
  (select count(*)::int from bulk_event_people p where p.bulk_id = b.id and p.problem is not null) as refused,
  ${instant(sql`b.created_at`)} as created_at, ${instant(sql`b.undone_at`)} as undone_at`;

/** One completed event for many people: recorded, shown, undone. `tx` is a transaction. */
export const bulkEventsOf = ({ db, files, now }: Pick<Services, 'db' | 'files' | 'now'>) => {
  const found = async (on: Db, actor: Actor, id: string): Promise<BulkEvent> =>
    existing(await on.one<BulkEvent>(sql`select ${columns} from ${source} where b.id = ${id} and ${visibleEntity(actor)}`));
  const people = (on: Db, actor: Actor, id: string): Promise<BulkPerson[]> =>
    on.all<BulkPerson>(sql`select u.id, u.name, p.problem from bulk_event_people p join users u on u.id = p.user_id
      where p.bulk_id = ${id} and ${visiblePerson(actor)} order by p.problem is null, u.name, u.id`);
  const whole = async (on: Db, actor: Actor, id: string) => ({ event: await found(on, actor, id), people: await people(on, actor, id) });
  type Person = { id: string; name: string; left_on: string | null; again: boolean };

  const record = async (tx: Db, by: By, body: BodyOf<typeof recordBulkEvent>, origin: 'manual' | 'import' = 'manual') => {
    const { actor } = by;
    const today = dayIn(now(), actor.user.time_zone);
    if (body.completed_on > today) throw invalid('completed_on', 'This day has not come yet.');
    if (Number.isNaN(Date.parse(body.completed_on))) throw invalid('completed_on', 'Enter a date.');
    const course = await tx.one<{ title: string }>(sql`select k.title from courses k where k.id = ${body.course_id} and ${hasCourseHere(actor)}`);
    if (!course) throw invalid('course_id', 'Choose a course that your organisation has.');
    const proof = body.evidence_id;
    if (proof && !(await tx.one(sql`select 1 as one from evidence where id = ${proof} and uploaded_by = ${actor.user.uuid}`)))
      throw invalid('evidence_id', 'Choose the file again.');
    await tx.run(sql`insert into bulk_events (id, entity_id, actor_id, course_id, type, completed_on, note, evidence_id, created_at)
      values (${body.id}, ${actor.place.id}, ${actor.user.uuid}, ${body.course_id}, ${body.type}, ${body.completed_on}, ${body.note}, ${proof}, ${now()}) on conflict (id) do nothing`);
    const same =
      await tx.one(sql`select 1 as one from bulk_events where id = ${body.id} and actor_id = ${actor.user.uuid} and course_id = ${body.course_id}
      and type = ${body.type} and completed_on = ${body.completed_on} and (evidence_id is null or evidence_id is not distinct from ${proof}::uuid) and undone_at is null for update`);
    if (!same) throw new ProductError('rev_mismatch');
    const already = await tx.all<{ user_id: string }>(sql`select user_id from bulk_event_people where bulk_id = ${body.id}`);
    const fresh = [...new Set(body.user_ids)].filter((id) => !already.some((p) => p.user_id === id));
    if (already.length + fresh.length > bulkLimits.people)
      throw invalid('user_ids', `Record at most ${bulkLimits.people.toLocaleString('en-GB')} people at once.`);
    const known = await tx.all<Person>(sql`select u.id, u.name, (u.disabled_at at time zone h.time_zone)::date::text as left_on,
        exists (select 1 from results r where r.status in ('approved', 'pending') and r.user_id = u.id and r.course_id = ${body.course_id} and (r.completed_at at time zone h.time_zone)::date = ${body.completed_on}) as again
      from users u join entity_names h on h.id = u.primary_entity_id where u.id = any(${fresh}::uuid[]) and ${visiblePerson(actor)}`);
    if (known.length !== fresh.length) throw invalid('user_ids', 'Choose people that you can see.');
    const asking = proof || body.type === 'exempt' ? [] : await evidenceIsAskedBy(tx, fresh);
    if (asking.length > 0) throw invalid('evidence_id', `Evidence is asked for by ${asking.join(', ')}: add a file.`);
    // People recorded under this id before the file was added are proved by it too.
    if (proof && already.length > 0) {
      await tx.run(sql`update bulk_events set evidence_id = ${proof} where id = ${body.id}`);
      const where = sql`evidence_id is null and id in (select p.result_id from bulk_event_people p where p.bulk_id = ${body.id})`;
      await changeResults(tx, where, { evidence_id: proof }, { change: 'evidence', by: actor.user.uuid }, now());
    }
    const problemOf = (person: Person) =>
      person.again
        ? 'This course is recorded for them on that day already.'
        : person.left_on !== null && person.left_on < body.completed_on
          ? 'They had left by then.'
          : null;
    const good = known.filter((person) => problemOf(person) === null);
    const { course_id, type, completed_on: completed, evidence_id, note: remark } = body;
    const results = await recordResults(
      tx,
      good.map((person) => ({
        ...{ user_id: person.id, course_id, type, completed, evidence_id, note: remark },
        ...{ origin, recorded_by: actor.user.uuid },
      })),
      now(),
    );
    const rows = known.map((p) => ({ user_id: p.id, result_id: results[good.indexOf(p)] ?? null, problem: problemOf(p) }));
    await tx.run(sql`insert into bulk_event_people (bulk_id, user_id, result_id, problem)
      select ${body.id}, p.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (user_id uuid, result_id uuid, problem text)`);
    const recorded = await whole(tx, actor, body.id);
    await noteChange(tx, by, now(), {
      ...{ entityId: actor.place.id, action: 'created', subject: { kind: 'event', id: body.id, name: course.title } },
      after: { completed_on: body.completed_on, kind: body.type, people: known.map((p) => p.name) },
    });
    return recorded;
  };
  const undo = async (tx: Db, by: By, id: string) => {
    const { actor } = by;
    const event = await found(tx, actor, id);
    if (event.undone_at === null) {
      await tx.run(sql`update bulk_events set undone_at = ${now()}, undone_by = ${actor.user.uuid} where id = ${id}`);
      const where = sql`status <> 'deleted' and id in (select p.result_id from bulk_event_people p where p.bulk_id = ${id})`;
      await changeResults(tx, where, { status: 'deleted' }, { change: 'deleted', by: actor.user.uuid, reason: 'The event was undone.' }, now());
      await noteChange(tx, by, now(), {
        ...{ entityId: actor.place.id, action: 'deleted', subject: { kind: 'event', id: id, name: event.course.title } },
        before: { completed_on: event.completed_on, kind: event.type, recorded: event.recorded },
      });
    }
    return whole(tx, actor, id);
  };
  return {
    page: (actor: Actor, query: QueryOf<typeof listBulkEvents>) => {
      const where = sql`${visibleEntity(actor)} and ${contains([sql`k.title`, sql`a.name`], query.search)}`;
      const sorts = { created_at: sql`b.created_at`, completed_on: sql`b.completed_on`, course: sql`k.title` };
      const order = orderBy(query.sort ?? '-created_at', sorts, sql`b.id`);
      return pageOf<BulkEvent>(db, '/users/bulk-add-events', query, { columns, from: source, where, order });
    },
    get: (actor: Actor, id: string) => whole(db, actor, id),
    evidence: async (actor: Actor, id: string) => {
      const { evidence } = await found(db, actor, id);
      return evidenceFile(db, files, sql`v.id = ${evidence?.id ?? null}`);
    },
    record,
    undo,
  };
};
