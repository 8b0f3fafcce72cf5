import layout from '#src/ui/page.module.css';
import type { ForecastLine } from '#contract/entities/forecast.ts';
import { dayWords } from '#contract/rules/days.ts';
import { turnBy } from '#contract/rules/forecast.ts';
import classes from '#src/features/users/users.module.css';
import { countOf } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Section } from '#src/ui/section.tsx';

/** How far ahead the sentence looks; the list below it covers one month more. */
const soon = 60;

const sentenceOf = (lines: readonly ForecastLine[]): string => {
  const due = lines.filter((l) => turnBy(l, soon)?.to === 'red');
  const booked = due.filter((l) => l.booked !== null && l.booked.in_days <= soon).length;
  const [one] = due;
  if (!one) return `Nothing expires in the next ${soon} days.`;
  const verb = due.every((l) => turnBy(l, soon)?.status === 'expired') ? ['expires', 'expire'] : ['is due', 'are due'];
  const places = booked > 0 ? ` A place is booked for ${booked === due.length ? (due.length === 1 ? 'it' : 'all of them') : booked}.` : '';
  return `${countOf(due.length, 'course')} ${due.length === 1 ? verb[0] : verb[1]} in the next ${soon} days.${places}`;
};
const turnWords = ({ turns, booked }: ForecastLine): string =>
  [
    ...turns.map(({ to, on, status }) =>
      to === 'red' ? `${status === 'expired' ? 'expires' : 'due'} on ${dayWords(on)}` : to === 'amber' ? `amber from ${dayWords(on)}` : '',
    ),
    booked && `place booked on ${dayWords(booked.on)}`,
  ]
    .filter(Boolean)
    .join(' · ');

/** What turns amber and red for a person in the next 90 days, with bookings for it; hidden if nothing changes. */
export const PersonForecast = ({ uuid }: { uuid: string }) => {
  const { state, retry } = useRead('GET /users/{id}/forecast', { params: { id: uuid } });
  const lines = state.kind === 'loaded' ? state.data : null;
  if (lines?.length === 0) return null;
  return (
    <Section title="Coming up">
      <ReadPlaceholder state={state} retry={retry} loading="Loading what is coming up" offline="What is coming up needs a connection." />
      {lines && (
        <details className={classes.coming}>
          <summary>{sentenceOf(lines)}</summary>
          <ul className={`${layout.lines} ${classes.must}`} aria-label="Courses that change in the next 90 days">
            {lines.map((line) => {
              const last = line.turns.at(-1);
              return (
                <li key={line.id}>
                  <div>
                    <strong>{line.course.title}</strong>
                    <small>{turnWords(line)}</small>
                  </div>
                  {last && (
                    <Badge tone={last.to === 'red' ? 'danger' : 'warning'}>
                      {last.in_days === 0 ? 'Today' : `In ${countOf(last.in_days, 'day')}`}
                    </Badge>
                  )}
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </Section>
  );
};
