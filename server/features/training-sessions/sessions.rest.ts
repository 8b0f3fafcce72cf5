import { randomUUID } from 'node:crypto';
import type { trainingSessionEndpoints } from '#contract/api/training-sessions.ts';
import { type Register, registersAheadDays } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { hasCourseHere, holds, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { registerOf, registersOf, sessionRows, settleResults, touch, visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import { registerQueued } from '#server/features/training-sessions/queued.ts';
import { contains, countOf, existing, orderBy, pagesOf, pagePart } from '#server/db/rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import { holdThing } from '#server/ledger/apply-once.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

const takesRegisters: PermissionSlug = 'delegate.mark';
type Planned = Partial<Pick<Register, 'date' | 'startTime' | 'endTime' | 'venue' | 'room' | 'aim' | 'maxDelegates' | 'grading_method'>> & {
  trainer_id?: string;
  venue_id?: string | null;
  room_id?: string | null;
};
const columnOf = {
  ...{ date: 'date', startTime: 'start_time', endTime: 'end_time', venue: 'venue', room: 'room', aim: 'aim' },
  ...{ maxDelegates: 'max_delegates', grading_method: 'grading_method', trainer_id: 'trainer_id' },
  ...{ venue_id: 'venue_id', room_id: 'room_id' },
} as const;

/** Training sessions: planned, called off, and their registers. */
export const trainingSessionHandlers = (services: Services): HandlersOf<typeof trainingSessionEndpoints> => {
  const { db, now } = services;
  const take = registerQueued(services);
  /** The day some days from now, where the organisation is. */
  const dayFrom = (actor: Actor, days: number) => addDays(dayIn(now(), actor.user.time_zone), days);
  const answer = (register: Register) => ({ data: register, headers: { ETag: `"${register.rev}"` } });
  const mayTrain = async (on: Db, actor: Actor, id: string) => {
    const trainer = await on.one<{ may: boolean }>(sql`select (u.super_admin or ${holds(sql`u`, takesRegisters)}) as may
      from users u where u.id = ${id} and u.disabled_at is null and ${visiblePerson(actor)}`);
    if (!trainer) throw invalid('trainer_id', 'Choose somebody who works here.');
    if (!trainer.may) throw invalid('trainer_id', 'They may not take registers: that needs the permission “Mark delegates”.');
  };
  const checkTimes = (start: string, end: string) => {
    if (end <= start) throw invalid('endTime', 'The end is before the beginning.');
  };
  /** A venue and a room that were chosen lend a session their names; others are typed, and are none of those. */
  const placed = async <P extends Planned>(tx: Db, actor: Actor, planned: P, before?: Register): Promise<P> => {
    const { venue, room } = planned;
    const typed = (now?: string, then?: string) => now !== undefined && now !== then;
    const kept = typed(venue, before?.venue) ? null : (before?.venue_id ?? null);
    const venue_id = planned.venue_id === undefined ? kept : planned.venue_id;
    if (venue_id === null) return { ...planned, venue_id, room_id: null };
    if (planned.venue_id === undefined && planned.room_id === undefined) return typed(room, before?.room) ? { ...planned, room_id: null } : planned;
    const room_id = planned.room_id ?? null;
    const chosen = await tx.one<{ venue: string; room: string | null }>(sql`select v.name as venue, r.name as room
      from venues v join entity_names e on e.id = v.entity_id left join venue_rooms r on r.venue_id = v.id and r.id = ${room_id}
      where v.id = ${venue_id} and ${visibleEntity(actor)}`);
    if (!chosen) throw invalid('venue', 'Choose a venue of your organisation, or type another.');
    if (room_id && chosen.room === null) throw invalid('room', 'Choose a room of this venue, or type another.');
    return { ...planned, venue_id, room_id, venue: chosen.venue, ...(chosen.room === null ? {} : { room: chosen.room }) };
  };
  type By = { actor: Actor; request: Parameters<typeof noteChange>[1]['request'] };
  /** Changes a session as a whole, under its lock; its results and its log go with it. */
  const change = (
    by: By,
    id: string,
    work: (tx: Db, before: Register) => Promise<Record<string, unknown> | null>,
    until: 'over' | 'always' = 'over',
  ) =>
    db.tx(async (tx) => {
      await holdThing(tx, id);
      const before = await registerOf(tx, by.actor, id);
      if (until === 'over' && before.completed) throw new ProductError('session_over');
      const after = await work(tx, before);
      if (after) {
        await touch(tx, id);
        await settleResults(tx, await registerOf(tx, by.actor, id), now());
        const subject = { kind: 'session' as const, id, name: `${before.course.name}, ${before.date}` };
        await noteChange(tx, by, { entityId: before.entity.id, action: 'updated', subject, after }, now());
      }
      return answer(await registerOf(tx, by.actor, id));
    });

  return {
    listTrainingSessions: async ({ query, actor }) => {
      const { search, when, mine } = query;
      // A session of today is coming until its register is finished.
      const over = sql`(t.date < ${dayFrom(actor, 0)}::date or exists (select 1 from register_completions c where c.session_id = t.id))`;
      const which: Statement = when === 'all' ? sql`true` : when === 'past' ? over : sql`not ${over}`;
      const [course, trainer] = [
        sql`(select k.title from course_titles k where k.id = t.course_id)`,
        sql`(select p.name from person_names p where p.id = t.trainer_id)`,
      ];
      const where = sql`${which} and (${mine !== true} or t.trainer_id = ${actor.user.uuid})
        and ${contains([course, trainer, sql`t.venue`], search)}`;
      const total = await countOf(db, sql`training_sessions t where ${visibleSession(actor)} and ${where}`);
      const day = sql`(t.date + t.start_time::time)`;
      const order = orderBy(query.sort ?? (when === 'coming' ? 'date' : '-date'), { date: day, course, venue: sql`t.venue`, trainer }, sql`t.id`);
      const data = await sessionRows(db, actor, where, order, pagePart(query));
      return { data, ...pagesOf('/api/training-sessions', query, total) };
    },
    ownRegisters: async ({ actor }) => ({
      data: await registersOf(
        db,
        actor,
        sql`t.trainer_id = ${actor.user.uuid} and t.date between ${dayFrom(actor, -1)}::date and ${dayFrom(actor, registersAheadDays)}::date`,
        sql`limit 50`,
      ),
    }),
    getTrainingSession: async ({ params, actor }) => answer(await registerOf(db, actor, params.id)),
    createTrainingSession: ({ body: asked, actor, request }) =>
      db.tx(async (tx) => {
        const body = await placed(tx, actor, asked);
        const course = await tx.one<{ title: string }>(sql`select k.title from courses k where k.id = ${body.course_id} and ${hasCourseHere(actor)}`);
        if (!course) throw invalid('course_id', 'Choose a course that your organisation has.');
        await mayTrain(tx, actor, body.trainer_id);
        checkTimes(body.startTime, body.endTime);
        const id = randomUUID();
        await tx.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, venue_id, room_id, aim, max_delegates, grading_method, created_by, created_at)
          values (${id}, ${actor.place.id}, ${body.course_id}, ${body.trainer_id}, ${body.date}, ${body.startTime}, ${body.endTime}, ${body.venue}, ${body.room}, ${body.venue_id ?? null}, ${body.room_id ?? null}, ${body.aim}, ${body.maxDelegates}, ${body.grading_method}, ${actor.user.uuid}, ${now()})`);
        const subject = { kind: 'session' as const, id, name: `${course.title}, ${body.date}` };
        await noteChange(tx, { actor, request }, { entityId: actor.place.id, action: 'created', subject }, now());
        return answer(await registerOf(tx, actor, id));
      }),
    changeTrainingSession: ({ params, body, actor, request }) =>
      change({ actor, request }, params.id, async (tx, before) => {
        const planned = await placed(tx, actor, Object.fromEntries(Object.entries(body).filter(([, v]) => v !== undefined)) as Planned, before);
        if (planned.trainer_id !== undefined && planned.trainer_id !== before.trainer.id) await mayTrain(tx, actor, planned.trainer_id);
        checkTimes(planned.startTime ?? before.startTime, planned.endTime ?? before.endTime);
        for (const [field, value] of Object.entries(planned))
          await tx.run({
            text: `update training_sessions set ${columnOf[field as keyof typeof columnOf]} = $1 where id = $2`,
            values: [value, params.id],
          });
        return planned;
      }),
    cancelTrainingSession: ({ params, body, actor, request }) =>
      change({ actor, request }, params.id, async (tx, before) => {
        if (before.cancelled) return null;
        await tx.run(
          sql`update training_sessions set cancelled_at = ${now()}, cancelled_by = ${actor.user.uuid}, cancellation_notes = ${body.notes} where id = ${params.id}`,
        );
        return { cancelled: body.notes };
      }),
    sayWhetherHeld: ({ params, body, actor, request }) =>
      change(
        { actor, request },
        params.id,
        async (tx, before) => {
          if (!before.cancelled || !before.completed) throw invalid('held', 'This is only asked where a register was taken of a cancelled session.');
          await tx.run(sql`update training_sessions set held = ${body.held} where id = ${params.id}`);
          return { held: body.held };
        },
        'always',
      ),
    addDelegates: ({ params, body, actor, request }) =>
      change({ actor, request }, params.id, async (tx, before) => {
        const people = await tx.all<{ id: string; name: string }>(
          sql`select u.id, u.name from users u where u.id = any(${body.user_ids}::uuid[]) and u.disabled_at is null and ${visiblePerson(actor)}`,
        );
        if (people.length !== new Set(body.user_ids).size) throw invalid('user_ids', 'Choose people that you can see.');
        const fresh = people.filter((p) => !before.delegates.some((d) => d.user?.id === p.id && d.removed === null));
        const on = before.delegates.filter((d) => d.removed === null).length;
        if (before.maxDelegates !== null && on + fresh.length > before.maxDelegates)
          throw invalid('user_ids', `There is room for ${before.maxDelegates}: ${on} are on the list already.`);
        for (const { id, name } of fresh)
          if (
            (await tx.run(
              sql`update session_delegates set removed_at = null, removed_by = null where session_id = ${params.id} and user_id = ${id} and same_as is null`,
            )) === 0
          )
            await tx.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
              values (${randomUUID()}, ${params.id}, ${id}, ${name}, ${actor.user.uuid}, ${now()})`);
        return fresh.length > 0 ? { delegates_added: fresh.map((p) => p.name) } : null;
      }),
    removeDelegate: ({ params, actor, request }) =>
      change({ actor, request }, params.id, async (tx, before) => {
        const delegate = existing(before.delegates.find((d) => d.id === params.delegate));
        if (delegate.removed) return null;
        await tx.run(sql`update session_delegates set removed_at = ${now()}, removed_by = ${actor.user.uuid} where id = ${delegate.id}`);
        return { delegate_removed: delegate.name };
      }),
    matchWalkIn: ({ params, body, actor, request }) =>
      change(
        { actor, request },
        params.id,
        async (tx, before) => {
          const delegate = existing(before.delegates.find((d) => d.id === params.delegate));
          if (delegate.user) throw invalid('user_id', `This is ${delegate.user.name} already.`);
          const user = await tx.one<{ id: string; name: string }>(
            sql`select u.id, u.name from users u where u.id = ${body.user_id} and ${visiblePerson(actor)}`,
          );
          if (!user) throw invalid('user_id', 'Choose somebody that you can see.');
          const listed = before.delegates.find((d) => d.user?.id === user.id);
          if (listed && listed.marks.length > 0)
            throw invalid('user_id', `${user.name} is on the list, and something is noted of them. Change that instead.`);
          if (listed) await tx.run(sql`update session_delegates set same_as = ${delegate.id} where id = ${listed.id} or same_as = ${listed.id}`);
          await tx.run(sql`update session_delegates set user_id = ${user.id} where id = ${delegate.id}`);
          return { walk_in: delegate.name, is: user.name };
        },
        'always',
      ),
    updateRegister: async ({ params, body, actor, request, reply }) => {
      return receive(services, { actor, request, reply }, body.changes, () => take(actor, params.id, body.changes));
    },
  };
};
