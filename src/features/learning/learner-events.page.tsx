import { Title } from '@mantine/core';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { homeIsReady, lastKnownData, otherPageIsReady } from '#src/device/last-known.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { CourseCard, type LocalCourse } from '#src/features/learning/course-card.tsx';
import { type Events, type HomeData, useLearnerEvents } from '#src/features/learning/learner-events.ts';
import classes from '#src/features/learning/learner-events.module.css';
import { ReadyForTomorrow } from '#src/features/learning/ready-button.tsx';
import { IconCheck } from '#src/ui/icons.tsx';
import { Field } from '#src/ui/plain/field.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';
import { completionOf } from '#contract/rules/completion.ts';
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

type Tab = 'overdue' | 'current' | 'completed';
const tabWords: Record<Tab, string> = { overdue: 'Overdue', current: 'To do', completed: 'Done' };

/** A learner's home page: overdue, current and completed courses. */
export const Component = () => {
  const user = useSession();
  const db = usePersonDb();
  const { events, state, reload } = useLearnerEvents();
  const [chosen, setChosen] = useState<Tab | null>(null);
  const [search, setSearch] = useState('');
  const fresh = useLiveQuery(async () => {
    const attempts = await db.attempts.toArray();
    const found = new Map<string, LocalCourse>();
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
      });
    }
    return found;
  }, [db]);

  const [atStart] = useState(() => lastKnownData<HomeData>());
  const local = fresh ?? (atStart ? new Map(atStart.local) : undefined);

  const known = events !== null && local !== undefined;
  const settled = known || (state !== 'loading' && !events);
  useEffect(() => {
    if (known) homeIsReady({ events, local: [...local] } satisfies HomeData);
    else if (settled) otherPageIsReady();
  }, [known, settled, events, local]);

  const tab: Tab = chosen ?? (events && events.counts.overdue === 0 ? (events.counts.current === 0 ? 'completed' : 'current') : 'overdue');
  const whole = !events ? [] : tab === 'completed' ? events.completed : events.active.filter((e) => e.status === tab);
  const searchable = whole.length > searchFrom;
  const wanted = searchable ? search.trim().toLowerCase() : '';
  const list = whole.filter((e) => e.course_title.toLowerCase().includes(wanted));
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Title order={1} className={classes.title}>
          {greeting(Number(formatTime(new Date().toISOString()).slice(0, 2)))}, {user?.name.split(' ')[0]}
        </Title>
        <p className={classes.lead}>{events ? headline(events) : ' '}</p>
      </header>
      {events && <ReadyForTomorrow events={events.active} />}
      {events && (
        <fieldset className={classes.tabs}>
          <legend className="visually-hidden">Courses to show</legend>
          {(['overdue', 'current', 'completed'] as const).map((t) => (
            <button key={t} type="button" aria-pressed={t === tab} onClick={() => setChosen(t)}>
              {tabWords[t]} {events.counts[t]}
            </button>
          ))}
        </fieldset>
      )}
      {searchable && <Field label="Find a course" type="search" value={search} onValue={setSearch} />}
      {!events && state === 'loading' && <LoadingState label="Loading your courses" />}
      {!events && state === 'offline' && (
        <OfflineState what="Your courses are not on this tablet yet. They will appear as soon as there is a connection." onRetry={reload} />
      )}
      {!events && state === 'error' && <ErrorState message={texts.errorLoadingAttempts} onRetry={reload} />}
      {events && list.length === 0 && wanted !== '' && (
        <EmptyState title={`No course found for “${search.trim()}”`}>Try part of the title.</EmptyState>
      )}
      {events && list.length === 0 && wanted === '' && (
        <EmptyState
          icon={<IconCheck size={36} />}
          title={tab === 'completed' ? 'Nothing completed yet' : tab === 'overdue' ? 'Nothing is overdue' : 'Nothing to do'}
        >
          {tab === 'completed'
            ? 'Courses that you complete appear here, with their certificates.'
            : 'Well done. New courses appear here when they are assigned to you.'}
        </EmptyState>
      )}
      {list.length > 0 && (
        <ul className={classes.list} aria-label="Courses">
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
