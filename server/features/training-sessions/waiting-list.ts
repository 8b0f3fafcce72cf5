import { mostDelegates, type Register, type WaitingPerson } from '#contract/entities/training-session.ts';
import { instantOf } from '#contract/rules/days.ts';
import { acceptBy, acceptUntil, momentWords } from '#contract/rules/delegate-answer.ts';
import { beyondScope } from '#server/db/scope.ts';
import { reference, updateRows } from '#server/db/rows.ts';
import { type Db, instant, often, type Statement, sql } from '#server/db/sql.ts';
import { type ByProduct, messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { listsOf, time, touch } from '#server/features/training-sessions/registers.rows.ts';
import { factsOfSession, sessionWords, tellByCompany, zoneOf } from '#server/features/training-sessions/tell-delegates.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

type Person = { id: string; name: string };

/**
 * Asks the people on the list of a session who match this condition (on `session_delegates d`) whether they come; those for whom `yes` is
 * true have already accepted. Silence counts as acceptance after the provider's period, at the latest when the session begins; without a
 * period never. `until`: those for whom `lapses` is true lose their place unless they accept by then.
 */
const ask = (
  tx: Db,
  session: string,
  { which, yes, period, until, lapses }: { which: Statement; yes: Statement; period: number | null; until?: Date | null; lapses?: Statement },
  now: Date,
) => {
  const lapse = until && lapses ? lapses : sql`false`;
  return tx.run(sql`update session_delegates d set asked_at = ${now}, accepted_at = case when ${yes} then ${now}::timestamptz end,
      lapses_at = case when ${lapse} then ${until ?? null}::timestamptz end,
      accepts_at = case when ${period || null}::int is not null and not (${lapse})
        then least(${now}::timestamptz + make_interval(hours => ${period || null}::int), (t.date + t.start_time) at time zone e.time_zone) end
    from training_sessions t join entity_names e on e.id = t.entity_id
    where d.session_id = ${session} and t.id = d.session_id and d.removed_at is null and d.same_as is null and d.user_id is not null and ${which}`);
};
/** Whether somebody on a list `d` moved up and has not accepted. */
const unanswered = sql`d.lapses_at is not null and d.accepted_at is null and d.removed_at is null and d.same_as is null and d.user_id is not null`;
const periodOf = async (tx: Db, session: string): Promise<number | null> => {
  const found = await tx.one<{ entity_id: string }>(sql`select entity_id from training_sessions where id = ${session}`);
  return found ? (await companySettings(tx, found.entity_id)).delegate_auto_accept_period : 0;
};

/**
 * Facts that a caller may already know: who is on the list or was once, how long its provider waits for an answer, and the deadline for
 * people who move up.
 */
type Known = { were?: readonly string[]; period?: number | null; until?: Date | null };
/** Adds people to the list of a session, again if they were removed; they wait no longer. If its provider asks for answers, they are asked. */
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
  // A person who is booked again knows when it is.
  const again = { removed_at: null, removed_by: null, removed_why: '', move_asked_at: null, move_agreed_at: null };
  // In order: the first get the last of the prepaid places.
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
  // People who book themselves count as having accepted.
  const which = sql`d.user_id = any(${put}::uuid[])`;
  if (known.until) await ask(tx, session, { which, yes: sql`false`, period: null, until: known.until, lapses: sql`true` }, now);
  else if (period !== 0) await ask(tx, session, { which, yes: sql`d.user_id = d.added_by`, period }, now);
};

/**
 * Asks the people on the list of a moved session whether they can come; the person who moves it has accepted their own place. People who
 * moved up and have not accepted yet get the deadline that they would have had now.
 */
