import { Button, Textarea, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { webAddress } from '#contract/rules/links.ts';
import { cancelOwnBooking } from '#contract/api/bookings.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import { type AnswerState, answerState } from '#contract/rules/delegate-answer.ts';
import { joinAheadMinutes } from '#contract/entities/training-session.ts';
import { checkInOpens } from '#contract/rules/check-in.ts';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import { calendarFile } from '#contract/rules/calendar-file.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { CalendarFeed } from '#src/features/training-sessions/calendar-feed.tsx';
import { OwnDocuments } from '#src/features/training-sessions/document-list.tsx';
import { HowWasIt } from '#src/features/training-sessions/evaluation.tsx';
import classes from '#src/features/training-sessions/your-bookings.module.css';
import { useCheckIn } from '#src/features/training-sessions/use-check-in.ts';
import { useNow } from '#src/features/training-sessions/use-now.ts';
import { useOwnBookings } from '#src/features/training-sessions/use-own-bookings.ts';
import { nearDay, today } from '#src/device/near-day.ts';
import { formatMoment, formatTime } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { Form } from '#src/screens/form.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { AsOf } from '#src/ui/as-of.tsx';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import { IconCalendar, IconCheck } from '#src/ui/icons.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { EmptyState } from '#src/ui/states.tsx';

const states: Record<OwnBooking['state'], { words: string; tone: Tone }> = {
  booked: { words: 'Booked', tone: 'ok' },
  waiting: { words: 'On the waiting list', tone: 'warning' },
  cancelled: { words: 'Cancelled', tone: 'danger' },
  not_coming: { words: 'You do not come', tone: 'plain' },
  removed: { words: 'No longer booked', tone: 'plain' },
  recorded: { words: 'In your record', tone: 'ok' },
  past: { words: 'Past', tone: 'plain' },
};
const whenWords = (b: OwnBooking) => `${nearDay(b.date)}, ${timesWords(b)}`;

const answers: Record<AnswerState, { words: string; tone: Tone }> = {
  asked: { words: 'Waits for your answer', tone: 'warning' },
  accepted: { words: 'Accepted', tone: 'ok' },
  lapsed: { words: 'Not accepted in time', tone: 'danger' },
};
/** Whether they are asked to confirm, and their answer; null if nobody asks. */
const answerNow = ({ state, answer }: OwnBooking, now: string) => (state === 'booked' ? answerState(answer, now) : null);
/** What happens without an answer. */
const untilWords = ({ answer }: OwnBooking) => {
  if (answer?.lapses_at) return `Accept by ${formatMoment(answer.lapses_at)}. After that the place goes to the next person waiting.`;
  return answer?.counts_at
    ? `If you say nothing until ${formatMoment(answer.counts_at)}, you count as coming.`
    : 'You keep your place until you say that you cannot come.';
};
/** On the waiting list, number 2 */
const stateOf = (booking: OwnBooking, now: string) => {
  const { state, waiting_no } = booking;
  const answer = answerNow(booking, now);
  const { words, tone } = answer ? answers[answer] : states[state];
  return { words: waiting_no === null ? words : `${words}, number ${waiting_no}`, tone };
};

const reasonWords: Partial<Record<OwnBooking['state'], string>> = { cancelled: 'Why it is cancelled', removed: 'Why you are no longer booked' };

/** Asks why somebody does not come, or no longer waits. */
const NotComing = ({ booking, dialog, onSaved }: { booking: OwnBooking; dialog: string; onSaved: () => void }) => {
  const waits = booking.state === 'waiting';
  const fields = useForm({
    schema: cancelOwnBooking.body,
    begin: { reason: '' },
    toInput: (values) => values,
    save: (body) => call('POST /bookings/own/{id}/cancellation', { params: { id: booking.id }, body }),
    success: waits ? 'You wait no longer.' : 'You have given up your place.',
    onSaved: () => {
      closeModal(dialog);
      onSaved();
    },
  });
  return (
    <Form form={fields} save={waits ? 'Wait no longer' : 'Give up my place'}>
      <p>
        {booking.course.name}, {whenWords(booking)}.{!waits && ' The person who booked you and your trainer get a message with your reason.'}
      </p>
      <Textarea label="Why you cannot come" autosize maxLength={500} required {...fields.field('reason')} />
    </Form>
  );
};

const access = ({ access: known }: OwnBooking) =>
  known
    ? [known.step_free && 'Step-free', known.hearing_loop && 'Hearing loop', known.parking && 'Parking', known.notes].filter(Boolean).join(' · ')
    : '';

/** A place on a coming session: when, where, what to bring, and the person's actions. */
const Coming = ({ booking, next, onChange }: { booking: OwnBooking; next: boolean; onChange: () => void }) => {
  const hasLine = useLine();
  const now = useNow();
  const accepting = useAction(() => call('POST /bookings/own/{id}/agreement', { params: { id: booking.id } }), {
    success: 'Thank you. You keep your place.',
    onDone: onChange,
  });
  const dialog = `not-coming-${booking.id}`;
  const badge = stateOf(booking, now);
  const asked = booking.starts_at > now && (booking.move_asked || answerNow(booking, now) === 'asked');
  const until = booking.answer?.lapses_at;
  const lapsed = answerNow(booking, now) === 'lapsed';
  const { virtual, joining_link, starts_at, ends_at } = booking;
  const opens = new Date(Date.parse(starts_at) - joinAheadMinutes * 60_000).toISOString();
  const { course, trainer, venue, room, address, aim, bring, state, reason } = booking;
  const checkedIn = useCheckIn(booking.session_id);
  const checksIn =
    state === 'booked' && now >= checkInOpens(starts_at) && now <= ends_at && (checkedIn?.kind === 'none' || checkedIn?.kind === 'refused');
  const onMap = `https://www.openstreetmap.org/search?query=${encodeURIComponent(address.replaceAll('\n', ', '))}`;
  const facts = [
    ['Where', [virtual && 'On your screen', venue, room].filter(Boolean).join(', ')],
    ['Address', address],
    ['Access', access(booking)],
    ['Trainer', booking.external_trainer || trainer.name],
    ['What to bring', bring],
    ['About', aim],
    [reasonWords[state] ?? 'Why you do not come', reason],
  ].filter(([, words]) => words);
  const entry = () =>
    saveFile(new Blob([calendarFile(booking, location.origin, correctedNow())], { type: 'text/calendar' }), null, `${course.name}.ics`);
  return (
    <article className={`app-card ${layout.block}`} aria-label={`${course.name}, ${whenWords(booking)}`}>
      <div className={layout.head}>
        <div>
          <p className={classes.when} data-next={next || undefined}>
            {whenWords(booking)}
          </p>
          <Title order={3} size="h3">
            {course.name}
          </Title>
        </div>
        <Badge tone={badge.tone}>{badge.words}</Badge>
      </div>
      {state === 'waiting' && (
        <p>The session is full. As soon as there is a place for you, you get it, and a message that says if you have to accept it.</p>
      )}
      {state === 'booked' && virtual && now < ends_at && (now < opens || !joining_link) && (
        <p>
          {joining_link
            ? `You can join from ${joinAheadMinutes} minutes before it begins. The link is sent to you the day before.`
            : 'The joining link is sent to you as soon as it is known.'}
        </p>
      )}
      {asked && (
        <div className={`${layout.notice} ${layout.block}`} data-tone="warning" role="status">
          <strong>
            {booking.move_asked
              ? 'This session has moved. Can you come at this time?'
              : until
                ? 'A place has become free for you. Can you come?'
                : 'Can you come?'}
          </strong>
          <span>{untilWords(booking)}</span>
          <div className={layout.tools}>
            <Button disabled={!hasLine} loading={accepting.busy} onClick={() => void accepting.run()}>
              {booking.move_asked ? 'I can come' : 'Accept'}
            </Button>
            <Button variant="default" disabled={!hasLine} onClick={() => openModal(dialog)}>
              I cannot come
            </Button>
            {!hasLine && <span>This needs a connection.</span>}
          </div>
        </div>
      )}
      {lapsed && until && booking.starts_at > now && (
        <div className={`${layout.notice} ${layout.block}`} data-tone="danger" role="status">
          <strong>You had until {formatMoment(until)} to accept this place.</strong>
          <span>It goes to the next person waiting. If you can come, talk to the person who booked you.</span>
        </div>
      )}
      {checkedIn?.kind === 'accepted' && (
        <Badge tone="ok" icon={IconCheck} role="status">
          You checked in at {formatTime(checkedIn.at)}
        </Badge>
      )}
      {checkedIn?.kind === 'kept' && (
        <p role="status">You checked in at {formatTime(checkedIn.at)}. It is kept on this device and sent when there is a connection.</p>
      )}
      {checkedIn?.kind === 'refused' && (
        <p className={layout.notice} data-tone="danger" role="status">
          You are not checked in. {checkedIn.why}
        </p>
      )}
      <dl className={`${shapes.facts} ${classes.facts}`}>
        {facts.map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <OwnDocuments booking={booking} />
      <div className={layout.tools}>
        {state === 'booked' && webAddress(joining_link) && now >= opens && now < ends_at && (
          <Button component="a" href={joining_link} target="_blank" rel="noreferrer">
            Join
          </Button>
        )}
        {checksIn && (
          <Button component={Link} to={pathTo('check-in-by-id', { id: booking.session_id })}>
            Check in
          </Button>
        )}
        {((state === 'booked' && !lapsed) || state === 'cancelled') && (
          <Button variant="default" leftSection={<IconCalendar size={18} />} onClick={entry}>
            {state === 'booked' ? 'Add to calendar' : 'Cancellation for your calendar'}
          </Button>
        )}
        {state === 'booked' && address && (
          <Button variant="default" component="a" href={onMap} target="_blank" rel="noreferrer">
            Show on a map
          </Button>
        )}
        {!asked && !lapsed && (state === 'booked' || state === 'waiting') && booking.starts_at > correctedNow().toISOString() && (
          <>
            <Button variant="subtle" color="red" disabled={!hasLine} onClick={() => openModal(dialog)}>
              {state === 'waiting' ? 'Leave the waiting list …' : 'I cannot come …'}
            </Button>
            {!hasLine && <span className={layout.soft}>This needs a connection.</span>}
          </>
        )}
      </div>
      <RegisteredModal name={dialog} title={state === 'waiting' ? 'Leave the waiting list?' : 'You cannot come?'}>
        {() => <NotComing booking={booking} dialog={dialog} onSaved={onChange} />}
      </RegisteredModal>
    </article>
  );
};

/** The person's own training sessions: the next ones first, and those of the last year. Readable offline. */
export const Component = () => {
  const { state, asOf, retry } = useOwnBookings();
  const bookings = state.kind === 'loaded' ? state.data.bookings : [];
  const coming = bookings.filter((b) => b.date >= today() && b.state !== 'past' && b.state !== 'recorded');
  const past = bookings.filter((b) => !coming.includes(b));
  const next = coming.find((b) => b.state === 'booked');
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Your bookings
      </Title>
      <ReadPlaceholder
        state={state}
        retry={retry}
        loading="Loading your bookings"
        offline="Your bookings are not on this device yet. Open this page once with a connection; after that it can be read without one."
      />
      {asOf && <AsOf at={asOf} onRetry={retry} />}
      {state.kind === 'loaded' && (
        <>
          <HowWasIt bookings={bookings} />
          <section className={layout.page} aria-label="To come">
            <Title order={2} size="h4">
              To come
            </Title>
            {coming.length === 0 && (
              <EmptyState icon={<IconCalendar size={36} />} title="You are not booked on any training">
                When somebody books you, it appears here, and you get a message.
              </EmptyState>
            )}
            {coming.map((booking) => (
              <Coming key={booking.id} booking={booking} next={booking === next} onChange={retry} />
            ))}
          </section>
          {past.length > 0 && (
            <section className={layout.page} aria-label="The last year">
              <Title order={2} size="h4">
                The last year
              </Title>
              <ul className={`app-card ${layout.lines} ${classes.past}`}>
                {past.map((booking) => (
                  <li key={booking.id}>
                    <span>
                      <strong>{booking.course.name}</strong>
                      <small className={layout.soft}>
                        {whenWords(booking)} · {[booking.venue, booking.room].filter(Boolean).join(', ')}
                      </small>
                    </span>
                    <Badge tone={states[booking.state].tone}>{states[booking.state].words}</Badge>
                    <OwnDocuments booking={booking} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <CalendarFeed />
        </>
      )}
    </div>
  );
};
