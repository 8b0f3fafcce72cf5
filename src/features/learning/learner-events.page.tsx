import layout from '#src/ui/page.module.css';
import { Title } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { kindOf } from '#src/access/person-kind.ts';
import { useSession } from '#src/access/session.ts';
import { homeIsReady, lastKnownData, otherPageIsReady } from '#src/device/last-known.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { CourseCard } from '#src/features/learning/course-card.tsx';
import { DoneTable } from '#src/features/learning/done-table.tsx';
import { type Events, type HomeData, type LearnerEvent, useLearnerEvents } from '#src/features/learning/learner-events.ts';
import classes from '#src/features/learning/learner-events.module.css';
import type { LocalCourse } from '#src/features/learning/try-shown.ts';
import { withReceived } from '#src/features/learning/with-received.ts';
import { ReadyForTomorrow } from '#src/features/learning/ready-button.tsx';
import { correctedNow } from '#src/offline/clock.ts';
import { IconCheck, IconChevronRight } from '#src/ui/icons.tsx';
import { Field } from '#src/ui/plain/field.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { completionOf } from '#contract/rules/completion.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { countOf, formatTime } from '#src/lib/format.ts';

const greeting = (hour: number) => (hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening');

const headline = ({ counts }: Events) =>
  counts.overdue > 0
    ? `${countOf(counts.overdue, 'course')} overdue. Start with the first one.`
    : counts.current > 0
      ? `${countOf(counts.current, 'course')} to do. Nothing is overdue.`
      : 'You are up to date.';

/** The number of courses from which a search field is shown. */
const searchFrom = 8;

/** Courses that can be started first, the most urgent at the top; those that wait for the manager last. */
const inOrder = (events: readonly LearnerEvent[]) => {
  const rank = (e: LearnerEvent) => (e.content_id ? 0 : 2) + (e.status === 'overdue' ? 0 : 1);
  return events.toSorted((a, b) => rank(a) - rank(b));
};

/** Asks for an evaluation of the latest session that the person attended and has not evaluated, here or on another device. */
const HowWasIt = ({ events, said }: { events: Events; said: readonly string[] }) => {
  // Data stored by an earlier version has no sessions.
  const booking = (events.unsaid ?? []).find(({ id, until }) => !said.includes(id) && until > correctedNow().toISOString());
  if (!booking) return null;
  return (
    <Link to={`${pathTo('your-bookings')}?say=${booking.id}`} className={`app-card ${layout.row} ${classes.asked}`}>
      <span>How was {booking.course}?</span>
      <IconChevronRight size={20} />
    </Link>
  );
};

/** Loaded only for people who look after others. */
const WorkHome = loadedLater(() => import('#src/features/learning/work-home.tsx').then((m) => m.WorkHome));

/** So many tries somebody may have taken elsewhere since the one that is open on this device. */
const laterTries = 10;

/** The home page: the people and sessions a person looks after, then their own courses. */
export const Component = () => {
  const user = useSession();
  const db = usePersonDb();
  const { events: listed, state, reload } = useLearnerEvents();
  const [chosen, setChosen] = useState<'next' | 'done' | null>(null);
  const learner = !user || kindOf(user) === 'learner';
  const [workShown, setWorkShown] = useState(learner);
  const noteWork = useCallback(() => setWorkShown(true), []);
  const [search, setSearch] = useState('');
  const fresh = useLiveQuery(async () => {
    const attempts = await db.attempts.toArray();
    const found = new Map<string, Omit<LocalCourse, 'later'> & { tryNo: number }>();
    for (const attempt of attempts.filter((a) => !a.closed && a.user_id === db.personId).sort((a, b) => a.try_no - b.try_no)) {
      const document = (await db.contents.get([attempt.content_id, attempt.content_version]))?.document;
      const [progress, submissions] = await Promise.all([
        db.topicProgress.where('attempt_id').equals(attempt.id).toArray(),
        db.quizSubmissions.where('attempt_id').equals(attempt.id).toArray(),
      ]);
      const percent = document
        ? completionOf(document, { progress, submissions: submissions.flatMap((s) => (s.graded ? [s.graded] : [])) }).percent
        : attempt.percent;
      found.set(attempt.content_id, {
        attemptId: attempt.id,
        percent: Math.max(percent, attempt.percent),
        unmarked: submissions.some((s) => s.graded === null),
        graded: attempt.state === 'graded',
        tryNo: attempt.try_no,
      });
    }
    const received = attempts.filter((a) => a.user_id === db.personId && a.result !== null);
    const said = (await db.feedback.toArray()).filter((row) => row.kind === 'evaluation').map((row) => row.id);
    const local = new Map<string, LocalCourse>();
    for (const [contentId, { tryNo, ...course }] of found) {
      const later = await Promise.all(Array.from({ length: laterTries }, (_, n) => attemptIdOf(db.personId, contentId, tryNo + 1 + n)));
      local.set(contentId, { ...course, later });
    }
    return { local, said, received };
  }, [db]);

  const [atStart] = useState(() => lastKnownData<HomeData>());
  const local = fresh?.local ?? (atStart ? new Map(atStart.local) : undefined);
  const said = fresh?.said ?? atStart?.said;
  // The list may be older than what was received since.
  const events = useMemo(() => listed && withReceived(listed, fresh?.received ?? [], correctedNow().toISOString()), [listed, fresh]);

  const known = events !== null && local !== undefined && workShown;
  const settled = known || (state !== 'loading' && !events);
  useEffect(() => {
    if (known) homeIsReady({ events, local: [...local], said: said ?? [] } satisfies HomeData);
    else if (settled) otherPageIsReady();
  }, [known, settled, events, local, said]);

  const tab = chosen ?? (events?.active.length === 0 && events.completed.length > 0 ? 'done' : 'next');
  const whole = !events ? [] : tab === 'done' ? events.completed : inOrder(events.active);
  const searchable = whole.length > searchFrom;
  const sought = searchable ? search.trim().toLowerCase() : '';
  const list = whole.filter((e) => e.course_title.toLowerCase().includes(sought));
  return (
    <div className={layout.page}>
      <header>
        <Title order={1} className={layout.title}>
          {greeting(Number(formatTime(new Date().toISOString()).slice(0, 2)))}, {user?.name.split(' ')[0]}
        </Title>
        {learner && <p className={classes.lead}>{events ? headline(events) : ' '}</p>}
      </header>
      {!learner && <WorkHome user={user} onReady={noteWork} meanwhile={<LoadingState rows={2} label="Loading your work" />} />}
      {!learner && (
        <div>
          <Title order={2} size="h3">
            My learning
          </Title>
          <p className={classes.lead}>{events ? headline(events) : ' '}</p>
        </div>
      )}
      {events && said && <HowWasIt events={events} said={said} />}
      {events && <ReadyForTomorrow events={events.active} />}
      {events && (
        <fieldset className={classes.tabs}>
          <legend className="visually-hidden">Courses to show</legend>
          <button type="button" aria-pressed={tab === 'next'} onClick={() => setChosen('next')}>
            Do next {events.active.length}
          </button>
          <button type="button" aria-pressed={tab === 'done'} onClick={() => setChosen('done')}>
            Done {events.completed.length}
          </button>
        </fieldset>
      )}
      {searchable && <Field label="Find a course" type="search" value={search} onValue={setSearch} />}
      {!events && state === 'loading' && <LoadingState label="Loading your courses" />}
      {!events && state === 'offline' && (
        <OfflineState what="Your courses are not on this device yet. They will appear as soon as there is a connection." onRetry={reload} />
      )}
      {!events && state === 'error' && <ErrorState message={texts.errorLoadingAttempts} onRetry={reload} />}
      {events && list.length === 0 && sought !== '' && (
        <EmptyState title={`No course found for “${search.trim()}”`}>Try part of the title.</EmptyState>
      )}
      {events && list.length === 0 && sought === '' && (
        <EmptyState icon={<IconCheck size={36} />} title={tab === 'done' ? 'Nothing completed yet' : 'Nothing to do'}>
          {tab === 'done'
            ? 'Courses that you complete appear here, with their certificates.'
            : 'Well done. New courses appear here when they are assigned to you.'}
        </EmptyState>
      )}
      {list.length > 0 && tab === 'done' && <DoneTable userId={db.personId} events={list} />}
      {list.length > 0 && tab === 'next' && (
        <ul className={layout.list} aria-label="Courses">
          {list.map((event) => (
            <li key={event.id}>
              <CourseCard event={event} local={event.content_id ? local?.get(event.content_id) : undefined} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
