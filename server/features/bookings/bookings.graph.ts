import { books, cancelBooking, listBookings, seesBookings } from '#contract/api/manage-bookings.ts';
import { sorts } from '#contract/api/sorts.ts';
import {
  type Booking,
  BookingChange,
  BookingHeader,
  BookingInput,
  BookingPlace,
  BookingSession,
  bookingStates,
  NewBooking,
  ShownCost,
} from '#contract/entities/booking.ts';
import { bookingsOf } from '#server/features/bookings/bookings.service.ts';
import { builder, type GraphContext, idOf, inNames, page, paginator, signedIn } from '#server/graphql/builder.ts';
import { graphInput, graphType } from '#server/graphql/entity-types.ts';
import { existing } from '#server/db/rows.ts';
import { invalid } from '#server/product-error.ts';
import { read } from '#server/validation.ts';

const serviceOf = (context: GraphContext) => bookingsOf(context.services);
/** Absent arguments are not filters. */
const presentArgs = (args: object) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined));

const whole = async (booking: { id: string }, context: GraphContext): Promise<Booking> =>
  'history' in booking ? (booking as Booking) : serviceOf(context).one(signedIn(context), booking.id);

/** Bookings: found, made, changed and cancelled. */
export const bookingsGraph = () => {
  graphType('BookingPlace', BookingPlace, {
    description: 'Ours: a person for whom a place is booked.',
    about: {
      state: 'requested, booked, asked (has not answered), accepted, waiting, declined or removed.',
      place: 'The organisation that they belong to.',
    },
  });
  const Session = graphType('BookingSession', BookingSession, {
    description: 'Ours: a session of a booking, with the people of the booking.',
    about: { free: 'Null: as many as come.' },
  });
  const Change = graphType('BookingChange', BookingChange, { description: 'Ours: what became of a booking.' });
  const Type = graphType('Booking', BookingHeader, {
    description: 'Places on training sessions that an organisation books with a provider.',
    about: {
      ...{ provider: 'Ours.', client: 'Ours.', created_by: 'Ours.', created_at: 'Ours.', rev: 'Ours: its version.' },
      state: `Ours: ${bookingStates.join(', ')}.`,
    },
    more: (t) => ({
      // A list row has only the number of sessions; the sessions themselves are read on request.
      sessions: t.field({
        ...{ type: [Session], description: 'Ours.' },
        resolve: async (b, _, context) => (await whole(b, context)).sessions,
      }),
      history: t.field({
        ...{ type: [Change], description: 'Ours: latest first.' },
        resolve: async (b, _, context) => (await whole(b, context)).history,
      }),
    }),
  });
  const Bookings = paginator(Type);
  graphInput('ShownCostInput', ShownCost, 'Ours: what was shown that a booking would cost.');
  const Input = graphInput(
    'BookingInput',
    BookingInput,
    'Without id a new booking of `user_ids` on `training_session_ids`; it is a request where the caller may only ask for one. With id its notes are changed, and with `confirmed` a request is approved. `waiting`: those who get no place are put on the waiting list. `shown` is ours: what was shown that it costs, null where nothing was to be paid; it is refused where that is something else by now.',
  );
  builder.queryFields((t) => ({
    bookings: t.field({
      type: Bookings,
      description: 'The bookings of the caller’s organisation and below it, those made with it, and the caller’s own.',
      args: {
        ...{ first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
        state: t.arg.string({ description: `Ours: ${bookingStates.join(', ')}.` }),
        when: t.arg.string({ description: 'Ours: coming or past.' }),
        entity: t.arg.id({ description: 'Ours: only those of this client or provider.' }),
        course: t.arg.id({ description: 'Ours.' }),
        sort: t.arg.string({ description: `Ours: ${sorts.bookings.join(' or ')}; a minus before it turns the order round.` }),
      },
      resolve: async (_, { first, page: no, ...filters }, context) => {
        const actor = signedIn(context, seesBookings);
        const paging = page({ first, page: no });
        const { data, meta } = await serviceOf(context).list(
          actor,
          existing(read(listBookings.query, { ...presentArgs(filters), page: paging.page, per_page: paging.first })),
        );
        return { data, total: meta.total, ...paging };
      },
    }),
    booking: t.field({
      type: Type,
      description: 'One booking.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, context) => serviceOf(context).one(signedIn(context, seesBookings), idOf(id)),
    }),
  }));
  builder.mutationFields((t) => ({
    upsertBooking: t.field({
      type: Type,
      description:
        'Makes a booking (needs permission booking.create, or booking.request for a request), or changes the notes of one or approves it (booking.create or booking.manage).',
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: async (_, { input }, context) => {
        const { id, notes, waiting = false, confirmed, shown, ...asked } = existing(read(BookingInput, input));
        if (id === undefined) {
          const actor = signedIn(context, books);
          const requested = { session_ids: asked.training_session_ids ?? [], user_ids: asked.user_ids ?? [], notes: notes ?? '', waiting, shown };
          const whose = { client: asked.clientId, provider: asked.trainingProviderId };
          return inNames({ session_ids: 'training_session_ids' }, () =>
            serviceOf(context).create({ actor, request: context.request }, existing(read(NewBooking, requested)), whose),
          );
        }
        const by = { actor: signedIn(context, confirmed ? ['booking.create', 'booking.manage'] : seesBookings), request: context.request };
        if (asked.training_session_ids || asked.user_ids)
          throw invalid(
            asked.user_ids ? 'user_ids' : 'training_session_ids',
            'The sessions and people of a booking are not replaced. Make another booking, or change its delegates.',
          );
        if (confirmed === false) throw invalid('confirmed', 'A booking that is confirmed stays so. Cancel it instead.');
        if (confirmed) return inNames({ session_ids: 'id' }, () => serviceOf(context).approve(by, id, { waiting, shown }, notes));
        return notes === undefined ? serviceOf(context).one(by.actor, id) : serviceOf(context).changeNotes(by, id, notes);
      },
    }),
    cancelBooking: t.field({
      type: Type,
      description: 'Cancels a booking for a reason, which everybody concerned gets; it has cancelled_at then.',
      args: { id: t.arg.id({ required: true }), cancellation_reason: t.arg.string({ required: true }) },
      resolve: (_, { id, cancellation_reason: reason }, context) => {
        const actor = signedIn(context, seesBookings);
        return inNames({ reason: 'cancellation_reason' }, () =>
          serviceOf(context).cancel({ actor, request: context.request }, idOf(id), existing(read(cancelBooking.body, { reason })).reason),
        );
      },
    }),
  }));
};
