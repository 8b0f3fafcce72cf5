import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import type { checkTrainer, listTrainers, updateTrainer } from '#contract/api/trainers.ts';
import type { Trainer, TrainerCheck } from '#contract/entities/trainer.ts';
import { dayWords } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { roomWarnings, trainerConflicts, trainerPage, trainerWarnings, trainerWith } from '#server/features/training-companies/trainers.rows.ts';
import { peopleWriter } from '#server/features/users/people.service.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/**
 * Throws at `trainer_id` if somebody already gives another session at that time. In the transaction that plans it: concurrent plans with
 * the same trainer wait.
 */
export const requireFreeTrainer = async (
  tx: Db,
  trainerId: string,
  date: string,
  start: string,
  end: string,
  exceptSession: string | null,
): Promise<void> => {
  await lockEntity(tx, trainerId);
  const [other] = await trainerConflicts(tx, trainerId, date, start, end, exceptSession);
  if (other)
    throw invalid(
      'trainer_id',
      `They give ${other.title ? `“${other.title}”` : 'another session'} on ${dayWords(date)}, ${other.from} to ${other.to}.`,
    );
};

/** Trainers: who is one, and what planning needs to know of them. */
export const trainersOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const people = peopleWriter(now);
  const one = async (on: Db, actor: Actor, id: string): Promise<Trainer> => existing(await trainerWith(on, actor, id, now()));
  const auditFields = ({ home_base, courses, hours, away }: Trainer) => ({ home_base, courses: courses.map((c) => c.name), hours, away });
  return {
    page: (actor: Actor, query: QueryOf<typeof listTrainers>) => trainerPage(db, actor, query, now()),
    get: (actor: Actor, id: string) => one(db, actor, id),
    add: (by: By, id: string): Promise<Trainer> =>
      db.tx(async (tx) => {
        const person = await tx.one(
          sql`select 1 as one from users u where u.id = ${id} and u.disabled_at is null and ${visiblePerson(by.actor)}
            and (${by.actor.seesAll} or u.primary_entity_id = any(${[...by.actor.entityIds]}::uuid[]))`,
        );
        if (!person) throw invalid('user_id', 'Choose somebody who works here.');
        await people.update(tx, by, id, { is_trainer: true });
        return one(tx, by.actor, id);
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        await lockEntity(tx, id);
        const { coming } = await one(tx, by.actor, id);
        if (coming > 0) throw new ProductError('in_use', { message: 'They have sessions to give. Choose other trainers for these first.' });
        await people.update(tx, by, id, { is_trainer: false });
      }),
    change: (by: By, id: string, { rev, course_ids, ...noted }: BodyOf<typeof updateTrainer>): Promise<Trainer> =>
      db.tx(async (tx) => {
        await lockEntity(tx, id);
        const before = await one(tx, by.actor, id);
        if (rev !== before.rev) throw new ProductError('rev_mismatch', { extra: { current: before } });
        const uniqueIds = [...new Set(course_ids)];
        const known = await tx.all(sql`select 1 as one from courses k where k.id = any(${uniqueIds}::uuid[])`);
        if (known.length < uniqueIds.length) throw invalid('course_ids', 'Choose courses that your organisation has.');
        const [hours, away] = [JSON.stringify(noted.hours), JSON.stringify(noted.away.toSorted((a, b) => (a.from < b.from ? -1 : 1)))];
        await tx.run(sql`insert into trainers (user_id, home_base, hours, away, rev, updated_at, updated_by)
          values (${id}, ${noted.home_base}, ${hours}, ${away}, ${before.rev + 1}, ${now()}, ${by.actor.user.uuid})
          on conflict (user_id) do update set home_base = excluded.home_base, hours = excluded.hours, away = excluded.away, rev = excluded.rev,
            updated_at = excluded.updated_at, updated_by = excluded.updated_by`);
        await tx.run(sql`delete from trainer_courses where user_id = ${id} and course_id <> all(${uniqueIds}::uuid[])`);
        await tx.run(sql`insert into trainer_courses (user_id, course_id) select ${id}, unnest(${uniqueIds}::uuid[]) on conflict do nothing`);
        const after = await one(tx, by.actor, id);
        const place = existing(await tx.one<{ id: string }>(sql`select primary_entity_id as id from users where id = ${id}`));
        await noteChange(tx, by, now(), {
          ...{ entityId: place.id, action: 'updated', subject: { kind: 'trainer', id, name: after.name } },
          ...{ before: auditFields(before), after: auditFields(after) },
        });
        return after;
      }),
    /** Warnings about a trainer for a session. Somebody who is not a trainer has no hours, but may give a session elsewhere. */
    check: async (actor: Actor, id: string, { date, from, to, course, room, session }: QueryOf<typeof checkTrainer>): Promise<TrainerCheck> => {
      const trainer = await trainerWith(db, actor, id, now());
      if (!trainer) existing(await db.one(sql`select 1 as one from users u where u.id = ${id} and ${visiblePerson(actor)}`));
      if (!date || !from || !to) return { conflicts: [], warnings: [] };
      const conflicts = await trainerConflicts(db, id, date, from, to, session ?? null);
      const inRoom = room ? await roomWarnings(db, actor, { room, date, from, to, session }) : [];
      return { conflicts, warnings: [...(trainer ? trainerWarnings(trainer, { date, from, to, course }) : []), ...inRoom] };
    },
  };
};
