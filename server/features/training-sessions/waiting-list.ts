import { mostDelegates, type Register, type WaitingPerson } from '#contract/entities/training-session.ts';
import { instantOf } from '#contract/rules/days.ts';
import { beyondScope } from '#server/db/scope.ts';
import { reference, updateRows } from '#server/db/rows.ts';
import { type Db, instant, often, type Statement, sql } from '#server/db/sql.ts';
import { type ByProduct, messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { time, touch } from '#server/features/training-sessions/registers.rows.ts';
import { factsOfSession, sessionWords, tellByCompany } from '#server/features/training-sessions/tell-delegates.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import type { Services } from '#server/services.ts';

type Person = { id: string; name: string };

/**
 * Asks those on the list of a session of this condition (on `session_delegates d`) whether they come, and takes as an answer what `said` is true of.
 * No answer counts after the time that the provider gives, at the latest when the session begins; after no time at all it never does.
 */
const ask = (tx: Db, session: string, which: Statement, said: Statement, period: number | null, now: Date) =>
  tx.run(sql`update session_delegates d set asked_at = ${now}, accepted_at = case when ${said} then ${now}::timestamptz end,
      accepts_at = case when ${period || null}::int is not null
        then least(${now}::timestamptz + make_interval(hours => ${period || null}::int), (t.date + t.start_time) at time zone e.time_zone) end
    from training_sessions t join entity_names e on e.id = t.entity_id
    where d.session_id = ${session} and t.id = d.session_id and d.removed_at is null and d.same_as is null and d.user_id is not null and ${which}`);
const periodOf = async (tx: Db, session: string): Promise<number | null> => {
  const of = await tx.one<{ entity_id: string }>(sql`select entity_id from training_sessions where id = ${session}`);
  return of ? (await companySettings(tx, of.entity_id)).delegate_auto_accept_period : 0;
};

/** What whoever puts people on a list knows already: who is on it or was once, and how long its provider waits for an answer. */
type Known = { were?: readonly string[]; period?: number | null };
/** Puts people on the list of a session, again where they were taken off; they wait no longer. Where its provider asks for an answer they are asked. */
export const putOnList = async (tx: Db, session: string, people: readonly Person[], addedBy: string, now: Date, known: Known = {}): Promise<void> => {
  if (people.length === 0) return;
  const put = people.map((p) => p.id);
  const were = new Set(
    known.were ??
      (
        await tx.all<{ user_id: string }>(
          often(sql`select user_id from session_delegates where session_id = ${session} and user_id = any(${put}::uuid[]) and same_as is null`),
        )
      ).map((d) => d.user_id),
  );
  // Who is booked again knows when it is.
  const again = { removed_at: null, removed_by: null, removed_why: '', move_asked_at: null, move_agreed_at: null };
  // In their order: the first get the last of the places that were bought.
  let first: Person[] = [];
  const waits = sql`delete from session_waiting where session_id = ${session} and user_id = any(${put}::uuid[])`;
  let mayWait = true;
  const add = async () => {
    if (first.length > 0) {
      await tx.run(
        often(sql`with gone as (${waits}) insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
          select gen_random_uuid(), ${session}, x.user_id, x.name, ${addedBy}, ${now}
          from unnest(${first.map((p) => p.id)}::uuid[], ${first.map((p) => p.name)}::text[]) with ordinality x (user_id, name, n) order by x.n`),
      );
      mayWait = false;
    }
    first = [];
  };
  for (const person of people) {
    if (were.has(person.id)) {
      await add();
      const which = sql`session_id = ${session} and user_id = ${person.id} and same_as is null`;
      await updateRows(tx, 'session_delegates', { ...again, added_by: addedBy }, which);
    } else first.push(person);
    were.add(person.id);
  }
  await add();
  if (mayWait) await tx.run(often(waits));
  const period = known.period === undefined ? await periodOf(tx, session) : known.period;
  // Who puts themselves there comes.
  if (period !== 0) await ask(tx, session, sql`d.user_id = any(${put}::uuid[])`, sql`d.user_id = d.added_by`, period, now);
};

/** Asks those on the list of a session that is moved whether they can come; whoever moves it has said so for themselves. */
export const askToAgree = async (tx: Db, session: string, movedBy: string, now: Date): Promise<void> => {
  await tx.run(sql`update session_delegates set move_asked_at = ${now}, move_agreed_at = case when user_id = ${movedBy} then ${now}::timestamptz end
    where session_id = ${session} and removed_at is null and same_as is null and user_id is not null`);
  await ask(tx, session, sql`true`, sql`d.user_id = ${movedBy}`, await periodOf(tx, session), now);
};
/** Notes that somebody on the list of a session comes. Answers whether they are on it. */
export const accept = async (tx: Db, delegate: string, now: Date): Promise<boolean> =>
  (await tx.run(sql`update session_delegates set accepted_at = ${now}, asked_at = coalesce(asked_at, ${now}),
      move_agreed_at = case when move_asked_at is not null then coalesce(move_agreed_at, ${now}) end
    where id = ${delegate} and removed_at is null and same_as is null`)) > 0;

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
  external_trainer: string;
  bring: string;
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
        await tx.one<Places>(sql`select t.date::text as date, ${time(sql`t.start_time`)} as "startTime", ${time(sql`t.end_time`)} as "endTime", t.venue, t.room, t.external_trainer, t.bring, k.title as name, e.time_zone as zone, t.entity_id, ${reference('person_names', sql`t.trainer_id`)} as trainer,
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
