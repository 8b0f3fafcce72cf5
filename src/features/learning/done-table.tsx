import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { CertificateButton } from '#src/features/learning/certificate-button.tsx';
import type { LearnerEvent } from '#src/features/learning/learner-events.ts';
import classes from '#src/features/learning/learner-events.module.css';
import { formatDay } from '#src/lib/format.ts';
import { WhyButton } from '#src/screens/why-button.tsx';

/** The learner's completed training: when, until when it is valid, and its certificate. */
export const DoneTable = ({ userId, events }: { userId: string; events: readonly LearnerEvent[] }) => (
  <div className="app-card">
    <table className={classes.done} aria-label="Completed courses">
      <thead>
        <tr>
          <th scope="col">Course</th>
          <th scope="col">Completed</th>
          <th scope="col">Renew by</th>
          <th scope="col">Score</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <th scope="row">{event.course_title}</th>
            <td data-label="Completed">{event.completed_at && formatDay(event.completed_at)}</td>
            <td data-label="Renew by">{(event.due_at ?? event.expires_at) && formatDay(event.due_at ?? event.expires_at ?? '')}</td>
            <td data-label="Score">{event.score !== null && `${event.score} %`}</td>
            <td>
              <WhyButton userId={userId} courseId={event.course_id} courseTitle={event.course_title} reason={event.reason ?? ''} />
              {event.result_id && <CertificateButton resultId={event.result_id} courseTitle={event.course_title} />}
              {event.content_id && event.attempt_id && (
                <Button variant="subtle" component={Link} to={pathTo('attempt-by-attemptid', { attemptId: event.attempt_id })}>
                  View again
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
