import { can } from '#contract/can.ts';
import type { BookingCost, ShownCost } from '#contract/entities/booking.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { errors } from '#contract/errors.ts';
import { costsMore, placesTotal, priceChange, shownOf } from '#contract/rules/booking-cost.ts';
import { dayWords } from '#contract/rules/days.ts';
import { bookableSession, bookingOf, type FoundBooking, inOneTree } from '#server/features/bookings/bookings.rows.ts';
import { costOf, lineTitle, placesOf, placesWanted, type SessionPlaces } from '#server/features/bookings/costs.rows.ts';
import { invoiceFile } from '#server/features/training-orders/invoice-lines.service.ts';
import { beyondScope } from '#server/db/scope.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** Who sees what bookings cost: people who book, request places, or manage the bookings of a provider. Not trainers as such. */
const seesCosts: readonly PermissionSlug[] = ['booking.create', 'booking.manage', 'booking.update', 'booking.request', 'booking.provider'];

type Sides = { provider: string; client: string };
/** What bookings between organisations cost. Nothing is paid within one tree of them. */
export const bookingCostsOf = (services: Pick<Services, 'db' | 'now'>) => {
  const { db, now } = services;
  const isOf = (actor: Actor, id: string) => actor.seesAll || actor.entityIds.includes(id);

  /** The costs of a booking that the actor sees: for a request the estimate, otherwise those of its people. */
  const ofBooking = async (actor: Actor, booking: FoundBooking): Promise<BookingCost | null> => {
    const { id, internal, provider, client, state, sessions } = booking;
    const concerned = isOf(actor, client.id) || isOf(actor, provider.id) || booking.created_by.id === actor.user.uuid;
    if (internal || !concerned || !can(actor.user, seesCosts)) return null;
    return beyondScope(async () => {
      if (state !== 'requested') return costOf(await placesOf(db, actor, sql`b.id = ${id}`));
      const bookedPlaces = sessions.filter((s) => !s.cancelled).map((s) => ({ session_id: s.id, people: s.places.length }));
      return costOf(await placesWanted(db, { provider: provider.id, client: client.id }, bookedPlaces, now()));
    });
  };

  /** What that many people on sessions of a provider cost a client now; nothing where the two do not pay each other. Beyond scope. */
  const wantedOf = async (on: Db, { provider, client }: Sides, sessionIds: readonly string[], people: number): Promise<SessionPlaces[] | null> => {
    const paid = await on.one(sql`select 1 where not ${inOneTree(sql`${provider}::uuid`, sql`${client}::uuid`)}`);
    if (!paid) return null;
    const requestedPlaces = sessionIds.map((session_id) => ({ session_id, people }));
    return placesWanted(on, { provider, client }, requestedPlaces, now());
  };
  type Again = Parameters<typeof priceChange>[2];
  const refuse = (shown: ShownCost, cost: BookingCost | null, again: Again) => {
    const message = priceChange(shown, shownOf(cost), again) ?? errors.price_changed.message;
    return new ProductError('price_changed', { message, extra: { shown, cost } });
  };

  return {
    ofBooking,
    /**
     * Throws `price_changed` if places cost something other than the form showed. The returned function is to be called once the places
     * were given: it throws if the price changed meanwhile, so that none are booked at a price that was not shown.
     */
    requireShown: async (
      tx: Db,
      actor: Actor,
      sides: Sides,
      sessionIds: readonly string[],
      people: number,
      displayed: ShownCost | null,
      again: Again = 'book',
    ) => {
      const shown = displayed ?? shownOf(null);
      const requested = await wantedOf(tx, sides, sessionIds, people);
      const cost = requested && costOf(requested);
      if (priceChange(shown, shownOf(cost))) throw refuse(shown, cost, again);
      return async (booking: string, everybody: boolean): Promise<void> => {
        if (!requested) return;
        const actualPlaces = await placesOf(tx, actor, sql`b.id = ${booking}`);
        const other = actualPlaces.some(
          (g) => JSON.stringify(g.price) !== JSON.stringify(requested.find((w) => w.session_id === g.session_id)?.price),
        );
        if (other || (everybody && costsMore(shown, shownOf(costOf(actualPlaces))))) {
          const now = await wantedOf(tx, sides, sessionIds, people);
          throw refuse(shown, everybody ? costOf(actualPlaces) : now && costOf(now), again);
        }
      };
    },
    /** What it would cost the actor’s organisation to book that many people on these sessions. */
    estimate: async (actor: Actor, sessionIds: readonly string[], people: number): Promise<BookingCost | null> => {
      const ids = [...new Set(sessionIds)];
      const client = actor.place.id;
      const found = await db.all<{ id: string; provider: string; internal: boolean }>(
        sql`select t.id, t.entity_id as provider, ${inOneTree(sql`t.entity_id`, sql`${client}::uuid`)} as internal
          from training_sessions t where t.id = any(${ids}::uuid[]) and ${bookableSession(actor)}`,
      );
      existing(found.length === ids.length);
      const [provider, another] = [...new Set(found.map((s) => s.provider))];
      if (provider === undefined || another !== undefined) throw invalid('sessions', 'Choose sessions of one provider.');
      if (actor.seesAll || found.some((s) => s.internal)) return null;
      const requested = ids.map((session_id) => ({ session_id, people }));
      return beyondScope(async () => costOf(await placesWanted(db, { provider, client }, requested, now())));
    },
    /** The invoice lines for the sessions of a booking that were held; 404 while there are none. */
    invoice: async (actor: Actor, id: string, format: 'pdf' | 'csv') => {
      const booking = await bookingOf(db, actor, id, now());
      const cost = existing(await ofBooking(actor, booking));
      const lines = cost.lines.filter((line) => line.held);
      existing(lines.length > 0);
      const { reference: number, provider, client } = booking;
      const zone = existing(
        await beyondScope(() => db.one<{ zone: string }>(sql`select e.time_zone as zone from entities e where e.id = ${client.id}`)),
      ).zone;
      const last = lines.reduce((latest, line) => (line.on > latest ? line.on : latest), '');
      return invoiceFile(
        services,
        {
          ...{ kind: 'Booking', dated: 'Held', number, reference: '', provider, client: client.name, zone },
          lines: lines.map((line) => ({
            ...line,
            ...{ on: dayWords(line.on), title: lineTitle(line), shares: null },
          })),
          total: { ...placesTotal(lines), on: dayWords(last), shares: null },
        },
        format,
      );
    },
  };
};
