import { Checkbox, Textarea, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { type Booking, type BookingCost, type CalendarSession, NewBooking } from '#contract/entities/booking.ts';
import { protocol } from '#contract/protocol.ts';
import { shownOf } from '#contract/rules/booking-cost.ts';
import { addDays } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/bookings/bookings.module.css';
import { CostEstimate } from '#src/features/bookings/cost.tsx';
import { freeWords, whenWords, whereWords } from '#src/features/bookings/words.ts';
import { nearDay, today } from '#src/device/near-day.ts';
import { mostToBook } from '#src/screens/booking-path.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { MultiPicker, Picker } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import type { Failed } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';

/** Sessions are offered for 90 days, those of a single course for 180, in reads of 90 days. */
const daysRead = 90;
const peoplePerRead = 100;
const maxWarnedAbout = 50;
type Chosen = { people: Option[]; course: Option | null };
const nobody = { kind: 'ok' as const, data: [] };

/** The people and the course that the address preselects. */
const loadChosen = async (people: string, course: string, signal: AbortSignal): Promise<Answer<Chosen>> => {
  const ids = people.split(',').filter(Boolean).slice(0, mostToBook);
  const readPeople = (from: number) => {
    const part = ids.slice(from, from + peoplePerRead);
    return part.length > 0 ? call('GET /users', { query: { ids: part.join(','), per_page: peoplePerRead } }, { signal }) : nobody;
  };
  const [firstPart, secondPart, courses] = await Promise.all([
    readPeople(0),
    readPeople(peoplePerRead),
    course ? call('GET /courses', { query: { ids: course } }, { signal }) : nobody,
  ]);
  if (firstPart.kind !== 'ok') return firstPart;
  if (secondPart.kind !== 'ok') return secondPart;
  if (courses.kind !== 'ok') return courses;
  const [found] = courses.data;
  return {
    kind: 'ok',
    data: {
      people: [...firstPart.data, ...secondPart.data].map((u) => ({ id: u.uuid, name: u.name, where: u.primary_entity.name })),
      course: found ? { id: found.id, name: found.title } : null,
    },
  };
};

const problemOf = (session: CalendarSession) => (session.free === 0 ? 'Full: people can wait for a place' : freeWords(session));

type ChoiceProps = { course: Option | null; chosen: readonly string[]; error: string | undefined; onChange: (ids: string[]) => void };
/** The upcoming sessions that can be booked, those with free places first. */
const Sessions = ({ course, chosen, error, onChange }: ChoiceProps) => {
  const daysAhead = course ? 2 * daysRead : daysRead;
  const { state, retry } = useReadOf(['sessions to book', course?.id ?? ''], async (signal) => {
    const readSessions = (from: number, until: number) => {
      const query = { from: addDays(today(), from), until: addDays(today(), until), open: 'true', ...(course ? { course: course.id } : {}) };
      return call('GET /bookings/calendar', { query }, { signal });
    };
    const [soon, later] = await Promise.all([readSessions(0, daysRead), course ? readSessions(daysRead + 1, daysAhead) : nobody]);
    if (soon.kind !== 'ok' || later.kind !== 'ok') return soon.kind === 'ok' ? later : soon;
    return { kind: 'ok' as const, data: [...soon.data, ...later.data] };
  });
  if (state.kind !== 'loaded')
    return <ReadPlaceholder state={state} retry={retry} loading="Loading the sessions" offline="Booking needs a connection." />;
  const sessions = state.data.toSorted((a, b) => Number(a.free === 0) - Number(b.free === 0));
  if (sessions.length === 0)
    return (
      <p className={layout.notice} data-tone="plain">
        No session {course ? `of ${course.name} ` : ''}can be booked in the next {daysAhead} days.
      </p>
    );
  return (
    <Checkbox.Group
      label="Sessions"
      description="You can book several sessions of one provider together, if the provider accepts that."
      value={[...chosen]}
      error={error}
      onChange={onChange}
      data-field="session_ids"
    >
      <ul className={`${layout.list} ${shapes.below}`}>
        {sessions.map((s) => (
          <li key={s.id} className={classes.choice}>
            <Checkbox
              value={s.id}
              label={`${s.course.name}, ${whenWords(s)}`}
              description={[whereWords(s), s.provider.name, problemOf(s)].join(' · ')}
            />
          </li>
        ))}
      </ul>
    </Checkbox.Group>
  );
};

/** Warnings about booking these people on these sessions. They do not prevent the booking. */
const Warnings = ({ sessions, people }: { sessions: readonly string[]; people: readonly Option[] }) => {
  const ids = people.map((p) => p.id).join(',');
  const { state } = useReadOf(['eligibility', sessions.join(','), ids], (signal) =>
    call('GET /bookings/eligibility', { query: { sessions: sessions.join(','), people: ids } }, { signal, quiet: true }),
  );
  const notices = state.kind === 'loaded' ? state.data.filter((e) => e.refused !== null || e.warnings.length > 0) : [];
  if (notices.length === 0) return null;
  return (
    <div role="status">
      <ul className={layout.list} aria-label="To consider">
        {notices.map(({ user, session, refused, warnings }) => (
          <li key={`${session.id} ${user.id}`} className={layout.notice} data-tone={refused ? 'danger' : 'warning'}>
            <strong>{sessions.length > 1 ? `${user.name}, ${session.title}, ${nearDay(session.on)}` : user.name}:</strong>{' '}
            {refused ?? warnings.join(' ')}
          </li>
        ))}
      </ul>
    </div>
  );
};

/** The estimated cost of booking this many people; null if nothing is chosen. A new value of `changes` requests it again. */
const useEstimate = (sessions: readonly string[], people: number, changes: number) => {
  const chosen = sessions.join(',');
  return useReadOf<BookingCost | null>(['booking estimate', chosen, String(people), String(changes)], async (signal) =>
    chosen && people > 0
      ? call('GET /bookings/estimate', { query: { sessions: chosen, places: people } }, { signal, quiet: true })
      : { kind: 'ok' as const, data: null },
  ).state;
};

const CreateForm = ({ chosen, session }: { chosen: Chosen; session: string }) => {
  const mayBook = can(useSession(), 'booking.create');
  const navigate = useNavigate();
  const [course, setCourse] = useState(chosen.course);
  const [changes, setChanges] = useState(0);
  /** The last booking sent and its idempotency key, so that a retry after a lost answer does not book twice. */
  const lastSent = useRef({ about: '', key: '' });
  const fields = useForm({
    schema: NewBooking,
    begin: () => ({ session_ids: session ? [session] : ([] as string[]), user_ids: chosen.people, notes: '', waiting: false }),
    toInput: ({ user_ids, ...typed }) => ({ ...typed, user_ids: user_ids.map((u) => u.id) }),
    save: async (body): Promise<Result<Booking> | Failed> => {
      const about = JSON.stringify(body);
      if (lastSent.current.about !== about) lastSent.current = { about, key: crypto.randomUUID() };
      const shown = estimate.kind === 'loaded' ? { shown: estimate.data && shownOf(estimate.data) } : {};
      const headers = { [protocol.idempotencyHeader]: lastSent.current.key };
      const answer = await call('POST /bookings', { body: { ...body, ...shown } }, { headers });
      if (answer.kind === 'refused' && answer.error.code === 'price_changed') setChanges((n) => n + 1);
      return answer;
    },
    success: ({ reference, state }) => (state === 'confirmed' ? `${reference} is booked.` : `${reference} waits for approval.`),
    onSaved: ({ id }) => void navigate(pathTo('manage-bookings-by-id', { id }), { replace: true }),
  });
  const { session_ids, user_ids } = fields.values;
  const estimate = useEstimate(session_ids, user_ids.length, changes);
  const { error } = fields.field('session_ids');
  return (
    <Form
      form={fields}
      save={mayBook ? 'Book' : 'Request the booking'}
      waiting={estimate.kind === 'loading' ? 'The cost is being calculated.' : undefined}
    >
      <FormSection title="Who">
        <MultiPicker from="people" label="People" {...fields.field('user_ids')} />
        {session_ids.length > 0 && user_ids.length > 0 && <Warnings sessions={session_ids} people={user_ids.slice(0, maxWarnedAbout)} />}
        <Checkbox
          label="Add those who get no place to the waiting list"
          description="They get the next free place and a message about it, which may ask them to accept the place in time."
          {...fields.checkbox('waiting')}
        />
        <Textarea label="Notes" description="The provider reads them, too." autosize minRows={2} maxLength={2000} {...fields.field('notes')} />
      </FormSection>
      <FormSection title="On which session">
        <Picker
          from="courses"
          label="Training"
          description="Leave it empty to see the sessions of all courses."
          clearable
          clearButtonProps={{ 'aria-label': 'All courses' }}
          value={course}
          onChange={(to) => {
            setCourse(to);
            fields.set('session_ids', []);
          }}
        />
        <Sessions
          course={course}
          chosen={session_ids}
          error={typeof error === 'string' ? error : undefined}
          onChange={(ids) => fields.set('session_ids', ids)}
        />
        <div role="status">{estimate.kind === 'loaded' && estimate.data && <CostEstimate cost={estimate.data} />}</div>
      </FormSection>
    </Form>
  );
};

/** Books or requests places for people. The address can preselect people, course and session. */
export const Component = () => {
  const mayBook = can(useSession(), 'booking.create');
  const [query] = useSearchParams();
  const [people, course, session] = [query.get('people') ?? '', query.get('course') ?? '', query.get('session') ?? ''];
  const { state, retry } = useReadOf(['chosen for a booking', people, course], (signal) => loadChosen(people, course, signal));
  if (state.kind !== 'loaded')
    return <ReadPlaceholder order={1} state={state} retry={retry} loading="Loading the form" offline="Booking needs a connection." />;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {mayBook ? 'Book places' : 'Request places'}
      </Title>
      {!mayBook && (
        <p className={layout.notice} data-tone="plain">
          Someone with permission to book decides on your request. Until then no place is reserved.
        </p>
      )}
      <CreateForm chosen={state.data} session={session} />
    </div>
  );
};
