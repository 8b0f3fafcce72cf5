import { randomUUID } from 'node:crypto';
import { mostDelegates, type Register, type WaitingPerson } from '#contract/entities/training-session.ts';
import { instantOf } from '#contract/rules/days.ts';
import { beyondScope } from '#server/db/scope.ts';
import { insertRow, reference, updateRows } from '#server/db/rows.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { type ByProduct, messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { time, touch } from '#server/features/training-sessions/registers.rows.ts';
import { factsOfSession, sessionWords, tellByCompany } from '#server/features/training-sessions/tell-delegates.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import type { Services } from '#server/services.ts';

type Person = { id: string; name: string };

/** Puts people on the list of a session, again where they were taken off; they wait no longer. */
export const putOnList = async (tx: Db, session: string, people: readonly Person[], addedBy: string, now: Date): Promise<void> => {
  // Who is booked again knows when it is.
  const again = { removed_at: null, removed_by: null, removed_why: '', move_asked_at: null, move_agreed_at: null };
  for (const { id: user_id, name } of people) {
    const which = sql`session_id = ${session} and user_id = ${user_id} and same_as is null`;
    if ((await updateRows(tx, 'session_delegates', { ...again, added_by: addedBy }, which)) > 0) continue;
    await tx.run(insertRow('session_delegates', { id: randomUUID(), session_id: session, user_id, name, added_by: addedBy, added_at: now }));
  }
  await tx.run(sql`delete from session_waiting where session_id = ${session} and user_id = any(${people.map((p) => p.id)}::uuid[])`);
};

/** Asks those on the list of a session that is moved whether they can come; whoever moves it has said so for themselves. */
export const askToAgree = (tx: Db, session: string, movedBy: string, now: Date) =>
  tx.run(sql`update session_delegates set move_asked_at = ${now}, move_agreed_at = case when user_id = ${movedBy} then ${now}::timestamptz end
    where session_id = ${session} and removed_at is null and same_as is null and user_id is not null`);

/** Who waits for a place, in their order. */
export const waitingOf = (on: Db, session: string): Promise<WaitingPerson[]> =>
  on.all<WaitingPerson>(sql`select w.id, ${reference('person_names', sql`w.user_id`)} as user,
      coalesce((select e.name from users u join entity_names e on e.id = u.primary_entity_id where u.id = w.user_id), '') as place,
      ${reference('person_names', sql`w.added_by`)} as added_by, ${instant(sql`w.added_at`)} as added_at
    from session_waiting w where w.session_id = ${session} order by w.seq`);

type Places = {
  date: string;
  startTime: string;
  endTime: string;
  venue: string;
  room: string;
  name: string;
  zone: string;
  trainer: Person;
  entity_id: string;
  free: number | null;
  open: boolean;
};
/**
 * Books the first who wait, as long as there are places and the session has not begun, and tells them in the name of who put them there. To
 * be called after each change that may free a place; whoever makes it may not see all who wait. Answers whether it booked somebody. Where it
 * fails that is logged: what was asked is done, and the next change fills the places.
 */
export const fillPlaces = (services: Services, session: string): Promise<boolean> =>
  fill(services, session).catch((error: unknown) => {
    services.log.error(error);
    return false;
  });
const fill = async (services: Services, session: string): Promise<boolean> => {
  const { db, now } = services;
  const letters = await beyondScope(() =>
    db.tx(async (tx) => {
      await lockEntity(tx, session);
      const at =
        await tx.one<Places>(sql`select t.date::text as date, ${time(sql`t.start_time`)} as "startTime", ${time(sql`t.end_time`)} as "endTime", t.venue, t.room, k.title as name, e.time_zone as zone, t.entity_id, ${reference('person_names', sql`t.trainer_id`)} as trainer,
          t.max_delegates - (select count(*)::int from session_delegates d where d.session_id = t.id and d.same_as is null and d.removed_at is null) as free,
          t.cancelled_at is null and not exists (select 1 from current_completions c where c.session_id = t.id) as open
        from training_sessions t join course_titles k on k.id = t.course_id join entity_names e on e.id = t.entity_id where t.id = ${session}`);
      if (!at?.open || (at.free !== null && at.free <= 0) || instantOf(at.date, at.startTime, at.zone) <= now().toISOString()) return [];
      const next = await tx.all<
        Person & { added_by: string }
      >(sql`select p.id, p.name, w.added_by from session_waiting w join person_names p on p.id = w.user_id
        where w.session_id = ${session} and not p.has_left order by w.seq limit ${at.free ?? mostDelegates}`);
      if (next.length > 0) await touch(tx, session);
      const written: ByProduct[] = [];
      for (const [by, people] of Map.groupBy(next, (p) => p.added_by)) {
        await putOnList(tx, session, people, by, now());
        const facts = factsOfSession({ ...at, course: at });
        written.push(await tellByCompany(tx, by, await companySettings(tx, at.entity_id), 'place_free', people, facts, now()));
      }
      return written;
    }),
  );
  for (const written of letters) await messagesOf(services).mailed(written);
  return letters.length > 0;
};

/** Ends the waiting for a session that is cancelled, and tells those who did. */
export const endWaiting = async (tx: Db, register: Register, sender: string, now: Date): Promise<ByProduct> => {
  const waited = await tx.all<{ user_id: string }>(sql`delete from session_waiting where session_id = ${register.id} returning user_id`);
  const message = `${sessionWords(register)} is cancelled. You were on its waiting list.`;
  return tellPeople(
    tx,
    sender,
    waited.map(({ user_id }) => ({ recipient_id: user_id, message })),
    now,
  );
};