export const askToAgree = async (tx: Db, session: string, movedBy: string, now: Date): Promise<void> => {
  await tx.run(sql`update session_delegates set move_asked_at = ${now}, move_agreed_at = case when user_id = ${movedBy} then ${now}::timestamptz end
    where session_id = ${session} and removed_at is null and same_as is null and user_id is not null`);
  const movedSession = await tx.one<{ entity_id: string; date: string; start: string; zone: string; waits: boolean }>(
    sql`select t.entity_id, t.date::text as date, ${time(sql`t.start_time`)} as start, e.time_zone as zone,
        exists (select 1 from session_delegates d where d.session_id = t.id and ${unanswered}) as waits
      from training_sessions t join entity_names e on e.id = t.entity_id where t.id = ${session}`,
  );
  const until = movedSession?.waits
    ? acceptUntil(
        now,
        instantOf(movedSession.date, movedSession.start, movedSession.zone),
        (await companySettings(tx, movedSession.entity_id)).waiting_list_accept_hours,
      )
    : null;
  const yes = sql`d.user_id = ${movedBy}`;
  await ask(tx, session, { which: sql`true`, yes, period: await periodOf(tx, session), until, lapses: sql`(${unanswered} and not ${yes})` }, now);
};
/** Accepts the place of somebody on the list of a session. Returns whether they are on it. `inTime`: only until their deadline. */
export const accept = async (tx: Db, delegate: string, now: Date, inTime: 'in time' | 'always'): Promise<boolean> =>
  (await tx.run(sql`update session_delegates set accepted_at = ${now}, asked_at = coalesce(asked_at, ${now}),
      move_agreed_at = case when move_asked_at is not null then coalesce(move_agreed_at, ${now}) end
    where id = ${delegate} and removed_at is null and same_as is null
      and (${inTime === 'always'} or lapses_at is null or accepted_at is not null or lapses_at > ${now}::timestamptz)`)) > 0;

/** The people waiting for a place, in order. */
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
 * The sender of the message about a place: the person who added the recipient to the waiting list, else the trainer. Nobody gets a message
 * from themselves.
 */
const senderTo = (person: string, addedBy: string, trainer: Person): string => (addedBy === person ? trainer.id : addedBy);
/**
 * Books the first people on the waiting list, while there are places and the session has not begun, and notifies them in the name of the
 * person who added them; those are notified of the deadline for accepting. The session is locked.
 */
const fill = async (tx: Db, session: string, now: Date): Promise<ByProduct[]> => {
  const found =
    await tx.one<Places>(sql`select t.date::text as date, ${time(sql`t.start_time`)} as "startTime", ${time(sql`t.end_time`)} as "endTime", t.venue, t.room, t.external_trainer, t.bring, k.title as name, e.time_zone as zone, t.entity_id, ${reference('person_names', sql`t.trainer_id`)} as trainer,
        t.max_delegates - (select count(*)::int from session_delegates d where d.session_id = t.id and d.same_as is null and d.removed_at is null) as free,
        t.cancelled_at is null and not exists (select 1 from current_completions c where c.session_id = t.id) as open
      from training_sessions t join course_titles k on k.id = t.course_id join entity_names e on e.id = t.entity_id where t.id = ${session}`);
  if (!found?.open || (found.free !== null && found.free <= 0)) return [];
  const begins = instantOf(found.date, found.startTime, found.zone);
  if (begins <= now.toISOString()) return [];
  const next = await tx.all<
    Person & { added_by: string }
  >(sql`select p.id, p.name, w.added_by from session_waiting w join person_names p on p.id = w.user_id
      where w.session_id = ${session} and not p.has_left order by w.seq limit ${found.free ?? mostDelegates}`);
  if (next.length === 0) return [];
  await touch(tx, session);
  const settings = await companySettings(tx, found.entity_id);
  const until = acceptUntil(now, begins, settings.waiting_list_accept_hours);
  const question = until ? acceptBy(until, found.zone) : undefined;
  const facts = factsOfSession({ ...found, course: found });
  const written: ByProduct[] = [];
  for (const [adderId, people] of Map.groupBy(next, (p) => p.added_by)) {
    await putOnList(tx, session, people, adderId, now, { period: settings.delegate_auto_accept_period, until });
    for (const [sender, recipients] of Map.groupBy(people, (p) => senderTo(p.id, adderId, found.trainer)))
      written.push(await tellByCompany(tx, sender, settings, 'place_free', recipients, facts, now, question));
    const others = people.filter((p) => p.id !== adderId);
    const names = others.map((p) => p.name).join(', ');
    if (until && others.length > 0 && adderId !== found.trainer.id) {
      const message = `${names} moved up from the waiting list of ${sessionWords({ ...found, course: found })}. They have until ${momentWords(until, found.zone)} to accept the place.`;
      written.push(await tellPeople(tx, found.trainer.id, [{ recipient_id: adderId, message }], now));
    }
  }
  return written;
};
/** The services needed for notifying people. */
type Telling = Pick<Services, 'db' | 'now' | 'mail' | 'config' | 'log'>;
/**
 * Books the first people on the waiting list. Call it after each change that may free a place; the caller may not see everybody who waits.
 * Returns whether it booked somebody. A failure is logged: the change itself is done, and the next one fills the places.
 */
