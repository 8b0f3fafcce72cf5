import layout from '#src/ui/page.module.css';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { isDueAgain, type LearnerEvent } from '#src/features/learning/learner-events.ts';
import classes from '#src/features/learning/learner-events.module.css';
import { PackControl } from '#src/features/learning/pack-control.tsx';
import { type LocalCourse, tryShown } from '#src/features/learning/try-shown.ts';
import { retakeCourse, startCourse } from '#src/device/start-course.ts';
import { formatDay, fromNow } from '#src/lib/format.ts';
import { WhyButton } from '#src/screens/why-button.tsx';
import { IconAlert, IconBook, IconClock } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

const statusOf = (event: LearnerEvent): { tone: Tone; icon: typeof IconAlert; text: string } => {
  if (event.status === 'overdue')
    return {
      tone: 'danger',
      icon: IconAlert,
      text: `${event.asked_version ? 'Changed: please take the new version. ' : ''}${event.due_at ? `Overdue: was due ${formatDay(event.due_at)}` : 'Overdue'}`,
    };
  if (event.asked_version)
    return { tone: 'warning', icon: IconClock, text: `Changed: please take the new version${event.due_at ? ` by ${formatDay(event.due_at)}` : ''}` };
  return { tone: 'warning', icon: IconClock, text: event.due_at ? `Due ${formatDay(event.due_at)}, ${fromNow(event.due_at)}` : 'To do' };
};

/** A course to take: its status, the main action, and making it available offline. */
export const CourseCard = ({ event, local }: { event: LearnerEvent; local: LocalCourse | undefined }) => {
  const brand = useBrand();
  const user = useSession();
  const db = usePersonDb();
  const navigate = useNavigate();
  const [starting, setStarting] = useState(false);
  const status = statusOf(event);
  const { attemptId, percent, unmarked, isLater } = tryShown(event, local);
  const begun = attemptId !== null;
  const label =
    event.compliance_type === 'primary'
      ? brand.primaryComplianceAltName
      : event.compliance_type === 'secondary'
        ? brand.secondaryComplianceAltName
        : null;

  const renews = isDueAgain(event) && !isLater;

  const open = async () => {
    if (begun && !renews) {
      void navigate(pathTo('attempt-by-attemptid', { attemptId }));
      return;
    }
    if (!user || !event.content_id) return;
    setStarting(true);
    try {
      const started =
        renews && event.attempt_id
          ? await retakeCourse(db, user, { id: event.attempt_id, content_id: event.content_id, asked: event.asked_version })
          : await startCourse(db, user, event.content_id);
      if (started.ok) void navigate(pathTo('attempt-by-attemptid', { attemptId: started.value }));
      else notify('error', started.message);
    } catch {
      notify('error', texts.errorCreatingAttempt);
    } finally {
      setStarting(false);
    }
  };

  // The most frequent action first.
  const why = user && <WhyButton userId={user.uuid} courseId={event.course_id} courseTitle={event.course_title} reason={event.reason ?? ''} />;
  return (
    <article className={`app-card ${classes.card}`} aria-label={event.course_title}>
      <div className={classes.picture}>{event.image ? <img src={event.image} alt="" loading="lazy" /> : <IconBook size={44} />}</div>
      <div className={classes.body}>
        <h2 className={classes.name}>{event.course_title}</h2>
        <div className={layout.line}>
          <Badge tone={status.tone} icon={status.icon}>
            {status.text}
          </Badge>
          <span className={layout.soft}>
            {[
              event.focused ? 'Priority' : null,
              label,
              event.pathway ? `Step of “${event.pathway}”` : null,
              event.estimated_duration ? `about ${event.estimated_duration} minutes` : event.delivery === 'face2face' ? 'face to face' : null,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </div>
        {begun && percent < 100 && (
          <div className={classes.progress}>
            <Progress value={percent} size="lg" radius="xl" aria-label={`Progress in ${event.course_title}`} />
            <span>
              {percent} %{unmarked ? ', quiz handed in' : ''}
            </span>
          </div>
        )}
        {event.content_id && (
          <div className={`${layout.line} ${classes.actions}`}>
            <Button onClick={open} loading={starting}>
              {begun && !renews
                ? percent >= 100
                  ? 'Open'
                  : 'Continue'
                : event.asked_version
                  ? 'Take the new version'
                  : event.result_id
                    ? 'Renew'
                    : 'Start'}
            </Button>
            {why}
          </div>
        )}
        {!event.content_id && (
          <p className={layout.soft}>
            {!event.needs_licence ? (
              event.delivery === 'face2face' ? (
                'Your manager books this course for you.'
              ) : (
                'There is nothing to open for this course yet. Ask your manager how you take it.'
              )
            ) : can(user, needOf('marketplace')) ? (
              <>
                You need a licence for this course.{' '}
                <Link to={`${pathTo('marketplace')}?${new URLSearchParams({ search: event.course_title })}`}>Find it in the marketplace</Link>
              </>
            ) : (
              'You need a licence for this course. Ask your manager: they can give you one, or order more.'
            )}
          </p>
        )}
        {!event.content_id && <div className={`${layout.line} ${classes.aside}`}>{why}</div>}
        {event.content_id && (
          <PackControl
            contentId={event.content_id}
            title={event.course_title}
            listed={{ attempt_id: event.attempt_id, attempt_rev: event.attempt_rev, asked_version: event.asked_version }}
          />
        )}
      </div>
    </article>
  );
};
