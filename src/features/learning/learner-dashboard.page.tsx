import { useLiveQuery } from '#src/device/use-live-query.ts';
import { createContext, useContext } from 'react';
import { Link } from 'react-router-dom';
import { dashboardTitles } from '#contract/dashboard-titles.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useLine } from '#src/device/line.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { CourseCard } from '#src/features/learning/course-card.tsx';
import { type Events, type EventsState, useLearnerEvents } from '#src/features/learning/learner-events.ts';
import { dayOf, formatDay, fromNow } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { Dashboard, type WidgetViews } from '#src/screens/widgets/dashboard.tsx';
import { NumberLink, Numbers, Rows } from '#src/screens/widgets/widget.tsx';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

const shown = 3;
const datesShown = 6;
const Shown = createContext<Events | null>(null);
const useShown = () => useContext(Shown) as Events;

const NextWidget = ({ title }: { title: string }) => {
  const { active } = useShown();
  const next = active.filter((e) => e.content_id).toSorted((a, b) => Number(b.status === 'overdue') - Number(a.status === 'overdue'));
  return (
    <Section title={title}>
      {next.length === 0 ? (
        <p className={layout.count}>Nothing to start now.</p>
      ) : (
        <ul className={layout.list} aria-label={title}>
          {next.slice(0, shown).map((event) => (
            <li key={event.id}>
              <CourseCard event={event} local={undefined} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

const YearWidget = ({ title }: { title: string }) => {
  const { counts, completed } = useShown();
  const db = usePersonDb();
  const year = dayOf(correctedNow()).slice(0, 4);
  const done = completed.filter((e) => e.completed_at && dayOf(e.completed_at).startsWith(year)).length;
  const record = pathTo('users-by-uuid', { uuid: db.personId });
  return (
    <Section title={title}>
      <Numbers label={title}>
        <NumberLink to={pathTo('learner-events')} count={counts.overdue} label={['course overdue', 'courses overdue']} tone="danger" />
        <NumberLink to={pathTo('learner-events')} count={counts.current} label={['course to do', 'courses to do']} />
        <NumberLink to={`${record}?tab=record`} count={done} label={[`course completed in ${year}`, `courses completed in ${year}`]} tone="ok" />
      </Numbers>
    </Section>
  );
};

const DatesWidget = ({ title }: { title: string }) => {
  const { active, completed } = useShown();
  const today = dayOf(correctedNow());
  const dates = [...active, ...completed]
    .flatMap((e) => (e.due_at && dayOf(e.due_at) >= today ? [{ event: e, due: e.due_at }] : []))
    .sort((a, b) => (a.due < b.due ? -1 : 1));
  return (
    <Section title={title}>
      <Rows
        label={title}
        none="No date is coming up."
        rows={dates.slice(0, datesShown).map(({ event, due }) => ({
          id: event.id,
          name: <strong>{event.course_title}</strong>,
          about: `${event.status === 'completed' ? 'Renew by' : 'Do by'} ${formatDay(due)}, ${fromNow(due, correctedNow().getTime())}`,
        }))}
      />
    </Section>
  );
};

const MessagesWidget = ({ title }: { title: string }) => {
  const db = usePersonDb();
  const unread = useLiveQuery(async () => (await db.messages.toArray()).filter((m) => m.recipient.id === db.personId && !m.read_at).length, [db]);
  return (
    <Section title={title}>
      <p className={layout.count}>
        <Link to={pathTo('messages')}>{unread ? `You have ${unread} unread.` : 'Nothing unread on this device.'}</Link>
      </p>
    </Section>
  );
};

const views: WidgetViews<'learner-dashboard'> = { next: NextWidget, year: YearWidget, dates: DatesWidget, messages: MessagesWidget };

const NoEvents = ({ state, reload }: Omit<EventsState, 'events'>) =>
  state === 'offline' ? (
    <OfflineState what="Your courses are not on this device yet. They will appear as soon as there is a connection." onRetry={reload} />
  ) : state === 'error' ? (
    <ErrorState message={texts.errorLoadingAttempts} onRetry={reload} />
  ) : (
    <LoadingState label="Loading your courses" />
  );

/** What the learner should do next; offline as this device last received it. */
export const Component = () => {
  const { events, state, reload } = useLearnerEvents();
  const hasLine = useLine();
  return (
    <Shown value={events}>
      <Dashboard
        id="learner-dashboard"
        title={dashboardTitles['learner-dashboard']}
        question={hasLine ? 'What do I do next?' : 'No connection: as this device last received it.'}
        views={views}
        instead={events ? null : <NoEvents state={state} reload={reload} />}
      />
    </Shown>
  );
};