export const fillPlaces = async (services: Telling, session: string): Promise<boolean> => {
  const { db, now } = services;
  try {
    const letters = await beyondScope(() =>
      db.tx(async (tx) => {
        await lockEntity(tx, session);
        const written = await fill(tx, session, now());
        await messagesOf(services).mailedWith(tx, written);
        return written;
      }),
    );
    services.mail.wake();
    return letters.length > 0;
  } catch (error) {
    services.log.error(error);
    return false;
  }
};

type Lapsed = Person & { delegate: string; added_by: string; lapses_at: string; left: boolean };
/** Whether somebody on a list `d` has left: nobody keeps a place for them. */
const left = sql`d.removed_at is null and d.same_as is null and exists (select 1 from users p where p.id = d.user_id and p.disabled_at is not null)`;
/**
 * People on the list of a session `t` of the organisation `e` who have not accepted in time, or have left. People who are marked present or
 * have checked in count as there.
 */
const lapsed = (
  now: Date,
) => sql`((${unanswered} and d.lapses_at <= ${now}::timestamptz) or (t.date >= (${now}::timestamptz - interval '1 day')::date and ${left}))
  and t.cancelled_at is null
  and (t.date + t.start_time) at time zone e.time_zone > ${now}::timestamptz and not exists (select 1 from current_completions c where c.session_id = t.id)
  and not exists (select 1 from register_marks m join session_delegates x on x.id = m.delegate_id where m.session_id = d.session_id and coalesce(x.same_as, x.id) = d.id)
  and not exists (select 1 from check_ins c where c.session_id = d.session_id and c.user_id = d.user_id)`;
/** Whether somebody who waits, `w`, for a session `t` of the organisation `e` that is still to come has left: they no longer wait. */
const leftWaiting = (now: Date) => sql`exists (select 1 from users p where p.id = w.user_id and p.disabled_at is not null)
  and t.cancelled_at is null and t.date >= (${now}::timestamptz - interval '1 day')::date and (t.date + t.start_time) at time zone e.time_zone > ${now}::timestamptz`;
