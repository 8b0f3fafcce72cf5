import { Button, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { CheckInCode } from '#contract/entities/check-in.ts';
import { Id } from '#contract/entities/fields.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import { errors } from '#contract/errors.ts';
import { checkInOfFragment, checkInOpens } from '#contract/rules/check-in.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { useSession } from '#src/access/session.ts';
import { useLine } from '#src/device/line.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { useCheckIn } from '#src/features/training-sessions/use-check-in.ts';
import { useNow } from '#src/features/training-sessions/use-now.ts';
import { useOwnBookings } from '#src/features/training-sessions/use-own-bookings.ts';
import { nearDay, today } from '#src/device/near-day.ts';
import classes from '#src/features/training-sessions/your-bookings.module.css';
import { formatMoment, formatTime } from '#src/lib/format.ts';
import { correctedNow, skewMs } from '#src/offline/clock.ts';
import { checkIn } from '#src/offline/kinds/check-in/commands.ts';
import { NotSaved } from '#src/offline/outbox/commit.ts';
import { IconCheck, IconSearch } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { EmptyState, LoadingState } from '#src/ui/states.tsx';

/**
 * When the code in the address was seen. A camera opens the address in a new page: then it is the time of that, even if the
 * person had to sign in first. Otherwise it is now.
 */
const seenAt = (pathname: string): string => {
  const [opened] = performance.getEntriesByType('navigation');
  const scanned = opened && new URL(opened.name, location.origin).pathname === pathname;
  return (scanned ? new Date(performance.timeOrigin + skewMs()) : correctedNow()).toISOString();
};

/**
 * Why nobody can check in here now, as far as this device knows; null if they can. Without a connection its clock may be wrong: then that is
 * said, and a code can be entered all the same.
 */
const notNow = (booking: OwnBooking, now: string, hasLine: boolean): { words: string; sure: boolean } | null => {
  const { state, date, starts_at, ends_at } = booking;
  if (state === 'cancelled') return { words: errors.session_cancelled.message, sure: true };
  const opens = checkInOpens(starts_at);
  if (now >= opens && now <= ends_at) return null;
  if (!hasLine)
    return {
      words: `The clock of this device says ${formatMoment(now)}, and check-in is open from ${formatMoment(opens)} to ${formatMoment(ends_at)}. If you are at the session, the clock is wrong: set it right, then scan or type the code.`,
      sure: false,
    };
  const from = `You can check in ${date === today() ? '' : `on the day, ${nearDay(date)}, `}from ${formatTime(opens)}.`;
  return { words: now < opens ? from : 'This session is over: check-in has closed.', sure: true };
};
/** The refusal of somebody without a place, who may have got one since. */
const noPlace: readonly OwnBooking['state'][] = ['waiting', 'not_coming', 'removed'];

type Props = { session: string; booking: OwnBooking | undefined; name: string };
const Typed = ({ onCode }: { onCode: (code: string) => Promise<void> }) => {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = CheckInCode.safeParse(typed.replace(/\s/g, ''));
    if (!read.success) return setError(read.error.issues[0]?.message ?? 'Enter the eight digits of the code.');
    setTyped('');
    void onCode(read.data);
  };
  return (
    <form noValidate className={classes.typed} onSubmit={submit}>
      <TextInput
        label="Code that the trainer shows"
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={typed}
        error={error}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(null);
        }}
      />
      <Button type="submit">Check in</Button>
    </form>
  );
};

