import { areSessionTimes } from '#contract/rules/session-times.ts';
import { randomUUID } from 'node:crypto';
import type { cancelTrainingSession, changeTrainingSession, createTrainingSession } from '#contract/api/training-sessions.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import {
  moreThanMost,
  type NotedAnswer,
  passMarkNeeded,
  type Register,
  type RegisterAndTold,
  type WaitingPerson,
  whoGivesIt,
} from '#contract/entities/training-session.ts';
import { addDays, dayIn, daysBetween, dayWords } from '#contract/rules/days.ts';
import { seriesDays } from '#contract/rules/series.ts';
import { cancellationWords } from '#contract/rules/register.ts';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { hasCourseHere, holds, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { messagesOf } from '#server/features/messages/messages.service.ts';
import { changeResults } from '#server/features/results/results.service.ts';
import { requireFreeTrainer } from '#server/features/training-companies/trainers.service.ts';
import { lockSessions } from '#server/features/training-sessions/places.service.ts';
import { followingSessions, registerOf, touch } from '#server/features/training-sessions/registers.rows.ts';
import { accept, askToAgree, endWaiting, fillPlaces, putOnList, waitingOf } from '#server/features/training-sessions/waiting-list.ts';
import { tellDelegates, tellHeldBefore, tellIncomplete, tellReleased } from '#server/features/training-sessions/tell-delegates.ts';
import { settleResults } from '#server/features/training-sessions/registers.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import type { Actor } from '#server/actor.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const takesRegisters: PermissionSlug = 'delegate.mark';
type Planned = BodyOf<typeof changeTrainingSession>;
const columnsOf = ({ startTime: start_time, endTime: end_time, maxDelegates: max_delegates, minDelegates: min_delegates, ...planned }: Planned) => {
  const { date, venue, room, area, aim, grading_method, trainer_id, venue_id, room_id, virtual, joining_link } = planned;
  const { contentId: content_id, learningOutcomes: learning_outcomes, contentCovered: content_covered, availableTo: available_to } = planned;
  const { external_provider, external_trainer, pass_mark, bring } = planned;
  return {
    ...{ date, start_time, end_time, venue, room, area, aim, max_delegates, min_delegates, grading_method, trainer_id, venue_id, room_id },
    ...{ content_id, learning_outcomes, content_covered, available_to, virtual, joining_link, external_provider, external_trainer, pass_mark, bring },
  };
};

/** `told`: the people who have a message about it. */
type Changed = { register: Register; told: readonly string[] };
type Work = (tx: Db, before: Register) => Promise<Record<string, unknown> | null>;

/** Training sessions: planned, cancelled, and the people on their registers. */
export const sessionsOf = (services: Services) => {
  const { db, now } = services;
  const mayTrain = async (on: Db, actor: Actor, id: string) => {
    const trainer = await on.one<{ may: boolean }>(sql`select (u.super_admin or ${holds(sql`u`, takesRegisters)}) as may
      from users u where u.id = ${id} and u.disabled_at is null and ${visiblePerson(actor)}`);
    if (!trainer) throw invalid('trainer_id', 'Choose somebody who works here.');
    if (!trainer.may) throw invalid('trainer_id', 'They may not take registers: that needs the permission “Mark delegates”.');
  };
  const chosenPeople = async (tx: Db, actor: Actor, ids: readonly string[]) => {
    const people = await tx.all<{ id: string; name: string }>(
      sql`select u.id, u.name from users u where u.id = any(${[...ids]}::uuid[]) and u.disabled_at is null and ${visiblePerson(actor)}`,
    );
    if (people.length !== new Set(ids).size) throw invalid('user_ids', 'Choose people that you can see.');
    return people;
  };
  const checkTimes = (start: string, end: string) => {
    if (!areSessionTimes({ startTime: start, endTime: end })) throw invalid('endTime', 'The end is before the beginning.');
  };
  /** Sessions are planned ahead; one of this morning can still be added today. */
  const checkDay = async (tx: Db, entityId: string, day: string) => {
    const organiser = await tx.one<{ zone: string }>(sql`select time_zone as zone from entity_names where id = ${entityId}`);
    if (organiser && day < dayIn(now(), organiser.zone)) throw invalid('date', 'This day is past. Choose today or a later day.');
  };
  const checkNumbers = ({ minDelegates: min, maxDelegates: max }: Planned, before?: Register) => {
    const [least, most] = [min === undefined ? before?.minDelegates : min, max === undefined ? before?.maxDelegates : max];
    const booked = before?.delegates.filter((d) => d.removed === null).length ?? 0;
    if (max && max < booked && max !== before?.maxDelegates) throw invalid('maxDelegates', `${booked} are on the list already.`);
    if (least && most && least > most)
      throw invalid(min === undefined ? 'maxDelegates' : 'minDelegates', min === undefined ? `The minimum is ${least}.` : moreThanMost);
  };
  const checkContent = async (tx: Db, courseId: string, contentId: string | null | undefined) => {
    if (!contentId) return;
    const found = await tx.one(
      sql`select 1 from contents where id = ${contentId} and course_id = ${courseId} and type = 'face2face' and deleted_at is null`,
    );
    if (!found) throw invalid('contentId', 'Choose a face-to-face content of this course.');
  };
  /** Numbers that a session does not set default to those of its provider. */
  const withUsualNumbers = <P extends Planned>(planned: P, settings: CompanySettings): P => {
    const part = ['practical', 'practical_theory'].includes(planned.grading_method ?? '') ? 'practical' : 'theory';
    const maxDelegates = planned.maxDelegates ?? settings[`${part}_max_delegates`];
    const usual = settings[`${part}_min_delegates`];
    return { ...planned, maxDelegates, minDelegates: planned.minDelegates ?? (usual && maxDelegates ? Math.min(usual, maxDelegates) : usual) };
  };
  const requireVirtual = async (on: Db, entityId: string) => {
    const settings = await companySettings(on, entityId);
    if (!settings.allow_virtual_training_sessions)
      throw invalid('virtual', 'Your organisation holds no virtual sessions. This is one of its settings.');
  };
  /** A chosen venue and room give a session their names; typed names belong to neither. Nobody plans more people than the room holds. */
  const placed = async <P extends Planned>(tx: Db, actor: Actor, planned: P, before?: Register): Promise<P> => {
    const { venue, room } = planned;
    const typed = (now?: string, then?: string) => now !== undefined && now !== then;
    const currentVenue = typed(venue, before?.venue) ? null : (before?.venue_id ?? null);
    const venue_id = planned.venue_id === undefined ? currentVenue : planned.venue_id;
    if (venue_id === null) return { ...planned, venue_id, room_id: null };
    const most = planned.maxDelegates === undefined ? (before?.maxDelegates ?? null) : planned.maxDelegates;
    /** The number of participants that a room allows. */
    const within = (name: string, capacity: number) => {
      if (most !== null && most > capacity)
        throw invalid('maxDelegates', `${name} holds ${capacity} people. Enter no more than that, or choose another room.`);
      return { maxDelegates: most ?? capacity };
    };
    if (planned.venue_id === undefined && planned.room_id === undefined) {
      if (typed(room, before?.room)) return { ...planned, room_id: null };
      if (planned.maxDelegates === undefined || !before?.room_id) return planned;
      const stays = await tx.one<{ capacity: number }>(sql`select capacity from venue_rooms where id = ${before.room_id}`);
      return stays ? { ...planned, ...within(before.room, stays.capacity) } : planned;
    }
    const room_id = planned.room_id ?? null;
    const chosen = await tx.one<{
      venue: string;
      room: string | null;
      capacity: number | null;
    }>(sql`select v.name as venue, r.name as room, r.capacity
      from venues v join entity_names e on e.id = v.entity_id left join venue_rooms r on r.venue_id = v.id and r.id = ${room_id}
      where v.id = ${venue_id} and ${visibleEntity(actor)}`);
    if (!chosen) throw invalid('venue', 'Choose a venue of your organisation, or type another.');
    if (room_id && chosen.room === null) throw invalid('room', 'Choose a room of this venue, or type another.');
    const named = { ...planned, venue_id, room_id, venue: chosen.venue };
    return chosen.room === null || chosen.capacity === null ? named : { ...named, room: chosen.room, ...within(chosen.room, chosen.capacity) };
  };
  /** Changes a session under its lock; its results and audit log are updated, and the people on its list are notified. */
  const change = async (by: By, id: string, work: Work, until: 'over' | 'always' = 'over'): Promise<Register> =>
    (await tellAll(by, [await db.tx((tx) => changeIn(tx, by, id, work, until))])).register;
  const withCount = ({ register, told }: Changed): RegisterAndTold => ({ ...register, told: new Set(told).size });
  /** Sends the stored notifications, and books people from the waiting list if there are places. Returns the first of the sessions. */
  const tellAll = async (by: By, done: readonly Changed[]): Promise<Changed> => {
    services.mail.wake();
    const filled: boolean[] = [];
    for (const { register } of done) filled.push(await fillPlaces(services, register.id));
    const { register } = done[0] as Changed;
    return { register: filled[0] ? await registerOf(db, by.actor, register.id) : register, told: done.flatMap((d) => d.told) };
  };
  const changeIn = async (tx: Db, by: By, id: string, work: Work, until: 'over' | 'always'): Promise<Changed> => {
    await lockEntity(tx, id);
    const before = await registerOf(tx, by.actor, id);
    if (until === 'over' && before.completed) throw new ProductError('session_over');
    const changed = await work(tx, before);
    if (!changed) return { register: before, told: [] };
    await touch(tx, id);
    await settleResults(tx, await registerOf(tx, by.actor, id), now());
    const subject = { kind: 'session' as const, id, name: `${before.course.name}, ${before.date}` };
    await noteChange(tx, by, now(), { entityId: before.entity.id, action: 'updated', subject, after: changed });
    const after = await registerOf(tx, by.actor, id);
    const sender = by.actor.user.uuid;
    const called = after.cancelled && !before.cancelled ? [await endWaiting(tx, after, sender, now())] : [];
    const changes = until === 'over' ? [await tellDelegates(tx, sender, before, after, now())] : [];
    const released = before.certificates_withheld && !after.certificates_withheld ? [await tellReleased(tx, sender, after, now())] : [];
    const again = after.incomplete && before.completed ? [await tellIncomplete(tx, sender, after, now())] : [];
    const back = before.taken_on && after.completed && after.date !== before.date ? [await tellHeldBefore(tx, sender, before, after, now())] : [];
    const letters = [...changes, ...called, ...released, ...again, ...back];
    await messagesOf(services).mailedWith(tx, letters);
    return { register: after, told: letters.flatMap((l) => l.told) };
  };
  /** Changes a session, and those that follow in its series and are still to be held: all, or none if one of them cannot be changed. */
  const inSeries = async (
    by: By,
    id: string,
    following: boolean | undefined,
    workOf: (first: Register) => Work,
    later?: (first: Register) => boolean,
  ): Promise<Changed> => {
    const done = await db.tx(async (tx) => {
      const first = await registerOf(tx, by.actor, id);
      const rest = following ? await followingSessions(tx, id) : [];
      const work = workOf(first);
      const all = [id, ...rest];
      await lockSessions(tx, all);
      const changed = new Map<string, Changed>();
      // The last one first if they move to later dates: none may collide with the one that follows it.
      for (const one of later?.(first) ? all.toReversed() : all) changed.set(one, await changeIn(tx, by, one, work, 'over'));
      return all.map((one) => changed.get(one) as Changed);
    });
    return tellAll(by, done);
  };
  const write = (tx: Db, id: string, values: Parameters<typeof updateRows>[2]) => updateRows(tx, 'training_sessions', values, sql`id = ${id}`);
  /** Changes the plan of a session; the others of its series move by the same number of days. */
  const planning =
    (by: By, body: Omit<Planned, 'following'>) =>
    (first: Register): Work =>
    async (tx, before) => {
      const change = body.date === undefined ? body : { ...body, date: addDays(before.date, daysBetween(first.date, body.date)) };
      const planned = await placed(tx, by.actor, change, before);
      if (planned.trainer_id !== undefined && planned.trainer_id !== before.trainer.id) await mayTrain(tx, by.actor, planned.trainer_id);
      const next = { date: before.date, startTime: before.startTime, endTime: before.endTime, trainer_id: before.trainer.id, ...planned };
      checkTimes(next.startTime, next.endTime);
      if (planned.virtual && !before.virtual) await requireVirtual(tx, before.entity.id);
      const moves = next.date !== before.date || next.startTime !== before.startTime || next.endTime !== before.endTime;
      if (moves || next.trainer_id !== before.trainer.id)
        await requireFreeTrainer(tx, next.trainer_id, next.date, next.startTime, next.endTime, before.id);
      if (planned.date !== undefined && planned.date !== before.date) await checkDay(tx, before.entity.id, planned.date);
      checkNumbers(planned, before);
      if ((planned.external_provider ?? before.external_provider) && !(planned.external_trainer ?? before.external_trainer))
        throw invalid('external_trainer', whoGivesIt);
      const passMark = planned.pass_mark === undefined ? before.pass_mark : planned.pass_mark;
      if ((planned.grading_method ?? before.grading_method) === 'score' && !passMark) throw invalid('pass_mark', passMarkNeeded);
      await checkContent(tx, before.course.id, planned.contentId);
      const moved = planned.date !== undefined && planned.date !== before.date;
      const former = { former_days: sql`former_days || ${before.date}::date`, moved_by: by.actor.user.uuid };
      await write(tx, before.id, { ...columnsOf(planned), ...(moved ? { risk_told_at: null, ...former } : {}) });
      const when = (['date', 'startTime', 'endTime'] as const).some((field) => planned[field] !== undefined && planned[field] !== before[field]);
      if (when) await askToAgree(tx, before.id, by.actor.user.uuid, now());
      return planned;
    };
  const callingOff =
    (by: By, { cancellation_reason_id = null, notes }: BodyOf<typeof cancelTrainingSession>): Work =>
    async (tx, before) => {
      if (before.cancelled) return null;
      await write(tx, before.id, { cancelled_at: now(), cancelled_by: by.actor.user.uuid, cancellation_reason_id, cancellation_notes: notes });
      return { cancelled: cancellationWords(cancellation_reason_id, notes) };
    };
  const later =
    ({ date }: Planned) =>
    (first: Register) =>
      date !== undefined && date > first.date;
  /** Marks a finished register as incomplete. */
  const reopened = async (tx: Db, by: By, id: string, reason: string) => {
    const completions = await tx.all<{ id: string }>(sql`select id from current_completions where session_id = ${id}`);
    const incompletion = {
      id: randomUUID(),
      session_id: id,
      completions: completions.map((c) => c.id),
      reason,
      by_id: by.actor.user.uuid,
      at: now(),
    };
    await tx.run(insertRow('register_reopenings', incompletion));
    await write(tx, id, { taken_on: null });
  };

  return {
    create: (by: By, input: BodyOf<typeof createTrainingSession>): Promise<Register> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const body = withUsualNumbers(await placed(tx, actor, input), await companySettings(tx, actor.place.id));
        const { course_id } = body;
        if (body.virtual) await requireVirtual(tx, actor.place.id);
        const course = await tx.one<{ title: string }>(sql`select k.title from courses k where k.id = ${course_id} and ${hasCourseHere(actor)}`);
        if (!course) throw invalid('course_id', 'Choose a course that your organisation has.');
        await mayTrain(tx, actor, body.trainer_id);
        checkTimes(body.startTime, body.endTime);
        await checkDay(tx, actor.place.id, body.date);
        checkNumbers(body);
        await checkContent(tx, course_id, body.contentId);
        const days = body.repeat ? seriesDays(body.date, body.repeat) : [body.date];
        const all = days.map((date) => ({ id: randomUUID(), date }));
        const made = { entity_id: actor.place.id, course_id, created_by: actor.user.uuid, created_at: now() };
        const series_id = days.length > 1 ? randomUUID() : null;
        for (const { id, date } of all) {
          await requireFreeTrainer(tx, body.trainer_id, date, body.startTime, body.endTime, null);
          await tx.run(insertRow('training_sessions', { id, ...made, ...columnsOf({ ...body, date }), series_id }));
          const subject = { kind: 'session' as const, id, name: `${course.title}, ${date}` };
          await noteChange(tx, by, now(), { entityId: actor.place.id, action: 'created', subject });
        }
        return registerOf(tx, actor, all[0]?.id as string);
      }),
    change: async (by: By, id: string, { following, ...body }: Planned): Promise<Register> =>
      (await inSeries(by, id, following, planning(by, body), later(body))).register,
    cancel: async (by: By, id: string, body: BodyOf<typeof cancelTrainingSession>): Promise<RegisterAndTold> =>
      withCount(await inSeries(by, id, body.following, () => callingOff(by, body))),
    /** Changes and cancels a session, both or neither. People on its list are notified only of the cancellation. */
    changeAndCancel: async (by: By, id: string, { following, ...body }: Planned, off: BodyOf<typeof cancelTrainingSession>): Promise<Register> =>
      (
        await inSeries(
          by,
          id,
          following,
          (first) => async (tx, before) => {
            const planned = await planning(by, body)(first)(tx, before);
            return { ...planned, ...(await callingOff(by, off)(tx, before)) };
          },
          later(body),
        )
      ).register,
    sayWhetherHeld: (by: By, id: string, held: boolean): Promise<Register> =>
      change(
        by,
        id,
        async (tx, before) => {
          const { cancelled, completed, taken_on } = before;
          if (!completed || !(cancelled || taken_on))
            throw invalid('held', 'This is only asked where a register was taken of a session that was cancelled or moved.');
          const day = taken_on && held ? { date: taken_on } : {};
          await write(tx, id, { taken_on: null, ...day, ...(cancelled ? { held } : {}) });
          if (taken_on && !held && !cancelled) await reopened(tx, by, id, `It did not take place on ${dayWords(taken_on)}.`);
          return { held, ...day };
        },
        'always',
      ),
    reopen: (by: By, id: string, reason: string): Promise<Register> =>
      change(
        by,
        id,
        async (tx, before) => {
          if (!before.completed && before.incomplete) return null;
          if (!before.completed) throw invalid('reason', 'This register is not finished: there is nothing to mark as incomplete.');
          await reopened(tx, by, id, reason);
          return { incomplete: reason };
        },
        'always',
      ),
    /** Releases withheld certificates, and notifies their holders; those withheld individually stay so. */
    releaseCertificates: async (by: By, id: string): Promise<RegisterAndTold> =>
      withCount(
        await tellAll(by, [
          await db.tx((tx) =>
            changeIn(
              tx,
              by,
              id,
              async (tx, before) => {
                if (!before.certificates_withheld) return null;
                await write(tx, id, { certificates_withheld: false, certificates_released_at: now() });
                const waits = sql`delegate_id in (select d.id from session_delegates d where d.session_id = ${id}) and certificate_suppressed
            and status = 'approved' and changed_by is null`;
                const reason = 'The certificates of the session were released.';
                const released = { change: 'corrected', by: by.actor.user.uuid, reason } as const;
                // The records of all people on the register, those of clients too.
                await tx.beyond((whole) => changeResults(whole, waits, { certificate_suppressed: false }, released, now()));
                return { certificates: 'released' };
              },
              'always',
            ),
          ),
        ]),
      ),
    addDelegates: (by: By, id: string, userIds: readonly string[]): Promise<Register> =>
      change(by, id, async (tx, before) => {
        const people = await chosenPeople(tx, by.actor, userIds);
        const fresh = people.filter((p) => !before.delegates.some((d) => d.user?.id === p.id && d.removed === null));
        const on = before.delegates.filter((d) => d.removed === null).length;
        if (before.maxDelegates !== null && on + fresh.length > before.maxDelegates)
          throw invalid('user_ids', `There is room for ${before.maxDelegates}: ${on} are on the list already.`);
        await putOnList(tx, id, fresh, by.actor.user.uuid, now());
        return fresh.length > 0 ? { delegates_added: fresh.map((p) => p.name) } : null;
      }),
    removeDelegate: (by: By, id: string, delegateId: string): Promise<Register> =>
      change(by, id, async (tx, before) => {
        const delegate = existing(before.delegates.find((d) => d.id === delegateId));
        if (delegate.removed) return null;
        await updateRows(tx, 'session_delegates', { removed_at: now(), removed_by: by.actor.user.uuid }, sql`id = ${delegate.id}`);
        return { delegate_removed: delegate.name };
      }),
    /** Puts somebody back on the list who declined or was removed from it. */
    restoreDelegate: (by: By, id: string, delegateId: string): Promise<Register> =>
      change(by, id, async (tx, before) => {
        const delegate = existing(before.delegates.find((d) => d.id === delegateId));
        if (!delegate.removed) return null;
        if (before.cancelled) throw new ProductError('session_over', { message: 'This session is cancelled.' });
        const person =
          delegate.user && (await tx.one<{ left: boolean }>(sql`select has_left as left from person_names where id = ${delegate.user.id}`));
        if (!delegate.user || !person || person.left) throw invalid('delegate', `${delegate.name} cannot be booked any more.`);
        if (before.maxDelegates !== null && before.delegates.filter((d) => d.removed === null).length >= before.maxDelegates)
          throw invalid('delegate', `There is no place for ${delegate.name}: the session is full.`);
        await putOnList(tx, id, [delegate.user], by.actor.user.uuid, now());
        return { delegate_restored: delegate.name };
      }),
    /** Records the answer of somebody on the list. Someone who declines is removed from it. */
    noteAnswer: (by: By, id: string, delegateId: string, { answer, reason }: NotedAnswer): Promise<Register> =>
      change(by, id, async (tx, before) => {
        const delegate = existing(before.delegates.find((d) => d.id === delegateId));
        if (delegate.marks.length > 0) throw invalid('answer', `It is noted already whether ${delegate.name} was there.`);
        if (answer === 'accepted') {
          if (delegate.removed) throw new ProductError('session_over', { message: `${delegate.name} is not on the list any more.` });
          await accept(tx, delegate.id, now(), 'always');
          return { delegate_accepted: delegate.name };
        }
        if (delegate.removed) return null;
        const declined = { removed_at: now(), removed_by: by.actor.user.uuid, removed_why: reason, declined_at: now() };
        await updateRows(tx, 'session_delegates', declined, sql`id = ${delegate.id}`);
        return { delegate_declined: delegate.name, reason };
      }),
    waiting: async (actor: Actor, id: string): Promise<WaitingPerson[]> => {
      await registerOf(db, actor, id);
      return waitingOf(db, id);
    },
    /** Adds people to the end of the waiting list; if there is a place, the first of the list is booked. */
    wait: async (by: By, id: string, userIds: readonly string[]): Promise<WaitingPerson[]> => {
      await change(by, id, async (tx, before) => {
        if (before.cancelled) throw new ProductError('session_over', { message: 'This session is cancelled.' });
        const people = await chosenPeople(tx, by.actor, userIds);
        const listed = people.find((p) => before.delegates.some((d) => d.user?.id === p.id && d.removed === null));
        if (listed) throw invalid('user_ids', `${listed.name} is on the list already.`);
        const row = { session_id: id, added_by: by.actor.user.uuid, added_at: now() };
        for (const { id: user_id } of people) {
          await tx.run(sql`${insertRow('session_waiting', { id: randomUUID(), ...row, user_id })} on conflict do nothing`);
        }
        return { waiting_added: people.map((p) => p.name) };
      });
      return waitingOf(db, id);
    },
    stopWaiting: async (by: By, id: string, waitingId: string): Promise<WaitingPerson[]> => {
      await change(by, id, async (tx) => {
        const { user } = existing((await waitingOf(tx, id)).find((w) => w.id === waitingId));
        await tx.run(sql`delete from session_waiting where id = ${waitingId}`);
        return { waiting_removed: user.name };
      });
      return waitingOf(db, id);
    },
    /** Identifies a walk-in. */
    matchWalkIn: (by: By, id: string, delegateId: string, userId: string): Promise<Register> =>
      change(
        by,
        id,
        async (tx, before) => {
          const delegate = existing(before.delegates.find((d) => d.id === delegateId));
          if (delegate.user) throw invalid('user_id', `This is ${delegate.user.name} already.`);
          const user = await tx.one<{ id: string; name: string }>(
            sql`select u.id, u.name from users u where u.id = ${userId} and ${visiblePerson(by.actor)}`,
          );
          if (!user) throw invalid('user_id', 'Choose somebody that you can see.');
          const listed = before.delegates.find((d) => d.user?.id === user.id);
          if (listed && listed.marks.length > 0)
            throw invalid('user_id', `${user.name} is on the list, and something is noted of them. Change that instead.`);
          if (listed) await updateRows(tx, 'session_delegates', { same_as: delegate.id }, sql`id = ${listed.id} or same_as = ${listed.id}`);
          await updateRows(tx, 'session_delegates', { user_id: user.id }, sql`id = ${delegate.id}`);
          return { walk_in: delegate.name, is: user.name };
        },
        'always',
      ),
  };
};
