import { randomUUID } from 'node:crypto';
import type { listBookings } from '#contract/api/manage-bookings.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import { type Booking, type BookingApproval, heldStates, type NewBooking, type PlaceChange } from '#contract/entities/booking.ts';
import { bookingReference } from '#contract/rules/booking-reference.ts';
import { bookingOf, bookingPage, bookingWithHistory, chosenOf, type FoundBooking } from '#server/features/bookings/bookings.rows.ts';
import { bookingCostsOf } from '#server/features/bookings/costs.service.ts';
import { tellApprovers, tellProvider } from '#server/features/bookings/booking-notices.service.ts';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { companySettings, settingsFrom } from '#server/features/training-companies/company-settings.rows.ts';
import {
  bookPlaces,
  changePlaces,
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
  listsOf,
  type SessionList,
  type WholeList,
} from '#server/features/training-sessions/places.service.ts';
import { type ByProduct, messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { type Db, often, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Person = { id: string; name: string };
type Asked = { lists: readonly SessionList[]; people: readonly Person[]; waiting: boolean; settings: CompanySettings; zone?: string };
const hourMs = 3_600_000;
/** The ids of those who have a place on a session. */
const onList = ({ delegates }: SessionList) => new Set(delegates.flatMap((d) => (d.user && d.removed === null ? [d.user.id] : [])));
const names = (people: readonly Person[]) =>
  people.length < 4
    ? people.map((p) => p.name).join(', ')
    : `${people
        .slice(0, 3)
        .map((p) => p.name)
        .join(', ')} and ${people.length - 3} more`;

/** A change of a booking, in words. */
const wordsOf = ({ action, after }: { action: string; after: Record<string, unknown> | null }): string => {
  const changes = after ?? {};
  const words: [string, (value: string) => string][] = [
    ['requested', (people) => `Asked for ${people}`],
    ['booked', (people) => `Booked ${people}`],
    ['waiting', (people) => `On the waiting list: ${people}`],
    ['confirmed', () => 'Approved'],
    ['declined', (reason) => `Declined: ${reason}`],
    ['cancelled', (reason) => `Cancelled: ${reason}`],
    ['notes', (notes) => (notes ? `Notes: ${notes}` : 'Notes removed')],
    ['delegates', (what) => what],
  ];
  const parts = words.flatMap(([field, say]) => (field in changes ? [say(String(changes[field]))] : []));
  return parts.length > 0 ? parts.join('. ') : action === 'created' ? 'Made' : 'Changed';
};

/** Bookings: people of an organisation on sessions of a provider. */
export const bookingsOf = (services: Services) => {
  const { db, now } = services;
  const costs = bookingCostsOf(services);
  const messages = messagesOf(services);

  /** The deadline for cancellation by the client: the first session to come, less the provider's notice period. */
  const cancelUntil = async (on: Db, { sessions, provider }: FoundBooking, known?: CompanySettings): Promise<string | null> => {
    const first = sessions.filter((s) => !s.cancelled && s.starts_at > now().toISOString()).map((s) => s.starts_at)[0];
    if (first === undefined) return null;
    const { delegate_removal_cutoff_hours: hours } = known ?? (await companySettings(on, provider.id));
    return new Date(Date.parse(first) - hours * hourMs).toISOString();
  };
  /** The sides of a booking for which the actor may change it. */
  const sidesOf = (actor: Actor, booking: FoundBooking) => {
    const updates = can(actor.user, 'booking.update');
    const sees = (id: string) => actor.seesAll || actor.entityIds.includes(id);
    return {
      client: (updates && sees(booking.client.id)) || booking.created_by.id === actor.user.uuid,
      provider: updates && sees(booking.provider.id) && (booking.internal || booking.manages),
      decides: can(actor.user, ['booking.create', 'booking.manage']) && sees(booking.client.id),
    };
  };
  const one = async (actor: Actor, id: string, settings?: CompanySettings): Promise<Booking> => {
    const { booking, history: changes } = await bookingWithHistory(db, actor, id, now());
    const { internal: _internal, manages: _manages, ...shown } = booking;
    const cost = await costs.ofBooking(actor, booking);
    const cancel_until = await cancelUntil(db, booking, settings);
    const side = sidesOf(actor, booking);
    const live = booking.cancelled_at === null;
    const isRequest = booking.state === 'requested';
    const inTime = isRequest || (cancel_until !== null && cancel_until > now().toISOString());
    const may = {
      change: live && (side.client || side.provider),
      cancel: live && (isRequest || cancel_until !== null) && ((side.client && inTime) || side.provider),
      decide: isRequest && side.decides,
    };
    const history = changes.map((change) => ({ id: change.id, at: change.at, by: change.by, words: wordsOf(change) }));
    return { ...shown, cancel_until, may, cost, history };
  };

  const note = (tx: Db, by: By, booking: { id: string; reference: string; client: string }, action: 'created' | 'updated', after: object) => {
    const subject = { kind: 'booking' as const, id: booking.id, name: booking.reference };
    return noteChange(tx, by, now(), { entityId: booking.client, action, subject, after: { ...after } });
  };
  const requireOpen = async (tx: Db, lists: readonly SessionList[], zone?: string) => {
    for (const list of lists) {
      const problem = await whyClosed(tx, list, now(), zone);
      if (problem) throw invalid('session_ids', problem);
    }
  };
  /**
   * Gives the places of a booking on locked sessions. People without a place join the waiting list if `waiting` says so, otherwise nobody
   * is booked. Returns who waits, and a function that writes everything and returns the letters to send.
   */
  const give = async (tx: Db, by: By, { lists, people, waiting, settings, zone }: Asked) => {
    await requireOpen(tx, lists, zone);
    const shares = lists.map((session) => {
      const on = onList(session);
      const toBook = people.filter((p) => !on.has(p.id));
      const left = placesLeft(session);
      if (!waiting && left !== null && left < toBook.length) throw invalid('waiting', tooFewPlaces(session, left, toBook.length));
      return { session, asked: toBook, rest: toBook.slice(left ?? toBook.length) };
    });
    const waits = [...new Map(shares.flatMap(({ rest }) => rest.map((person) => [person.id, person] as const))).values()];
    const put = async (): Promise<ByProduct[]> => {
      const letters: ByProduct[] = [];
      for (const { session, asked, rest } of shares) {
        const message = waitsWords(session);
        const texts = rest.map((p) => ({ recipient_id: p.id, message }));
        const [{ letter }, , notice] = await Promise.all([
          bookPlaces(tx, by, session, asked, settings, now()),
          letWait(tx, by, session.id, rest, now()),
          tellPeople(tx, by.actor.user.uuid, texts, now()),
        ]);
        letters.push(letter, notice);
      }
      return letters;
    };
    return { waits, put };
  };

  /** The valid part of a choice: sessions of one provider, and visible people who are on none of them. */
  const chosen = async (actor: Actor, { session_ids, user_ids }: NewBooking) => {
    const ids = [...new Set(session_ids)];
    const { sessions, people: found } = await chosenOf(db, actor, ids, user_ids);
    if (sessions.length !== ids.length) throw invalid('session_ids', 'Choose sessions that you can book.');
    const [provider, another] = [...new Set(sessions.map((s) => s.entity_id))];
    if (provider === undefined || another !== undefined)
      throw invalid('session_ids', 'Choose sessions of one provider. Make another booking for the others.');
    const settings = settingsFrom(existing(sessions.find((s) => s.id === ids[0])?.settings));
    if (sessions.length > 1 && !settings.allow_multiple_sessions_per_booking)
      throw invalid('session_ids', `${settings.entity.name} takes one session in a booking. Make another booking for the others.`);
    if (new Set(sessions.map((s) => s.date)).size > 1 && !settings.allow_multiple_days_per_booking)
      throw invalid('session_ids', `${settings.entity.name} takes sessions of one day in a booking. Make another booking for the others.`);
    // In the order of choice: the first get the last places.
    const people = [...new Set(user_ids)].flatMap((id) => found.find((p) => p.id === id) ?? []);
    if (people.length !== new Set(user_ids).size) throw invalid('user_ids', 'Choose people that you can see.');
    const order = sessions.toSorted((a, b) => (a.date < b.date ? -1 : 1)).map((s) => s.id);
    return { provider, settings, people, sessions: order, zone: sessions[0]?.zone as string };
  };
  /** Gives up the places that those of a booking are instead of, on sessions that are still to come. */
  const leavesFormer = async (
    tx: Db,
    by: By,
    booking: string,
    to: SessionList | undefined,
  ): Promise<{ letters: ByProduct[]; sessions: string[] }> => {
    const places = await tx.all<{ session_id: string; user_id: string }>(
      sql`select instead_of as session_id, user_id from booking_places where booking_id = ${booking} and instead_of is not null`,
    );
    const letters: ByProduct[] = [];
    const former = Map.groupBy(places, (p) => p.session_id);
    await lockSessions(tx, [...former.keys()]);
    for (const list of await listsOf(tx, [...former.keys()])) {
      const people = (former.get(list.id) ?? []).map((p) => p.user_id);
      if (list.completed || (!list.cancelled && (await whyClosed(tx, list, now())))) continue;
      const reason = to ? `Moved to ${sessionWords(to)}.` : '';
      letters.push(await changePlaces(tx, by, list.id, now(), () => takePlaces(tx, by, list.id, people, reason, now())));
    }
    return { letters, sessions: [...former.keys()] };
  };
  /** Nobody is booked twice on one session. */
  const refuseTwice = (lists: readonly WholeList[], people: readonly Person[], field = 'user_ids') => {
    const twice = lists
      .flatMap((list) => {
        const listed = new Set([...onList(list), ...list.waiting]);
        return people.filter((p) => listed.has(p.id)).map(({ name }) => ({ name, title: list.course.name }));
      })
      .toSorted((a, b) => a.name.localeCompare(b.name));
    const [first] = twice;
    if (first) throw invalid(field, `${[...new Set(twice.map((t) => t.name))].join(', ')}: on “${first.title}” already, or waiting for it.`);
  };
  /** Whether the same request has already made a booking with this id; refused if the id belongs to a different request. */
  const madeBefore = async (on: Db, actor: Actor, id: string, { session_ids, user_ids }: NewBooking): Promise<boolean> => {
    type Place = { session_id: string; user_id: string };
    const before = await on.one<{ created_by: string; places: Place[] }>(
      often(sql`select b.created_by, (select coalesce(json_agg(json_build_object('session_id', p.session_id, 'user_id', p.user_id)), '[]')
        from booking_places p where p.booking_id = b.id) as places from bookings b where b.id = ${id}`),
    );
    if (!before) return false;
    const same = session_ids.every((s) => user_ids.every((u) => before.places.some((p) => p.session_id === s && p.user_id === u)));
    if (before.created_by !== actor.user.uuid || !same) throw new ProductError('idempotency_mismatch');
    return true;
  };
  type Sides = { client: string; provider: string };
  /** `expected`: the client whose booking it must be; refused otherwise. `id`: the idempotency key. */
  const create = async (
    by: By,
    body: NewBooking,
    expected: { [Side in keyof Sides]?: string | undefined } = {},
    id: string = randomUUID(),
  ): Promise<Booking> => {
    const { actor } = by;
    const asked = async () => {
      const found = await chosen(actor, body);
      const client = actor.seesAll ? found.provider : actor.place.id;
      if ((expected.client ?? client) !== client) throw invalid('clientId', 'You book for the organisation that you are in.');
      if ((expected.provider ?? found.provider) !== found.provider) throw invalid('trainingProviderId', 'These sessions are of another provider.');
      return { ...found, client };
    };
    // What was booked before may be closed by now: no reason to refuse the same request.
    const resolved = await asked().catch(async (error: unknown) => {
      if (await beyondScope(() => madeBefore(db, actor, id, body))) return null;
      throw error;
    });
    if (!resolved) return one(actor, id);
    const { provider, client, settings, people, sessions, zone } = resolved;
    const books = can(actor.user, 'booking.create');
    // The rows belong to the provider, whose sessions the client does not see.
    await beyondScope(() =>
      db.tx(async (tx) => {
        // Sent together, each read after its lock. Numbers are assigned one at a time; that lock is taken last.
        const [, before, lists, , next] = await Promise.all([
          lockSessions(tx, sessions),
          madeBefore(tx, actor, id, body),
          listsOf(tx, sessions),
          lockEntity(tx, `booking of ${provider}`),
          tx.one<{ n: number }>(often(sql`select coalesce(max(number), 0) + 1 as n from bookings where provider_id = ${provider}`)),
        ]);
        if (before) return;
        refuseTwice(lists, people);
        const { n: number } = existing(next);
        const asShown =
          body.shown === undefined ? null : await costs.requireShown(tx, actor, { provider, client }, sessions, people.length, body.shown);
        const reference = bookingReference(settings.bookings_organiser_reference_prefix, number);
        const decision = { by: actor.user.uuid, at: now() };
        const made = insertRow('bookings', {
          ...{ id, provider_id: provider, client_id: client, number, reference, notes: body.notes, created_by: decision.by, created_at: decision.at },
          ...(books ? { confirmed_by: decision.by, confirmed_at: decision.at } : { requested_by: decision.by, requested_at: decision.at }),
        });
        const insert = often(sql`with made as (${made} returning id) insert into booking_places (id, booking_id, session_id, user_id)
            select gen_random_uuid(), made.id, s.id, u.id from made, unnest(${sessions}::uuid[]) with ordinality s (id, n),
              unnest(${people.map((p) => p.id)}::uuid[]) with ordinality u (id, n) order by s.n, u.n`);
        const words = sessionWords(lists[0] as SessionList);
        const booking = { id, reference, client };
        if (!books) {
          await requireOpen(tx, lists, zone);
          const message = `I ask for a booking (${reference}): ${names(people)} on ${words}. Approve or decline it under Manage bookings.`;
          const [, , deciders] = await Promise.all([
            tx.run(insert),
            note(tx, by, booking, 'created', { requested: names(people) }),
            tellApprovers(tx, actor, client, message, now()),
          ]);
          return messages.mailedWith(tx, [deciders]);
        }
        const { waits, put } = await give(tx, by, { lists, people, waiting: body.waiting, settings, zone });
        const booked = people.filter((p) => !waits.some((w) => w.id === p.id));
        const after = { ...(booked.length > 0 ? { booked: names(booked) } : {}), ...(waits.length > 0 ? { waiting: names(waits) } : {}) };
        const message = `${settings.entity.id === client ? 'We' : actor.place.name} booked ${names(people)} on ${words} (${reference}).`;
        const [, letters, , notice] = await Promise.all([
          tx.run(insert),
          put(),
          note(tx, by, booking, 'created', after),
          tellProvider(tx, actor, { provider, client }, message, now()),
        ]);
        await asShown?.(id, waits.length === 0);
        await messages.mailedWith(tx, [...letters, notice]);
      }),
    );
    services.mail.wake();
    return one(actor, id, settings);
  };

  /** Changes a booking that the actor sees and that is not cancelled, under its lock and those of its sessions. */
  const change = async (
    by: By,
    id: string,
    work: (tx: Db, booking: FoundBooking) => Promise<{ after: object; letters: ByProduct[]; freed?: readonly string[] }>,
  ): Promise<Booking> => {
    const unlocked = await bookingOf(db, by.actor, id, now());
    const done = await beyondScope(() =>
      db.tx(async (tx) => {
        await lockSessions(
          tx,
          unlocked.sessions.map((s) => s.id),
        );
        await lockEntity(tx, id);
        const booking = await bookingOf(tx, by.actor, id, now());
        if (booking.cancelled_at !== null)
          throw new ProductError('already_decided', { message: 'This booking has been cancelled or declined already.' });
        const result = await work(tx, booking);
        await tx.run(sql`update bookings set rev = rev + 1 where id = ${id}`);
        await note(tx, by, { id, reference: booking.reference, client: booking.client.id }, 'updated', result.after);
        await messages.mailedWith(tx, result.letters);
        return result;
      }),
    );
    services.mail.wake();
    for (const session of done.freed ?? []) await fillPlaces(services, session);
    return one(by.actor, id);
  };
  const write = (tx: Db, id: string, values: Parameters<typeof updateRows>[2]) => updateRows(tx, 'bookings', values, sql`id = ${id}`);
  const writeNotes = async (tx: Db, by: By, booking: FoundBooking, notes: string) => {
    const side = sidesOf(by.actor, booking);
    if (!side.client && !side.provider) throw new ProductError('forbidden');
    await write(tx, booking.id, { notes });
  };
  const decided = (booking: FoundBooking, actor: Actor) => {
    if (booking.state !== 'requested') throw new ProductError('already_decided');
    if (!sidesOf(actor, booking).decides) throw new ProductError('forbidden');
  };
  const tellAuthor = (tx: Db, by: By, booking: FoundBooking, message: string) =>
    tellPeople(tx, by.actor.user.uuid, [{ recipient_id: booking.created_by.id, message }], now());

  return {
    list: (actor: Actor, query: QueryOf<typeof listBookings>) => bookingPage(db, actor, query, now()),
    one,
    create,
    /** Removes somebody, books them again, or gives their place to somebody else, ahead of the waiting list. */
    changePlace: (by: By, id: string, placeId: string, body: PlaceChange): Promise<Booking> =>
      change(by, id, async (tx, booking) => {
        const { session, place } = existing(
          booking.sessions.flatMap((session) => session.places.map((place) => ({ session, place }))).find(({ place }) => place.id === placeId),
        );
        const side = sidesOf(by.actor, booking);
        if (!booking.confirmed || (!side.client && !side.provider)) throw new ProductError('forbidden');
        if (session.cancelled || session.starts_at <= now().toISOString())
          throw new ProductError('session_over', { message: 'This session has begun or is cancelled.' });
        const settings = await companySettings(tx, booking.provider.id);
        const late = Date.parse(session.starts_at) - settings.delegate_removal_cutoff_hours * hourMs <= now().getTime();
        const on = heldStates.includes(place.state);
        const user = place.user.id;
        if (body.action === 'restore') {
          if (on) throw new ProductError('already_decided', { message: `${place.user.name} is booked already.` });
          const lists = await listsOf(tx, [session.id]);
          refuseTwice(lists, [place.user]);
          const { waits, put } = await give(tx, by, { lists, people: [place.user], waiting: true, settings });
          const after = { delegates: `${waits.length > 0 ? 'Waits for a place again' : 'Booked again'}: ${place.user.name}` };
          return { after, letters: await put() };
        }
        if (!on) throw new ProductError('already_decided', { message: `${place.user.name} is not booked any more.` });
        if (body.action === 'remove') {
          if (late && !side.provider)
            throw new ProductError('forbidden', { message: `It is too late to take somebody off yourself. Ask ${booking.provider.name}.` });
          const letters = [await changePlaces(tx, by, session.id, now(), () => takePlaces(tx, by, session.id, [user], body.reason, now()))];
          return { after: { delegates: `Taken off: ${place.user.name}. ${body.reason}` }, letters, freed: [session.id] };
        }
        const other = await tx.one<Person>(
          sql`select u.id, u.name from users u where u.id = ${body.user_id} and u.disabled_at is null and ${visiblePerson(by.actor)}`,
        );
        if (!other) throw invalid('user_id', 'Choose somebody that you can see.');
        refuseTwice(await listsOf(tx, [session.id]), [other], 'user_id');
        await tx.run(
          sql`${insertRow('booking_places', { id: randomUUID(), booking_id: id, session_id: session.id, user_id: other.id })} on conflict do nothing`,
        );
        const reason = `${other.name} comes instead.`;
        const letters = [
          await changePlaces(tx, by, session.id, now(), async (before) => {
            await takePlaces(tx, by, session.id, [user], reason, now());
            if (place.state === 'waiting') await letWait(tx, by, session.id, [other], now());
            else await givePlaces(tx, by, { ...before, delegates: before.delegates.filter((d) => d.user?.id !== user) }, [other], now());
          }),
        ];
        return { after: { delegates: `${other.name} instead of ${place.user.name}` }, letters };
      }),
    changeNotes: (by: By, id: string, notes: string): Promise<Booking> =>
      change(by, id, async (tx, booking) => {
        await writeNotes(tx, by, booking, notes);
        return { after: { notes }, letters: [] };
      }),
    /** Approves a request; with `notes` changes these as well, both or neither. */
    approve: (by: By, id: string, { waiting, shown }: BookingApproval, notes?: string): Promise<Booking> =>
      change(by, id, async (tx, booking) => {
        decided(booking, by.actor);
        if (notes !== undefined) await writeNotes(tx, by, booking, notes);
        const people = [...new Map(booking.sessions.flatMap((s) => s.places.map((p) => [p.user.id, p.user] as const))).values()];
        const sessions = booking.sessions.map((s) => s.id);
        const sides = { provider: booking.provider.id, client: booking.client.id };
        const priced = booking.sessions.filter((s) => !s.cancelled).map((s) => s.id);
        const asShown = shown === undefined ? null : await costs.requireShown(tx, by.actor, sides, priced, people.length, shown, 'approve');
        await write(tx, id, { confirmed_at: now(), confirmed_by: by.actor.user.uuid });
        const [lists, settings] = await Promise.all([listsOf(tx, sessions), companySettings(tx, booking.provider.id)]);
        const former = await leavesFormer(tx, by, id, lists[0]);
        const { waits, put } = await give(tx, by, { lists, people, waiting, settings });
        const letters = [...former.letters, ...(await put())];
        await asShown?.(id, waits.length === 0);
        const notice = await tellAuthor(tx, by, booking, `Your booking ${booking.reference} is approved.`);
        const message = `${booking.client.name} booked ${names(people)} on “${booking.sessions[0]?.course.name ?? ''}” (${booking.reference}).`;
        const provider = await tellProvider(tx, by.actor, sides, message, now());
        return {
          after: { confirmed: true, ...(notes === undefined ? {} : { notes }), ...(waits.length > 0 ? { waiting: names(waits) } : {}) },
          letters: [...letters, notice, provider],
          freed: former.sessions,
        };
      }),
    decline: (by: By, id: string, reason: string): Promise<Booking> =>
      change(by, id, async (tx, booking) => {
        decided(booking, by.actor);
        await write(tx, id, { cancelled_at: now(), cancelled_by: by.actor.user.uuid, cancellation_reason: reason });
        return {
          after: { declined: reason },
          letters: [await tellAuthor(tx, by, booking, `Your booking ${booking.reference} is declined. Reason: ${reason}`)],
        };
      }),
    cancel: (by: By, id: string, reason: string): Promise<Booking> =>
      change(by, id, async (tx, booking) => {
        const side = sidesOf(by.actor, booking);
        if (!side.client && !side.provider) throw new ProductError('forbidden');
        const coming = booking.sessions.filter((s) => !s.cancelled && s.starts_at > now().toISOString());
        if (booking.confirmed) {
          const until = await cancelUntil(tx, booking);
          if (until === null) throw new ProductError('session_over', { message: 'The sessions of this booking have begun already.' });
          if (!side.provider && until <= now().toISOString())
            throw new ProductError('forbidden', { message: `It is too late to cancel this yourself. Ask ${booking.provider.name}.` });
        }
        const letters: ByProduct[] = [];
        for (const session of booking.confirmed ? coming : []) {
          const held = session.places.filter((p) => heldStates.includes(p.state)).map((p) => p.user.id);
          letters.push(await changePlaces(tx, by, session.id, now(), () => takePlaces(tx, by, session.id, held, reason, now())));
        }
        await write(tx, id, { cancelled_at: now(), cancelled_by: by.actor.user.uuid, cancellation_reason: reason });
        const message = `Booking ${booking.reference} is cancelled. Reason: ${reason}`;
        if (booking.confirmed)
          letters.push(await tellProvider(tx, by.actor, { provider: booking.provider.id, client: booking.client.id }, message, now()));
        return { after: { cancelled: reason }, letters: [...letters, await tellAuthor(tx, by, booking, message)], freed: coming.map((s) => s.id) };
      }),
  };
};