/** The code in the address or a typed one, and the outcome. */
const CheckingIn = ({ session, booking, name }: Props) => {
  const db = usePersonDb();
  const hasLine = useLine();
  const now = useNow();
  const { hash, pathname } = useLocation();
  const [seen, setSeen] = useState(() => ({ hash, at: seenAt(pathname) }));
  // Another code was scanned into the same page.
  if (seen.hash !== hash) setSeen({ hash, at: correctedNow().toISOString() });
  const [used, setUsed] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [again, setAgain] = useState(false);
  const state = useCheckIn(session);
  const scanned = checkInOfFragment(hash);
  const save = async (args: { code: string; step: number | null }, at: string) => {
    setProblem(null);
    try {
      await checkIn(db, { id: session, name }, args, at);
      setUsed(args.code);
      setAgain(false);
    } catch (error) {
      const full = error instanceof NotSaved && error.reason === 'full';
      setProblem(
        full ? 'This device is full: you are not checked in. Make room, and try again.' : 'This could not be saved on the device. Please try again.',
      );
    }
  };
  if (!state) return <LoadingState label="Loading" />;
  if (state.kind === 'accepted')
    return (
      <div className={`${layout.notice} ${layout.block}`} data-tone="ok" role="status">
        <strong>
          <IconCheck size={20} /> You checked in at {formatTime(state.at)}
        </strong>
        <span>
          {state.late
            ? 'It was kept on your phone and has arrived since. The register says when you checked in.'
            : 'It has arrived. The trainer sees it as soon as their device has a connection.'}
        </span>
      </div>
    );
  const failed = problem && (
    <p className={layout.notice} data-tone="danger" role="alert">
      {problem}
    </p>
  );
  const type = (code: string) => save({ code, step: null }, correctedNow().toISOString());
  if (state.kind === 'kept')
    return (
      <>
        <div className={`${layout.notice} ${layout.block}`} data-tone="plain" role="status">
          <strong>Kept on this device at {formatTime(state.at)}</strong>
          <span>
            {hasLine
              ? 'It has not arrived yet. Here you see as soon as it is accepted, or why not.'
              : 'No connection: it is sent by itself as soon as there is one, and counts from the time at which you scanned or typed the code. Tell the trainer that you are here.'}
          </span>
        </div>
        {failed}
        {again ? (
          <section className={`app-card ${layout.block}`} aria-label="Type the code again">
            <p>Both codes are sent. One that is right is enough.</p>
            <Typed onCode={type} />
          </section>
        ) : (
          <Button variant="default" onClick={() => setAgain(true)}>
            Typed it wrong?
          </Button>
        )}
      </>
    );
  const closes = booking ? notNow(booking, now, hasLine) : null;
  const closed = closes?.sure === true;
  const fresh = scanned && scanned.code !== used ? scanned : null;
  return (
    <>
      {state.kind === 'refused' && (
        <div className={`${layout.notice} ${layout.block}`} data-tone="danger" role="alert">
          <strong>You are not checked in</strong>
          <span>{state.why}</span>
        </div>
      )}
      {failed}
      {closes && (
        <p className={layout.notice} data-tone="warning" role="status">
          {closes.words}
        </p>
      )}
      {!closed && booking && noPlace.includes(booking.state) && (
        <p className={layout.notice} data-tone="warning" role="status">
          You have no place on this session. Tell the trainer; once you are on the list, you can check in.
        </p>
      )}
      {!closed && fresh && (
        <Button size="lg" onClick={() => void save(fresh, seen.at)}>
          Check in
        </Button>
      )}
      {!closed && !fresh && (
        <section className={`app-card ${layout.block}`} aria-label="Type the code">
          <p>Scan the code that the trainer shows with the camera of your phone, or type its digits.</p>
          <Typed onCode={type} />
        </section>
      )}
    </>
  );
};

/** The check-in page: the code that the trainer shows links here, and it can be typed. */
export const Component = () => {
  const { id = '' } = useParams();
  const user = useSession();
  const reads = can(user, needOf('your-bookings'));
  const { state } = useOwnBookings();
  if (!Id.safeParse(id).success)
    return (
      <EmptyState order={1} icon={<IconSearch size={36} />} title="This session could not be found">
        Scan the code again that the trainer shows.
      </EmptyState>
    );
  const bookings = state.kind === 'loaded' ? state.data.bookings.filter((b) => b.session_id === id) : [];
  const booking = bookings.find((b) => !noPlace.includes(b.state)) ?? bookings[0];
  const name = booking?.course.name ?? '';
  const facts = booking
    ? [
        ['When', `${nearDay(booking.date)}, ${timesWords(booking)}`],
        ['Where', [booking.virtual && 'On your screen', booking.venue, booking.room].filter(Boolean).join(', ')],
        ['Trainer', booking.external_trainer || booking.trainer.name],
      ].filter(([, words]) => words)
    : [];
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {name || 'Check in'}
      </Title>
      {state.kind === 'loading' ? (
        <LoadingState label="Loading the session" />
      ) : booking ? (
        <section className={`app-card ${layout.block}`} aria-label="The session">
          <dl className={`${shapes.facts} ${classes.facts}`}>
            {facts.map(([term, words]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : (
        <p className={layout.notice} data-tone="warning" role="status">
          {state.kind === 'loaded'
            ? 'This session is not among your bookings. If the trainer has put you on its list just now, check in all the same.'
            : 'What you are booked on cannot be read now. You can check in all the same: it is kept, and sent when there is a connection.'}
        </p>
      )}
      <CheckingIn session={id} booking={booking} name={name} />
      {reads && (
        <p>
          <Link to={pathTo('your-bookings')}>Your bookings</Link>
        </p>
      )}
    </div>
  );
};
