import { randomUUID } from 'node:crypto';
import { can } from '#contract/can.ts';
import type { DelegatesGiven, GiveDelegates, OtherSession, Register } from '#contract/entities/training-session.ts';
import type { Actor } from '#server/actor.ts';
import { type Places, placesLines, placesTotal } from '#contract/rules/booking-cost.ts';
import { bookingReference } from '#contract/rules/booking-reference.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { tellApprovers } from '#server/features/bookings/booking-notices.service.ts';
import { placesOf, placesWanted } from '#server/features/bookings/costs.rows.ts';
import { type ByProduct, messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import {
  fillPlaces,
  givePlaces,
  letWait,
  lockSessions,
  placesLeft,
  sessionWords,
  takePlaces,
  tooFewPlaces,
  waitsWords,
  whyClosed,
  wholeRegister,
} from '#server/features/training-sessions/places.service.ts';
import { registerOf, registersOf, time, touch, visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import { factsOfSession, oldFacts, tellByCompany } from '#server/features/training-sessions/tell-delegates.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Person = { id: string; name: string };
/** A booking that somebody is on a list by; `outside`: of an organisation outside the provider's tree. */
type Booked = { user_id: string; id: string; reference: string; client_id: string; outside: boolean };
const namesOf = (people: readonly Person[]) => people.map((p) => p.name).join(', ');
const mostOffered = 200;

/** The bookings of people on the list of a session. */
const bookingsOn = (tx: Db, session: string, people: readonly Person[]): Promise<Booked[]> =>
  tx.all<Booked>(sql`select d.user_id, b.id, b.reference, b.client_id, not exists (select 1 from entity_below x
        where (x.above = b.provider_id and x.below = b.client_id) or (x.above = b.client_id and x.below = b.provider_id)) as outside
    from session_delegates d join bookings b on b.id = d.booking_id and b.cancelled_at is null
    where d.session_id = ${session} and d.same_as is null and d.user_id = any(${people.map((p) => p.id)}::uuid[]) order by b.id, d.user_id`);

/** Copies and moves people from the list of one session to that of another of the same provider. */
export const delegatesOf = (services: Services) => {
  const { db, now } = services;

  /** The selected people on the list of a session who have not left. */
  const chosen = async (tx: Db, { delegates }: Register, ids: GiveDelegates['delegate_ids']): Promise<Person[]> => {
    const listed = delegates.filter((d) => d.removed === null);
    const picked = ids === null ? listed : listed.filter((d) => ids.includes(d.id));
    if (ids !== null && picked.length < new Set(ids).size)
      throw invalid('delegate_ids', 'Somebody you chose is not on the list any more. Look at the list again.');
    const unknown = picked.find((d) => d.user === null);
    if (ids !== null && unknown) throw invalid('delegate_ids', `${unknown.name} is known by name only. Say who they are first.`);
    // In the order of choice: the first get the last places.
    const people = (ids === null ? picked : ids.flatMap((id) => picked.find((d) => d.id === id) ?? [])).flatMap((d) => d.user ?? []);
    const active = await tx.all<{ id: string }>(sql`select id from person_names where id = any(${people.map((p) => p.id)}::uuid[]) and not has_left`);
    const staying = people.filter((p) => active.some(({ id }) => id === p.id));
    if (staying.length === 0) throw invalid('delegate_ids', 'There is nobody on the list who could be put on another.');
    return staying;
  };
  /** Those of these people who neither have a place on a session nor wait for one. */
  const notThere = async (tx: Db, session: Register, people: readonly Person[]): Promise<Person[]> => {
    const waits = await tx.all<{ user_id: string }>(sql`select user_id from session_waiting where session_id = ${session.id}`);
    const placed = new Set([...session.delegates.flatMap((d) => (d.user && d.removed === null ? [d.user.id] : [])), ...waits.map((w) => w.user_id)]);
    return people.filter((p) => !placed.has(p.id));
  };
  /** Adds the other session to their bookings, so that the people who booked them see where they are. */
  const carryBookings = async (tx: Db, by: By, from: Register, to: Register, people: readonly Person[], moves: boolean): Promise<void> => {
    const bookings = await bookingsOn(tx, from.id, people);
    const { actor } = by;
    const byClients = bookings.filter((b) => b.outside);
    if (byClients.length > 0 && !actor.seesAll) {
      const may = await tx.one(sql`select 1 as one from entities where id = ${actor.place.id} and can_manage_bookings`);
      if (!may)
        throw invalid(
          'delegate_ids',
          `Your organisation does not change what clients have booked: ${namesOf(people.filter((p) => byClients.some((b) => b.user_id === p.id)))}.`,
        );
    }
    for (const [id, bookedPlaces] of Map.groupBy(bookings, (b) => b.id)) {
      const [{ reference, client_id }] = bookedPlaces as [Booked];
      await lockEntity(tx, id);
      for (const { user_id } of bookedPlaces)
        await tx.run(sql`${insertRow('booking_places', { id: randomUUID(), booking_id: id, session_id: to.id, user_id })} on conflict do nothing`);
      await tx.run(sql`update bookings set rev = rev + 1 where id = ${id}`);
      const who = namesOf(people.filter((p) => bookedPlaces.some((b) => b.user_id === p.id)));
      const delegates = `${moves ? 'Moved' : 'Also put'} to ${sessionWords(to)}: ${who}`;
      await noteChange(tx, by, now(), {
        entityId: client_id,
        action: 'updated',
        subject: { kind: 'booking', id, name: reference },
        after: { delegates },
      });
    }
  };
  /**
   * Those of these people whose client would pay more for their places on the other session than for those that they have. Places of one client
   * are bought together: all of its people here, or none.
   */
  const dearerFor = async (
    tx: Db,
    actor: Actor,
    from: Register,
    to: Register,
    people: readonly Person[],
    bookings: readonly Booked[],
  ): Promise<Person[]> => {
    const dearer: Person[] = [];
    for (const [client, places] of Map.groupBy(bookings, (b) => b.client_id)) {
      const theirs = people.filter((p) => places.some((b) => b.user_id === p.id));
      const paid = await tx.all<{
        booking_id: string;
        bought: number;
      }>(sql`select d.booking_id, count(d.licence_id)::int as bought from session_delegates d
        where d.session_id = ${from.id} and d.removed_at is null and d.same_as is null and d.user_id = any(${theirs.map((p) => p.id)}::uuid[]) group by d.booking_id`);
      const has = (await placesOf(tx, actor, sql`b.client_id = ${client} and t.id = ${from.id}`)).map((place) => {
        const people = places.filter((b) => b.id === place.booking_id).length;
        const bought = paid.find((p) => p.booking_id === place.booking_id)?.bought ?? 0;
        // Whoever stays keeps paying for the session.
        return { ...place, people, bought, paysSession: place.paysSession && people === place.people };
      });
      const freed = from.course.id === to.course.id ? has.reduce((sum, p) => sum + p.bought, 0) : 0;
      const sides = { provider: to.entity.id, client };
      const then = (await placesWanted(tx, sides, [{ session_id: to.id, people: theirs.length }], now())).map((place) => {
        const free = place.orders.reduce((sum, order) => sum + order.places, 0);
        return { ...place, bought: Math.min(theirs.length, free + freed) };
      });
      const netOf = (all: readonly Places[]) => placesTotal(all.flatMap(placesLines)).net_pence;
      if (netOf(then) > netOf(has)) dearer.push(...theirs);
    }
    return dearer;
  };
  /**
   * Asks the clients who booked people for their places on another session: a place costs them, so it is theirs to decide. Who is asked for
   * already is not asked for again. `instead`: of the session that they are booked on now. Returns the messages to those who decide.
   */
  const askClients = async (
    tx: Db,
    by: By,
    to: Register,
    people: readonly Person[],
    bookings: readonly Booked[],
    instead: Register | null,
  ): Promise<ByProduct[]> => {
    if (people.length === 0) return [];
    const { actor } = by;
    const provider = to.entity.id;
    const requested = await tx.all<{ user_id: string }>(sql`select p.user_id from booking_places p join bookings b on b.id = p.booking_id
      where p.session_id = ${to.id} and b.confirmed_at is null and b.cancelled_at is null`);
    const open = people.filter((p) => !requested.some((r) => r.user_id === p.id));
    const { bookings_organiser_reference_prefix: prefix } = await companySettings(tx, provider);
    // Numbers are assigned one at a time; that lock is taken last.
    await lockEntity(tx, `booking of ${provider}`);
    const letters: ByProduct[] = [];
    for (const [client, theirs] of Map.groupBy(open, (p) => bookings.find((b) => b.user_id === p.id)?.client_id as string)) {
      const next = await tx.one<{ n: number }>(sql`select coalesce(max(number), 0) + 1 as n from bookings where provider_id = ${provider}`);
      const { n: number } = existing(next);
      const [id, reference] = [randomUUID(), bookingReference(prefix, number)];
      const made = { created_by: actor.user.uuid, created_at: now(), requested_by: actor.user.uuid, requested_at: now() };
      const notes = instead ? `Instead of ${sessionWords(instead)}: those places are given up when this is approved.` : '';
      await tx.run(insertRow('bookings', { id, provider_id: provider, client_id: client, number, reference, notes, ...made }));
      const place = { booking_id: id, session_id: to.id, instead_of: instead?.id ?? null };
      for (const { id: user_id } of theirs) await tx.run(insertRow('booking_places', { id: randomUUID(), ...place, user_id }));
      await noteChange(tx, by, now(), {
        ...{ entityId: client, action: 'created', subject: { kind: 'booking', id, name: reference }, after: { requested: namesOf(theirs) } },
      });
      const suggested = instead
        ? `to move ${namesOf(theirs)} from ${sessionWords(instead)} to ${sessionWords(to)}, which costs more`
        : `to book ${namesOf(theirs)} on ${sessionWords(to)} as well`;
      const message = `We suggest ${suggested} (${reference}). Approve or decline it under Manage bookings.`;
      letters.push(await tellApprovers(tx, actor, client, message, now()));
    }
    return letters;
  };
  const note = (tx: Db, by: By, { id, course, date, entity }: Register, after: Record<string, unknown>) =>
    noteChange(tx, by, now(), { entityId: entity.id, action: 'updated', subject: { kind: 'session', id, name: `${course.name}, ${date}` }, after });

  const give = async (
    by: By,
    fromId: string,
    { session_id: toId, delegate_ids, waiting }: GiveDelegates,
    moves: boolean,
  ): Promise<DelegatesGiven> => {
    const { actor } = by;
    if (moves && !can(actor.user, 'delegate.remove')) throw new ProductError('forbidden');
    const source = await registerOf(db, actor, fromId);
    const [target] = await registersOf(db, actor, sql`t.id = ${toId}`);
    if (!target || toId === fromId || target.entity.id !== source.entity.id)
      throw invalid('session_id', `Choose another session of ${source.entity.name}.`);
    // Both lists and bookings may be of other organisations' people.
    const given = await beyondScope(() =>
      db.tx(async (tx) => {
        await lockSessions(tx, [fromId, toId]);
        const [from, to] = [await wholeRegister(tx, actor, fromId), await wholeRegister(tx, actor, toId)];
        const closed = await whyClosed(tx, to, now());
        if (closed) throw invalid('session_id', closed);
        const everybody = await chosen(tx, from, delegate_ids);
        // What costs a client more is its own to decide, a copy as one more place: a move within the price leaves them as many places as they booked.
        const missingThere = await notThere(tx, to, everybody);
        const byClients = (await bookingsOn(tx, fromId, missingThere)).filter((b) => b.outside);
        const asked = moves
          ? await dearerFor(tx, actor, from, to, missingThere, byClients)
          : missingThere.filter((p) => byClients.some((b) => b.user_id === p.id));
        const people = moves ? everybody.filter((p) => !asked.includes(p)) : everybody;
        const missing = missingThere.filter((p) => people.includes(p));
        if (moves) {
          const begun = from.completed || !from.cancelled ? await whyClosed(tx, from, now()) : null;
          if (begun) throw new ProductError('session_over', { message: `${begun} Copy people to another session instead.` });
          const noted = from.delegates.filter((d) => d.marks.length > 0 && people.some((p) => p.id === d.user?.id));
          if (noted.length > 0) throw invalid('delegate_ids', `It is noted already whether they were there: ${namesOf(noted)}.`);
        }
        const joining = missing.filter((p) => !asked.includes(p));
        const left = placesLeft(to);
        if (!waiting && left !== null && left < joining.length) throw invalid('waiting', tooFewPlaces(to, left, joining.length));
        await carryBookings(tx, by, from, to, moves ? people : joining, moves);
        if (moves && people.length > 0) {
          const ids = people.map((p) => p.id);
          await takePlaces(tx, by, fromId, ids, `Moved to ${sessionWords(to)}.`, now());
          await touch(tx, fromId);
          await note(tx, by, from, { delegates_moved: people.map((p) => p.name), to: sessionWords(to) });
        }
        const waits = await givePlaces(tx, by, to, joining, now());
        await letWait(tx, by, toId, waits, now());
        const booked = joining.filter((p) => !waits.includes(p));
        const already = people.filter((p) => !missing.includes(p));
        await touch(tx, toId);
        if (joining.length > 0) await note(tx, by, to, { delegates_added: booked.map((p) => p.name), from: sessionWords(from) });
        const settings = await companySettings(tx, to.entity.id);
        const sender = actor.user.uuid;
        const off = moves && !from.cancelled;
        const waitingWords = `${off ? `You are no longer booked on ${sessionWords(from)}. ` : ''}${waitsWords(to)}`;
        const facts = { ...factsOfSession(to), ...(moves ? oldFacts(from) : {}) };
        const letters: ByProduct[] = [
          await tellByCompany(tx, sender, settings, moves ? 'transferred' : 'booked', booked, facts, now()),
          await tellPeople(
            tx,
            sender,
            waits.map((p) => ({ recipient_id: p.id, message: waitingWords })),
            now(),
          ),
          ...(await askClients(tx, by, to, asked, byClients, moves ? from : null)),
          ...(off ? [await tellByCompany(tx, sender, settings, 'removed', already, factsOfSession(from), now())] : []),
        ];
        await messagesOf(services).mailedWith(tx, letters);
        return { session_id: toId, booked, waiting: waits, already, asked };
      }),
    );
    services.mail.wake();
    if (moves) await fillPlaces(services, fromId);
    return given;
  };

  return {
    /** Adds people to the other list as well. */
    copy: (by: By, from: string, body: GiveDelegates): Promise<DelegatesGiven> => give(by, from, body, false),
    /** Moves people from the one list to the other, in one step; they are notified once. */
    transfer: (by: By, from: string, body: GiveDelegates): Promise<DelegatesGiven> => give(by, from, body, true),
    /** The sessions to which people of this one can be added. */
    others: async (actor: Actor, id: string): Promise<OtherSession[]> => {
      const { entity, course } = await registerOf(db, actor, id);
      const rows = await db.all<{ row: OtherSession }>(sql`select json_build_object('id', t.id,
          'course', (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = t.course_id),
          'date', t.date::text, 'startTime', ${time(sql`t.start_time`)}, 'endTime', ${time(sql`t.end_time`)}, 'venue', t.venue, 'room', t.room,
          'maxDelegates', t.max_delegates, 'delegates', places_taken(t.id),
          'there', (select coalesce(json_agg(x.user_id), '[]') from (
              select d.user_id from session_delegates d where d.session_id = t.id and d.same_as is null and d.removed_at is null
              union select w.user_id from session_waiting w where w.session_id = t.id) x
            where exists (select 1 from session_delegates s where s.session_id = ${id} and s.user_id = x.user_id and s.removed_at is null))) as row
        from training_sessions t join entity_names e on e.id = t.entity_id
        where ${visibleSession(actor)} and t.entity_id = ${entity.id} and t.id <> ${id} and t.cancelled_at is null
          and (t.date + t.start_time) at time zone e.time_zone > ${now()}::timestamptz
          and not exists (select 1 from current_completions c where c.session_id = t.id)
        order by (t.course_id = ${course.id}) desc, t.date, t.start_time, t.id limit ${mostOffered}`);
      return rows.map((r) => r.row);
    },
  };
};