const waitingFrom = sql`session_waiting w join training_sessions t on t.id = w.session_id join entities e on e.id = t.entity_id`;
const lapsedFrom = sql`session_delegates d join training_sessions t on t.id = d.session_id join entities e on e.id = t.entity_id`;
/** Removes people from the list of one session who have not accepted in time or have left, and leavers who wait, and books the next: all, or nothing. */
const lapseOn = async (tx: Db, session: string, now: Date): Promise<{ off: number; letters: ByProduct[] }> => {
  await lockEntity(tx, session);
  const off =
    await tx.all<Lapsed>(sql`select d.id as delegate, d.user_id as id, d.name, d.added_by, ${instant(sql`d.lapses_at`)} as lapses_at, ${left} as left
    from ${lapsedFrom} where d.session_id = ${session} and ${lapsed(now)} order by d.lapses_at, d.id`);
  const gone = await tx.all<Person & { added_by: string }>(sql`delete from session_waiting x
    where x.id in (select w.id from ${waitingFrom} where w.session_id = ${session} and ${leftWaiting(now)})
    returning x.user_id as id, x.added_by, (select p.name from person_names p where p.id = x.user_id) as name`);
  if (off.length + gone.length === 0) return { off: 0, letters: [] };
  const [list] = await listsOf(tx, [session]);
  if (!list) return { off: 0, letters: [] };
  const [zone, settings] = [await zoneOf(tx, list.entity.id), await companySettings(tx, list.entity.id)];
  const letters: ByProduct[] = [];
  for (const { id, name, added_by } of gone) {
    if (added_by === id) continue;
    const message = `${name} has left, and no longer waits for a place on ${sessionWords(list)}.`;
    letters.push(await tellPeople(tx, id, [{ recipient_id: added_by, message }], now));
  }
  for (const { delegate, id, name, added_by, lapses_at, left: hasLeft } of off) {
    if (hasLeft) {
      await updateRows(tx, 'session_delegates', { removed_at: now, removed_by: id, removed_why: 'They have left.' }, sql`id = ${delegate}`);
      const text = `${name} has left, and is no longer booked on ${sessionWords(list)}. The place is free again.`;
      const concerned = [...new Set([added_by, list.trainer.id])].map((recipient_id) => ({ recipient_id, message: text }));
      letters.push(await tellPeople(tx, id, concerned, now));
      continue;
    }
    const why = `Not accepted by ${momentWords(lapses_at, zone)}.`;
    await updateRows(tx, 'session_delegates', { removed_at: now, removed_by: id, removed_why: why, lapsed_at: now }, sql`id = ${delegate}`);
    const sender = senderTo(id, added_by, list.trainer);
    letters.push(await tellByCompany(tx, sender, settings, 'lapsed', [{ id, name }], factsOfSession(list), now));
    if (added_by === id) continue;
    const message = `${name} has not accepted the place on ${sessionWords(list)} in time, and is no longer booked. It goes to the next person waiting.`;
    letters.push(await tellPeople(tx, added_by === list.trainer.id ? id : list.trainer.id, [{ recipient_id: added_by, message }], now));
  }
  await touch(tx, session);
  return { off: off.length + gone.length, letters: [...letters, ...(await fill(tx, session, now))] };
};
/** Gives places that were not accepted in time, and those of leavers, to the next people on the waiting list, which leavers leave. A failure on one session does not affect the others. */
export const lapsePlaces = async (services: Telling, progress: (lapsed: number) => Promise<void> = async () => {}): Promise<number> => {
  const { db, now, log } = services;
  const due = await db.all<{ id: string }>(
    sql`select x.id from (select d.session_id as id, d.lapses_at from ${lapsedFrom} where ${lapsed(now())}
        union all select w.session_id, null from ${waitingFrom} where ${leftWaiting(now())}) x group by x.id order by min(x.lapses_at), x.id limit 1000`,
  );
  let done = 0;
  for (const { id } of due) {
    try {
      const off = await db.tx(async (tx) => {
        const lapsed = await lapseOn(tx, id, now());
        await messagesOf(services).mailedWith(tx, lapsed.letters);
        return lapsed.off;
      });
      services.mail.wake();
      done += off;
    } catch (error) {
      log.error({ err: error, session: id }, 'places that were not accepted could not be given to those who wait');
    }
    await progress(done);
  }
  return done;
};
/** Runs every minute, so that the next person is notified promptly. */
export const placesJob = (services: Telling): Job => ({
  title: () => 'Places that were not accepted in time, and those of leavers',
  unit: 'places',
  seenBy: [],
  schedule: '* * * * *',
  ...{ canCancel: false, limitMinutes: 30, tries: 5, atOnce: 1 },
  run: async ({ progress }) => void (await lapsePlaces(services, progress)),
});

/** Ends the waiting list of a cancelled session, and notifies the people on it. */
export const endWaiting = async (tx: Db, register: Register, sender: string, now: Date): Promise<ByProduct> => {
  const waited = await tx.all<{ user_id: string; added_by: string; name: string }>(
    sql`delete from session_waiting w where w.session_id = ${register.id}
      returning w.user_id, w.added_by, (select p.name from person_names p where p.id = w.user_id) as name`,
  );
  const message = `${sessionWords(register)} is cancelled. You were on its waiting list.`;
  const adders = Map.groupBy(
    waited.filter((w) => w.added_by !== w.user_id),
    (w) => w.added_by,
  );
  const texts = [
    ...waited.map(({ user_id }) => ({ recipient_id: user_id, message })),
    ...[...adders].map(([recipient_id, theirs]) => ({
      recipient_id,
      message: `${sessionWords(register)} is cancelled. On its waiting list, added by you: ${theirs.map((w) => w.name).join(', ')}.`,
    })),
  ];
  return tellPeople(tx, sender, texts, now);
};
