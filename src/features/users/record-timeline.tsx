import { Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import classes from '#src/features/users/record-timeline.module.css';
import type { TimelineEvent, TimelineKind } from '#src/features/users/timeline.ts';
import { validUntilWords } from '#src/lib/result-standing.ts';
import { resultWords } from '#src/lib/result-words.ts';
import type { Column } from '#src/screens/table/columns.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';

const kinds: Record<TimelineKind, { words: string; tone: Tone }> = {
  completed: { words: 'Completed', tone: 'ok' },
  renewed: { words: 'Renewed', tone: 'ok' },
  exempted: { words: 'Exempted', tone: 'plain' },
  expired: { words: 'Expired', tone: 'danger' },
  corrected: { words: 'Corrected', tone: 'warning' },
  submitted: { words: 'Submitted', tone: 'warning' },
  rejected: { words: resultWords.statuses.rejected, tone: 'danger' },
  deleted: { words: resultWords.statuses.deleted, tone: 'plain' },
};

/** The details of an event beside its day and course. */
const detailsOf = ({ kind, result }: TimelineEvent): string => {
  const { zone, expires_at, score, note, changed_by, change_reason, change } = result;
  const authorAndReason = [changed_by && `by ${changed_by.name}`, change_reason].filter(Boolean).join(': ');
  switch (kind) {
    case 'completed':
    case 'renewed':
      return [resultWords.types[result.type], `valid until ${validUntilWords(expires_at, zone)}`, score === null ? '' : `${score} %`]
        .map((part) => part.replace('valid until Does not expire', 'does not expire'))
        .filter(Boolean)
        .join(' · ');
    case 'exempted':
      return [expires_at ? `until ${validUntilWords(expires_at, zone)}` : 'without an end', note].filter(Boolean).join(' · ');
    case 'expired':
      return 'Not renewed by then.';
    case 'submitted':
      return 'Waits for a decision.';
    case 'corrected':
      return [change === 'corrected' ? '' : resultWords.changes[change], authorAndReason].filter(Boolean).join(' · ');
    default:
      return authorAndReason;
  }
};

/** The timeline as a table, for an export. */
export const timelineColumns: readonly Column<TimelineEvent>[] = [
  { id: 'day', header: 'Date', value: (e) => dayWords(e.day) },
  { id: 'kind', header: 'What happened', value: (e) => kinds[e.kind].words },
  { id: 'course', header: 'Course', value: (e) => e.result.course_title },
  { id: 'type', header: 'Type', value: (e) => resultWords.types[e.result.type] },
  { id: 'details', header: 'Details', value: detailsOf },
];

/** The events of a record by year, newest first. */
export const RecordTimeline = ({ events, online }: { events: readonly TimelineEvent[]; online: boolean }) => (
  <div className={classes.timeline}>
    {[...Map.groupBy(events, (e) => e.day.slice(0, 4))].map(([year, ofYear]) => (
      <section key={year} aria-label={year}>
        <Title order={3} size="h4">
          {year}
        </Title>
        <ol>
          {ofYear.map((event) => {
            const { words, tone } = kinds[event.kind];
            const { course_title, id } = event.result;
            return (
              <li key={event.id} data-tone={tone}>
                <time dateTime={event.day}>{dayWords(event.day)}</time>
                <div>
                  <span className={classes.what}>
                    <Badge tone={tone}>{words}</Badge>
                    {online ? <Link to={pathTo('results-by-id', { id })}>{course_title}</Link> : <strong>{course_title}</strong>}
                  </span>
                  <small>{detailsOf(event)}</small>
                </div>
              </li>
            );
          })}
        </ol>
      </section>
    ))}
  </div>
);
