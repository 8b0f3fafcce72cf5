import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button, Modal } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { CourseStanding } from '#contract/entities/compliance.ts';
import { can } from '#contract/can.ts';
import { seesPathways } from '#contract/entities/pathway.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { countOf, formatDay } from '#src/lib/format.ts';
import { resultWords } from '#src/lib/result-words.ts';
import { stepWords } from '#src/lib/step-words.ts';
import { useRead } from '#src/screens/use-read.ts';
import classes from '#src/screens/why-dialog.module.css';
import { Remedies } from '#src/screens/why-remedies.tsx';
import { askWhy, type Why, type WhyCourse, type WhyPerson } from '#src/screens/why.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconAlert, IconClock } from '#src/ui/icons.tsx';
import { ErrorState, LoadingState } from '#src/ui/states.tsx';

type Fact = [name: string, value: React.ReactNode, key?: string];

/** Their progress with it as a pathway step. */
const stepFactsOf = ({ steps }: CourseStanding, linked: boolean): Fact[] =>
  steps.map(({ pathway, since, state, done_at, due_on }) => [
    'Step of a pathway',
    <span key={pathway.id}>
      {linked ? <Link to={pathTo('pathways-by-id', { id: pathway.id })}>{pathway.name}</Link> : pathway.name}, on it since {formatDay(since)}:{' '}
      {stepWords({ state, done_at, due_on })}
    </span>,
    pathway.id,
  ]);

/** The rule, the result and the dates from which a status follows. */
const factsOf = ({ rule, result, alternative, parts, zone }: CourseStanding, names: { primary: string; secondary: string }): Fact[] => {
  const day = (instant: string) => dayWords(dayIn(instant, zone));
  const facts: Fact[] = [];
  if (rule) {
    facts.push(['Required by', `the job role “${rule.role.name}” of ${rule.entity.name} (${names[rule.type]})`]);
    const period = [rule.required_from && `from ${dayWords(rule.required_from)}`, rule.required_until && `until ${dayWords(rule.required_until)}`];
    if (period.some(Boolean)) facts.push(['Required', period.filter(Boolean).join(' ')]);
    facts.push(['Valid for', rule.renewal_months === null ? 'It does not expire' : countOf(rule.renewal_months, 'month')]);
    facts.push(['Warning', `${countOf(rule.expiry_warning, 'day')} before it expires`]);
    facts.push(['New starters', `have ${countOf(rule.starter_period, 'day')} from their start date, ${dayWords(rule.started_on)}`]);
  }
  if (result) {
    const until = result.expires_at ? `, until ${day(result.expires_at)}` : '';
    const recorder = result.recorded_by ? `, recorded by ${result.recorded_by.name}` : '';
    const note = result.type === 'exempt' && result.note ? `: ${result.note}` : '';
    facts.push([
      result.type === 'exempt' ? 'Exemption' : 'Result that counts',
      <Link key="result" to={pathTo('results-by-id', { id: result.id })}>
        {`${result.course.name}, ${resultWords.types[result.type]}, ${day(result.completed_at)}${until}${recorder}${note}`}
      </Link>,
    ]);
    if (alternative)
      facts.push(['Counts as well', alternative.entity ? `according to ${alternative.entity.name}` : 'through another course that counts as well']);
  }
  for (const part of parts ?? [])
    facts.push([
      part.name === 'theory' ? 'Theory part' : 'Practical part',
      `${part.course.name}: ${part.completed_at ? `${day(part.completed_at)}${part.expires_at ? `, until ${day(part.expires_at)}` : ''}` : 'not completed'}`,
    ]);
  return facts;
};

/** Why somebody has their status in a course: the known sentence first, then the rule, the result and the remedies. */
const OfCourse = ({ why: { userId, courseId, reason }, from }: { why: WhyCourse; from: WhyPerson | null }) => {
  const brand = useBrand();
  const me = useSession();
  const { state, retry } = useRead('GET /users/{id}/courses/{courseId}/standing', { params: { id: userId, courseId } });
  const standing = state.kind === 'loaded' ? state.data : null;
  return (
    <>
      <p className={classes.reason}>{standing?.reason ?? reason}</p>
      {state.kind === 'loading' && <LoadingState rows={2} label="Loading the rule" />}
      {state.kind === 'offline' && <p role="status">The rule and what puts it right need a connection.</p>}
      {state.kind === 'error' && <ErrorState message={state.message} onRetry={retry} />}
      {standing && (
        <>
          <dl className={`${shapes.facts} ${classes.facts}`}>
            {[
              ...factsOf(standing, { primary: brand.primaryComplianceAltName, secondary: brand.secondaryComplianceAltName }),
              ...stepFactsOf(standing, userId === me?.uuid || can(me, seesPathways)),
            ].map(([name, value, key = name]) => (
              <div key={key}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Remedies standing={standing} own={userId === me?.uuid} onChanged={retry} />
        </>
      )}
      {from && (
        <Button variant="default" mt="md" onClick={() => askWhy(from)}>
          Back to {from.name}
        </Button>
      )}
    </>
  );
};

/** What somebody has to do, most urgent first, and why. */
const OfPerson = ({ why }: { why: WhyPerson }) => {
  const { state, retry } = useRead('GET /users/{id}/events', { params: { id: why.userId } });
  if (state.kind === 'loading') return <LoadingState rows={3} label="Loading the courses" />;
  if (state.kind === 'offline') return <p role="status">Which courses these are needs a connection.</p>;
  if (state.kind === 'error') return <ErrorState message={state.message} onRetry={retry} />;
  const open = state.data.filter((e) => e.status !== 'completed').toSorted((a, b) => Number(b.status === 'overdue') - Number(a.status === 'overdue'));
  const done = state.data.length - open.length;
  return (
    <>
      <p className={classes.reason}>
        {open.length === 0 ? 'Nothing is overdue and nothing is to do.' : `${countOf(open.length, 'course')} to do.`}
        {done > 0 && ` ${countOf(done, 'course')} completed.`}
      </p>
      {open.length > 0 && (
        <ul className={layout.lines} aria-label="Courses to do">
          {open.map((e) => (
            <li key={e.course_id}>
              <div>
                <strong>{e.course_title}</strong>
                <small>{e.reason}</small>
              </div>
              <span className={layout.line}>
                <Badge tone={e.status === 'overdue' ? 'danger' : 'warning'} icon={e.status === 'overdue' ? IconAlert : IconClock}>
                  {e.status === 'overdue' ? 'Overdue' : 'To do'}
                </Badge>
                <Button
                  variant="subtle"
                  px="xs"
                  aria-label={`Why? ${e.course_title}`}
                  onClick={() => askWhy({ userId: why.userId, courseId: e.course_id, courseTitle: e.course_title, reason: e.reason }, why)}
                >
                  Why?
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <Button variant="default" mt="md" component={Link} to={pathTo('users-by-uuid', { uuid: why.userId })}>
        Open {why.name}
      </Button>
    </>
  );
};

type Shown = { why: Why; from: WhyPerson | null; opened: boolean; onClose: () => void /** It has left the screen. */; onGone: () => void };
/** Why somebody has their status, in one course or overall. */
export const WhyDialog = ({ why, from, opened, onClose, onGone }: Shown) => (
  <Modal
    opened={opened}
    onClose={onClose}
    onExitTransitionEnd={onGone}
    title={'courseId' in why ? why.courseTitle : why.name}
    centered
    closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
    styles={{ title: { fontWeight: 700 } }}
  >
    {'courseId' in why ? <OfCourse key={why.courseId} why={why} from={from} /> : <OfPerson why={why} />}
  </Modal>
);
