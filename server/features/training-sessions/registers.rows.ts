import type { ChangeOutcome } from '#contract/commands/change.ts';
import type { RegisterChange } from '#contract/commands/register-commands.ts';
import type { MarkArgs, Register, SessionRow } from '#contract/entities/training-session.ts';
import { dayIn } from '#contract/rules/days.ts';
import { asksWhetherHeld, counts, hasCome, hasDone, markNow } from '#contract/rules/register.ts';
import { can } from '#contract/can.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { existing, reference } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { recordResults } from '#server/features/learning/results.service.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/http/sessions.ts';
import { applyOnce, holdThing, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';

const person = (id: Statement) => reference('person_names', id);
const time = (column: Statement) => sql`to_char(${column}, 'HH24:MI')`;

/** The one condition under which a row of `training_sessions t` may be seen: one gives it, or it is of one’s organisation or below it. */
export const visibleSession = (actor: Actor): Statement =>
  actor.seesAll ? sql`true` : sql`(t.trainer_id = ${actor.user.uuid} or t.entity_id = any(${[...actor.entityIds]}::uuid[]))`;

const header = sql`'id', t.id, 'course', (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = t.course_id),
  'entity', (select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) from entity_names e where e.id = t.entity_id), 'trainer', ${person(sql`t.trainer_id`)},
  'date', t.date::text, 'startTime', ${time(sql`t.start_time`)}, 'endTime', ${time(sql`t.end_time`)}, 'venue', t.venue, 'room', t.room, 'venue_id', t.venue_id, 'room_id', t.room_id, 'aim', t.aim,
  'maxDelegates', t.max_delegates, 'grading_method', t.grading_method,
  'cancelled', case when t.cancelled_at is not null then json_build_object('at', ${instant(sql`t.cancelled_at`)}, 'by', ${person(sql`t.cancelled_by`)}, 'notes', t.cancellation_notes) end,
  'held', t.held,
  'completed', (select json_build_object('id', c.id, 'at', ${instant(sql`c.at`)}, 'by', ${person(sql`c.by_id`)}, 'note', c.note)
    from register_completions c where c.session_id = t.id order by c.received_at desc, c.id limit 1)`;
const markJson = sql`json_build_object('id', m.id, 'presence', m.presence, 'arrived', ${time(sql`m.arrived`)}, 'left', ${time(sql`m.left_at`)}, 'outcome', m.outcome,
  'note', m.note, 'by', ${person(sql`m.by_id`)}, 'at', ${instant(sql`m.at`)})`;
const delegates = sql`coalesce((select json_agg(json_build_object(
    'id', d.id, 'also', coalesce((select json_agg(a.id) from session_delegates a where a.same_as = d.id), '[]'), 'user', ${person(sql`d.user_id`)},
    'name', coalesce((select p.name from person_names p where p.id = d.user_id), d.name),
    'place', coalesce((select e.name from users u join entity_names e on e.id = u.primary_entity_id where u.id = d.user_id), ''), 'note', d.note, 'walk_in', d.walk_in,
    'removed', case when d.removed_at is not null then json_build_object('at', ${instant(sql`d.removed_at`)}, 'by', ${person(sql`d.removed_by`)}) end,
    'marks', coalesce((select json_agg(${markJson} order by m.seq) from register_marks m join session_delegates x on x.id = m.delegate_id where coalesce(x.same_as, x.id) = d.id), '[]'),
    'signature', (select json_build_object('id', s.id, 'mark_id', s.mark_id, 'method', s.method, 'drawing', s.drawing, 'at', ${instant(sql`s.at`)})
      from register_signatures s join register_marks m on m.id = s.mark_id join session_delegates x on x.id = m.delegate_id
      where coalesce(x.same_as, x.id) = d.id order by s.received_at desc, s.id limit 1),
    'recorded', exists (select 1 from results r where r.delegate_id = d.id))
  order by coalesce((select p.name from person_names p where p.id = d.user_id), d.name), d.id) from session_delegates d where d.session_id = t.id and d.same_as is null), '[]')`;

/** Sessions with their registers, those that one may see. */
export const registersOf = async (db: Db, actor: Actor, where: Statement, part: Statement = sql``): Promise<Register[]> =>
  (
    await db.all<{ register: Register }>(sql`select json_build_object(${header}, 'rev', t.rev, 'delegates', ${delegates}) as register
      from training_sessions t where ${visibleSession(actor)} and ${where} order by t.date, t.start_time, t.id ${part}`)
  ).map((r) => r.register);

/** Sessions for a list. */
export const sessionRows = async (db: Db, actor: Actor, where: Statement, order: Statement, part: Statement): Promise<SessionRow[]> =>
  (
    await db.all<{ row: SessionRow }>(sql`select json_build_object(${header},
        'delegates', (select count(*) from session_delegates d where d.session_id = t.id and d.same_as is null and d.removed_at is null),
        'present', (select count(*) from session_delegates d where d.session_id = t.id and d.same_as is null and
          (select m.presence from register_marks m join session_delegates x on x.id = m.delegate_id where coalesce(x.same_as, x.id) = d.id order by m.seq desc limit 1) = 'present')) as row
      from training_sessions t where ${visibleSession(actor)} and ${where} order by ${order} ${part}`)
  ).map((r) => r.row);

/** One session with its register; 404 where there is none that one may see. */
export const registerOf = async (db: Db, actor: Actor, id: string): Promise<Register> => {
  return existing((await registersOf(db, actor, sql`t.id = ${id}`))[0]);
};

/** Tells that a session is another than before. */
export const touch = (tx: Db, id: string) => tx.run(sql`update training_sessions set rev = rev + 1 where id = ${id}`);

/**
 * Lets the records of those on a register say what it says: who has done the training has it there, once; who has not, has it not
 * from this session. Safe to ask again at any time.
 */
export const settleResults = async (tx: Db, register: Register, now: Date): Promise<void> => {
  for (const delegate of register.delegates) {
    const done = delegate.user !== null && counts(register) && hasDone(register, markNow(delegate));
    if (!done && delegate.recorded) await tx.run(sql`delete from results where delegate_id = ${delegate.id}`);
    if (!done || delegate.recorded || !delegate.user) continue;
    const taken = await tx.one<{ content_id: string | null; zone: string }>(sql`select
      (select e.time_zone from entity_names e where e.id = ${register.entity.id}) as zone,
      (select c.id from contents c where c.course_id = ${register.course.id} and c.type = 'face2face' and c.deleted_at is null order by c.created_at, c.id limit 1) as content_id`);
    const { id: delegate_id, user } = delegate;
    await recordResults(
      tx,
      [{ user_id: user.id, course_id: register.course.id, type: 'face2face', completed: register.date, delegate_id, ...taken }],
      now,
    );
  }
};

const takesRegisters: PermissionSlug[] = ['delegate.mark'];
type Applied = Taken<Register> & { current: Register; asksWhetherHeld: boolean };
type Listed = { id: string; same_as: string | null; removed_at: string | null };
const same = (a: MarkArgs, b: MarkArgs) =>
  a.presence === b.presence && a.arrived === b.arrived && a.left === b.left && a.outcome === b.outcome && a.note === b.note;

/**
 * Adds what a device noted on a register. What was seen is taken whatever has become of the session: one that was cancelled
 * meanwhile waits to be told whether it took place, somebody taken off the list who came is on it as a walk-in. Only a mark in
 * the place of one that the device did not know can conflict.
 */
export const applyToRegister = (db: Db, actor: Actor, id: string, changes: readonly RegisterChange[], now: Date): Promise<Applied> =>
  db.tx(async (tx) => {
    await holdThing(tx, id);
    const before = await registerOf(tx, actor, id);
    if (!can(actor.user, takesRegisters)) throw new ProductError('forbidden');
    const listed = async (delegate: string) => {
      const found = await tx.one<Listed>(sql`select id, same_as, removed_at from session_delegates where id = ${delegate} and session_id = ${id}`);
      if (!found) throw new Refused('not_found');
      return found.same_as === null
        ? found
        : ((await tx.one<Listed>(sql`select id, same_as, removed_at from session_delegates where id = ${found.same_as}`)) as Listed);
    };
    const walkIn = async (change: Extract<RegisterChange, { command: 'register.walk_in' }>) => {
      const { user_id, name, note } = change.args;
      // Somebody whom one may not see is not named by an id: the name that was noted stays, and is matched by who may.
      const user = user_id && (await tx.one<{ id: string }>(sql`select u.id from users u where u.id = ${user_id} and ${visiblePerson(actor)}`));
      const known = user
        ? await tx.one<Listed>(
            sql`select id, same_as, removed_at from session_delegates where session_id = ${id} and user_id = ${user.id} and same_as is null`,
          )
        : undefined;
      await tx.run(sql`insert into session_delegates (id, session_id, user_id, name, note, walk_in, same_as, added_by, added_at)
        values (${change.id}, ${id}, ${user ? user.id : null}, ${name}, ${note}, true, ${known?.id ?? null}, ${actor.user.uuid}, ${timeOf(change, now)})`);
      if (known?.removed_at)
        await tx.run(sql`update session_delegates set removed_at = null, removed_by = null, walk_in = true where id = ${known.id}`);
      return known ? 'late' : 'applied';
    };
    const mark = async (change: Extract<RegisterChange, { command: 'register.mark' }>) => {
      const { delegate_id, instead_of, ...said } = change.args;
      const delegate = await listed(delegate_id);
      const [last] = await tx.all<
        MarkArgs & { id: string }
      >(sql`select m.id, m.presence, ${time(sql`m.arrived`)} as arrived, ${time(sql`m.left_at`)} as left, m.outcome, m.note
        from register_marks m join session_delegates x on x.id = m.delegate_id where coalesce(x.same_as, x.id) = ${delegate.id} order by m.seq desc limit 1`);
      // Two who note the same do not disagree.
      if (last && last.id !== instead_of && !same(last, said)) throw new Refused('marked_elsewhere', ['keep_mine', 'keep_theirs', 'ask_manager']);
      await tx.run(sql`insert into register_marks (id, session_id, delegate_id, presence, arrived, left_at, outcome, note, instead_of, by_id, at, received_at, seq)
        values (${change.id}, ${id}, ${delegate.id}, ${said.presence}, ${said.arrived}, ${said.left}, ${said.outcome}, ${said.note}, ${last?.id ?? null}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now},
          (select coalesce(max(seq), 0) + 1 from register_marks where session_id = ${id}))`);
      if (delegate.removed_at === null || said.presence === 'absent') return before.cancelled || delegate.removed_at ? 'late' : 'applied';
      await tx.run(sql`update session_delegates set removed_at = null, removed_by = null, walk_in = true where id = ${delegate.id}`);
      return 'late';
    };
    const apply = async (change: RegisterChange): Promise<ChangeOutcome['outcome']> => {
      switch (change.command) {
        case 'register.walk_in':
          return walkIn(change);
        case 'register.mark':
          return mark(change);
        case 'register.sign': {
          const { mark_id, method, drawing } = change.args;
          if (!(await tx.one(sql`select id from register_marks where id = ${mark_id} and session_id = ${id}`))) throw new Refused('not_found');
          if ((method === 'drawn') !== (drawing !== null)) throw new Refused('forbidden');
          await tx.run(sql`insert into register_signatures (id, session_id, mark_id, method, drawing, by_id, at, received_at)
            values (${change.id}, ${id}, ${mark_id}, ${method}, ${drawing}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now})`);
          return 'applied';
        }
        case 'register.complete': {
          const { marks, note, method, drawing } = change.args;
          if (!hasCome(before, dayIn(now, actor.user.time_zone))) throw new Refused('session_to_come');
          if ((method === 'drawn') !== (drawing !== null)) throw new Refused('forbidden');
          await tx.run(sql`insert into register_completions (id, session_id, marks, note, method, drawing, by_id, at, received_at)
            values (${change.id}, ${id}, ${[...marks]}, ${note}, ${method}, ${drawing}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now})`);
          return before.cancelled ? 'late' : 'applied';
        }
      }
    };
    const { outcomes, failure, effects, record } = await applyOnce(tx, actor.user.uuid, changes, now, apply);
    await record();
    if (effects > 0) {
      await touch(tx, id);
      await settleResults(tx, await registerOf(tx, actor, id), now);
    }
    const register = await registerOf(tx, actor, id);
    return { current: register, asksWhetherHeld: asksWhetherHeld(register) && !asksWhetherHeld(before), outcomes, failure };
  });
