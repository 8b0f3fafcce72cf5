import classes from '#src/features/bookings/bookings.module.css';
import { Button, Checkbox, Textarea } from '@mantine/core';
import { useParams } from 'react-router-dom';
import { approveBooking, cancelBooking, changeBooking, declineBooking } from '#contract/api/manage-bookings.ts';
import { type Booking, type BookingPlace, heldStates, RemovePlace, ReplacePlace } from '#contract/entities/booking.ts';
import { shownOf } from '#contract/rules/booking-cost.ts';
import { call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import { Cost, CostEstimate } from '#src/features/bookings/cost.tsx';
import { bookingWords, freeWords, placeWords, whenWords, whereWords } from '#src/features/bookings/words.ts';
import { formatMoment } from '#src/lib/format.ts';
import { AccountsFiles } from '#src/screens/accounts-files.tsx';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { correctedNow } from '#src/offline/clock.ts';
import { Form } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';

type Saved = { booking: Booking; dialog: string; onSaved: () => void };
const closing = (dialog: string, onSaved: () => void) => () => {
  closeModal(dialog);
  onSaved();
};

const Cancel = ({ booking: { id, reference }, dialog, onSaved }: Saved) => {
  const fields = useForm({
    schema: cancelBooking.body,
    begin: { reason: '' },
    toInput: (values) => values,
    save: (body) => call('POST /bookings/{id}/cancellation', { params: { id }, body }),
    success: 'The booking is cancelled.',
    onSaved: closing(dialog, onSaved),
  });
  return (
    <Form form={fields} save="Cancel the booking">
      <p>The places of {reference} on upcoming sessions become free. Everyone concerned gets a message with your reason.</p>
      <Textarea label="Reason" autosize minRows={2} maxLength={1000} required {...fields.field('reason')} />
    </Form>
  );
};

const Decline = ({ booking: { id, created_by }, dialog, onSaved }: Saved) => {
  const fields = useForm({
    schema: declineBooking.body,
    begin: { reason: '' },
    toInput: (values) => values,
    save: (body) => call('POST /bookings/{id}/refusal', { params: { id }, body }),
    success: 'The request is declined.',
    onSaved: closing(dialog, onSaved),
  });
  return (
    <Form form={fields} save="Decline">
      <p>{created_by.name} gets a message with your reason.</p>
      <Textarea label="Reason" autosize minRows={2} maxLength={1000} required {...fields.field('reason')} />
    </Form>
  );
};

const Approve = ({ booking: { id, created_by, cost }, dialog, onSaved }: Saved) => {
  const fields = useForm({
    schema: approveBooking.body,
    begin: { waiting: false },
    toInput: (values) => values,
    save: async (body) => {
      const answer = await call('POST /bookings/{id}/approval', { params: { id }, body: { ...body, shown: cost && shownOf(cost) } });
      // Loads the new price into this dialog.
      if (answer.kind === 'refused' && answer.error.code === 'price_changed') onSaved();
      return answer;
    },
    success: 'The booking is confirmed.',
    onSaved: closing(dialog, onSaved),
  });
  return (
    <Form form={fields} save="Approve">
      <p>The people are booked. They and {created_by.name} get a message.</p>
      <div role="status">{cost && <CostEstimate cost={cost} />}</div>
      <Checkbox label="Add those who get no place to the waiting list" {...fields.checkbox('waiting')} />
    </Form>
  );
};

const Notes = ({ booking: { id, notes }, dialog, onSaved }: Saved) => {
  const fields = useForm({
    schema: changeBooking.body,
    begin: { notes },
    toInput: (values) => values,
    save: (body) => call('PATCH /bookings/{id}', { params: { id }, body }),
    success: 'The notes are saved.',
    onSaved: closing(dialog, onSaved),
  });
  return (
    <Form form={fields}>
      <Textarea label="Notes" description="The provider reads them, too." autosize minRows={3} maxLength={2000} {...fields.field('notes')} />
    </Form>
  );
};

type Place = Booking['sessions'][number]['places'][number];
type PlaceProps = { booking: Booking; place: Place; dialog: string; onSaved: () => void };
const TakeOff = ({ booking, place, dialog, onSaved }: PlaceProps) => {
  const fields = useForm({
    schema: RemovePlace,
    begin: { action: 'remove' as const, reason: '' },
    toInput: (values) => values,
    save: (body) => call('PATCH /bookings/{id}/places/{place}', { params: { id: booking.id, place: place.id }, body }),
    success: `${place.user.name} is no longer booked.`,
    onSaved: closing(dialog, onSaved),
  });
  return (
    <Form form={fields} save="Take off">
      <p>{place.user.name} gets a message. The place goes to the person who has waited longest.</p>
      <Textarea label="Reason" autosize minRows={2} maxLength={1000} required {...fields.field('reason')} />
    </Form>
  );
};
const Replace = ({ booking, place, dialog, onSaved }: PlaceProps) => {
  const fields = useForm({
    schema: ReplacePlace,
    begin: { action: 'replace' as const, user_id: null as Option | null },
    toInput: ({ user_id, action }) => ({ action, user_id: user_id?.id }),
    save: (body) => call('PATCH /bookings/{id}/places/{place}', { params: { id: booking.id, place: place.id }, body }),
    success: 'The place has been passed on.',
    onSaved: closing(dialog, onSaved),
  });
  return (
    <Form form={fields} save="Book instead">
      <p>Both people get a message. The place is not offered to the waiting list.</p>
      <Picker from="people" label="Who comes instead" {...fields.field('user_id')} />
    </Form>
  );
};

/** The actions for one place of a booking. */
const PlaceTools = ({ booking, place, onSaved }: Omit<PlaceProps, 'dialog'>) => {
  const restoring = useAction(
    () => call('PATCH /bookings/{id}/places/{place}', { params: { id: booking.id, place: place.id }, body: { action: 'restore' } }),
    { success: `${place.user.name} is booked again, or waits for a place.`, onDone: onSaved },
  );
  const isHeld = heldStates.includes(place.state);
  const [removeDialog, replaceDialog] = [`take-off-${place.id}`, `replace-${place.id}`];
  const { name } = place.user;
  if (!isHeld)
    return (
      <Button variant="subtle" loading={restoring.busy} aria-label={`Book again: ${name}`} onClick={() => void restoring.run()}>
        Book again
      </Button>
    );
  return (
    <span className={classes.placeTools} data-actions>
      <Button variant="subtle" aria-label={`Replace … ${name} by somebody else`} onClick={() => openModal(replaceDialog)}>
        Replace …
      </Button>
      <Button variant="subtle" color="gray" aria-label={`Take off … ${name}`} onClick={() => openModal(removeDialog)}>
        Take off …
      </Button>
      <RegisteredModal name={removeDialog} title={`Take ${name} off?`}>
        {() => <TakeOff booking={booking} place={place} dialog={removeDialog} onSaved={onSaved} />}
      </RegisteredModal>
      <RegisteredModal name={replaceDialog} title={`Instead of ${name}`}>
        {() => <Replace booking={booking} place={place} dialog={replaceDialog} onSaved={onSaved} />}
      </RegisteredModal>
    </span>
  );
};

/** The deadline of somebody who moved up from the waiting list and has not accepted yet. */
const acceptWords = ({ accept_by: until }: BookingPlace) => until && `moved up, and is asked to accept by ${formatMoment(until)}`;

const SessionOf = ({ booking, session, onSaved }: { booking: Booking; session: Booking['sessions'][number]; onSaved: () => void }) => (
  <Section title={`${session.course.name}, ${whenWords(session)}`}>
    <p className={layout.soft}>
      {[whereWords(session), `Trainer: ${session.trainer.name}`, session.cancelled ? 'This session is cancelled' : freeWords(session)].join(' · ')}
    </p>
    <ul className={layout.lines}>
      {session.places.map((place) => (
        <li key={place.id}>
          <span>
            <strong>{place.user.name}</strong>
            <small className={layout.soft}>{[place.place, place.reason, acceptWords(place)].filter(Boolean).join(' · ')}</small>
          </span>
          <Badge tone={placeWords[place.state].tone}>{placeWords[place.state].words}</Badge>
          {booking.may.change && booking.confirmed && !session.cancelled && session.starts_at > correctedNow().toISOString() && (
            <PlaceTools booking={booking} place={place} onSaved={onSaved} />
          )}
        </li>
      ))}
    </ul>
  </Section>
);

const tooLate = ({ may, state, cancel_until, provider }: Booking) =>
  state === 'confirmed' && !may.cancel && cancel_until !== null && `It could be cancelled until ${formatMoment(cancel_until)}. Ask ${provider.name}.`;

/** A booking: its sessions and people, its notes, its actions, and its history. */
export const Component = () => {
  const { id = '' } = useParams();
  const { state, retry } = useReadOf<Booking>(['booking', id], (signal) => call('GET /bookings/{id}', { params: { id } }, { signal }), {
    keepShown: 'same',
  });
  if (state.kind !== 'loaded')
    return <ReadPlaceholder order={1} state={state} retry={retry} loading="Loading the booking" offline="A booking needs a connection." />;
  const booking = state.data;
  const { reference, provider, client, created_by, created_at, cancelled_at, cancelled_by, confirmed_by, confirmed_at, may } = booking;
  const dialogs = (['approve', 'decline', 'cancel', 'notes'] as const).map((name) => [name, `${name}-booking-${id}`] as const);
  const nameOf = Object.fromEntries(dialogs) as Record<(typeof dialogs)[number][0], string>;
  const lateNotice = tooLate(booking);
  const parts = { booking, onSaved: retry };
  return (
    <DetailPage
      title={reference}
      badge={<Badge tone={bookingWords[booking.state].tone}>{bookingWords[booking.state].words}</Badge>}
      about={[`For ${client.name}`, client.id !== provider.id && `with ${provider.name}`, `made by ${created_by.name}, ${formatMoment(created_at)}`]}
      actions={
        <>
          {may.decide && <Button onClick={() => openModal(nameOf.approve)}>Approve …</Button>}
          {may.decide && (
            <Button variant="default" onClick={() => openModal(nameOf.decline)}>
              Decline …
            </Button>
          )}
          {may.cancel && (
            <Button variant="default" color="red" onClick={() => openModal(nameOf.cancel)}>
              Cancel the booking …
            </Button>
          )}
        </>
      }
      aside={
        <>
          <Section
            title="Notes"
            tools={
              may.change && (
                <Button variant="default" onClick={() => openModal(nameOf.notes)}>
                  Edit
                </Button>
              )
            }
          >
            <p className={shapes.text}>{booking.notes || 'None.'}</p>
          </Section>
          {booking.history.length > 0 && (
            <Section title="History">
              <ol className={layout.lines}>
                {booking.history.map((change) => (
                  <li key={change.id}>
                    <strong>{change.words}</strong>
                    <small className={layout.soft}>
                      {change.by.name}, {formatMoment(change.at)}
                    </small>
                  </li>
                ))}
              </ol>
            </Section>
          )}
        </>
      }
    >
      {lateNotice && (
        <p className={layout.notice} data-tone="warning">
          {lateNotice}
        </p>
      )}
      <Facts
        title="Status"
        facts={[
          ['Provider', provider.name],
          ['For', client.name],
          ['Confirmed', confirmed_at && `${formatMoment(confirmed_at)}, ${confirmed_by?.name ?? ''}`],
          [booking.state === 'declined' ? 'Declined' : 'Cancelled', cancelled_at && `${formatMoment(cancelled_at)}, ${cancelled_by?.name ?? ''}`],
          ['Reason', booking.cancellation_reason],
        ]}
      />
      {booking.sessions.map((session) => (
        <SessionOf key={session.id} booking={booking} session={session} onSaved={retry} />
      ))}
      {booking.cost && (
        <Cost
          cost={booking.cost}
          title={booking.state === 'requested' ? 'Estimated cost' : 'Cost'}
          note={
            booking.state === 'requested'
              ? 'By the price list of the provider as it is today.'
              : 'Everyone on the list of a session is charged, present or absent. Payment is due once the session has been held.'
          }
        />
      )}
      {booking.cost?.lines.some((line) => line.held) && (
        <AccountsFiles
          name={reference}
          about="The lines of the sessions that were held, with net, VAT and gross. They are paid outside the product."
          load={(format) => call('GET /bookings/{id}/invoice', { params: { id }, query: { format } })}
        />
      )}
      <RegisteredModal name={nameOf.approve} title={`Approve ${reference}?`}>
        {() => <Approve {...parts} dialog={nameOf.approve} />}
      </RegisteredModal>
      <RegisteredModal name={nameOf.decline} title={`Decline ${reference}?`}>
        {() => <Decline {...parts} dialog={nameOf.decline} />}
      </RegisteredModal>
      <RegisteredModal name={nameOf.cancel} title={`Cancel ${reference}?`}>
        {() => <Cancel {...parts} dialog={nameOf.cancel} />}
      </RegisteredModal>
      <RegisteredModal name={nameOf.notes} title={`Notes of ${reference}`}>
        {() => <Notes {...parts} dialog={nameOf.notes} />}
      </RegisteredModal>
    </DetailPage>
  );
};
