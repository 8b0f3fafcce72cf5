import layout from '#src/ui/page.module.css';
import { Button, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { CourseStanding } from '#contract/entities/compliance.ts';
import { MessageText } from '#contract/entities/message.ts';
import { bookableNeeds } from '#contract/rules/bookable-needs.ts';
import { dayWords } from '#contract/rules/days.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { startCourse } from '#src/device/start-course.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { countOf } from '#src/lib/format.ts';
import { sendMessage } from '#src/offline/kinds/messages/commands.ts';
import { bookingPath } from '#src/screens/booking-path.ts';
import { useAction } from '#src/screens/use-action.ts';
import classes from '#src/screens/why-dialog.module.css';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { notify } from '#src/ui/notify.ts';

/** A long title wraps. */
const broken = { h: 'auto', mih: 44, py: 8, maw: '100%', styles: { label: { whiteSpace: 'normal' as const } } };

type Session = CourseStanding['sessions'][number];
/** A session that would fix it, with a button that books the person on it or requests that. */
const SessionOf = ({ session: s, user, onBooked }: { session: Session; user: CourseStanding['user']; onBooked: () => void }) => {
  const me = useSession();
  const booking = useAction(
    () => call('POST /bookings', { body: { session_ids: [s.id], user_ids: [user.id], notes: '', waiting: false } }, { quiet: true }),
    {
      success: ({ reference, state }) => (state === 'confirmed' ? `${user.name} is booked: ${reference}.` : `${reference} waits for approval.`),
      onDone: onBooked,
    },
  );
  const words = `${s.course_title}: ${dayWords(s.on)}, ${s.start}${s.venue ? `, ${s.venue}` : ''}${s.company ? `, with ${s.company.name}` : ''}`;
  const places = s.booked ? 'booked' : s.free === null ? 'places free' : `${countOf(s.free, 'place')} free`;
  return (
    <>
      <p>
        Next session of{' '}
        {s.register && can(me, needOf('training-sessions-by-id')) ? <Link to={pathTo('training-sessions-by-id', { id: s.id })}>{words}</Link> : words}{' '}
        ({places})
      </p>
      {!s.booked &&
        can(me, needOf('manage-bookings-create')) &&
        (s.company ? (
          // The cost is shown before anybody is booked.
          <Button {...broken} variant="default" component={Link} to={bookingPath([user.id], { course: s.course_id, session: s.id })}>
            Book {user.name} on it
          </Button>
        ) : (
          <Button {...broken} variant="default" loading={booking.busy} onClick={() => void booking.run()}>
            Book {user.name} on it
          </Button>
        ))}
    </>
  );
};

/** Writes to the person, here; the message is stored on this device until it is sent. */
const MessageTo = ({ user }: { user: CourseStanding['user'] }) => {
  const me = useSession();
  const db = usePersonDb();
  const [text, setText] = useState<string | null>(null);
  useUnsaved(useId(), text !== null && text.trim() !== '');
  const [problem, setProblem] = useState<string | null>(null);
  const send = async () => {
    const read = MessageText.safeParse(text);
    if (!read.success) return setProblem(read.error.issues[0]?.message ?? texts.fallback);
    if (!me) return undefined;
    const sent = await sendMessage(db, { id: me.uuid, name: me.name }, user, read.data).catch(() => null);
    if (sent === null) return setProblem(texts.fallback);
    setText(null);
    notify('success', `Your message to ${user.name} is saved on this device, and sent when there is a connection.`);
    return undefined;
  };
  if (text === null)
    return (
      <Button {...broken} variant="default" onClick={() => setText('')}>
        Message {user.name}
      </Button>
    );
  return (
    <div className={`${layout.tools} ${classes.message}`}>
      <Textarea
        label={`Message to ${user.name}`}
        autosize
        autoFocus
        minRows={2}
        maxRows={8}
        value={text}
        error={problem}
        onChange={(e) => {
          setText(e.currentTarget.value);
          setProblem(null);
        }}
      />
      <Button onClick={() => void send()}>Send</Button>
      <Button variant="default" onClick={() => setText(null)}>
        Cancel
      </Button>
    </div>
  );
};

type Props = { standing: CourseStanding; own: boolean /** Something was done that may change how the person stands. */; onChanged: () => void };
/** What the reader can do about somebody's status in a course. */
export const Remedies = ({ standing, own, onChanged }: Props) => {
  const me = useSession();
  const db = usePersonDb();
  const navigate = useNavigate();
  const [starting, setStarting] = useState(false);
  const { contents, sessions, needs, user, place, course, rule } = standing;
  const start = async (contentId: string) => {
    if (!me) return;
    setStarting(true);
    const started = await startCourse(db, me, contentId).catch(() => null);
    setStarting(false);
    if (started?.ok) void navigate(pathTo('attempt-by-attemptid', { attemptId: started.value }));
    else notify('error', started?.message ?? texts.errorCreatingAttempt);
  };
  const mayRecord = !own && can(me, 'record.create');
  // A course that none of their job roles requires is not in their list automatically.
  const mayAssign = !own && rule === null && can(me, needOf('entities-one-courses'));
  const mayMessage = !own && can(me, needOf('messages'));
  const mayBook = can(me, needOf('manage-bookings-create'));
  if (needs.length === 0 && !mayAssign && !mayMessage) return null;
  return (
    <section aria-label="What puts it right" className={classes.remedies}>
      <h3>{needs.length > 0 ? 'What puts it right' : 'What you can do'}</h3>
      {contents.map(({ course_title, content_id, attempt_id }) => (
        <Button
          key={content_id}
          {...broken}
          loading={starting}
          onClick={() => (attempt_id ? void navigate(pathTo('attempt-by-attemptid', { attemptId: attempt_id })) : void start(content_id))}
        >
          {attempt_id ? 'Continue' : 'Start'} {course_title}
        </Button>
      ))}
      {sessions.map((s) => (
        <SessionOf key={s.id} session={s} user={user} onBooked={onChanged} />
      ))}
      {mayBook &&
        bookableNeeds(standing).map((need) => (
          <Button key={need.id} {...broken} variant="default" component={Link} to={bookingPath([user.id], { course: need.id })}>
            Book a place: {need.name}
          </Button>
        ))}
      {mayRecord &&
        needs.map((need) => (
          <div key={need.id} className={layout.tools}>
            {(
              [
                ['Record', 'results-historical-create'],
                ['Exempt from', 'results-exempt-create'],
              ] as const
            ).map(([word, page]) => (
              <Button
                key={page}
                {...broken}
                variant="default"
                component={Link}
                to={`${pathTo(page)}?${new URLSearchParams({ people: user.id, courses: need.id })}`}
              >
                {word} {need.name}
              </Button>
            ))}
          </div>
        ))}
      <div className={layout.tools}>
        {mayAssign && (
          <Button
            {...broken}
            variant="default"
            component={Link}
            to={`${pathTo('entities-one-courses', { slug: place.slug })}?${new URLSearchParams({ give: course.id })}`}
          >
            Assign {course.name} in {place.name}
          </Button>
        )}
        {mayMessage && <MessageTo user={user} />}
      </div>
      {contents.length === 0 && sessions.length === 0 && !mayRecord && needs.length > 0 && (
        <p>{needs.map((n) => n.name).join(', ')}: nothing can be started here, and no session with a free place is planned. Ask your manager.</p>
      )}
    </section>
  );
};
