import { Modal } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { CourseStanding } from '#contract/entities/compliance.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { countOf } from '#src/lib/format.ts';
import { resultWords } from '#src/lib/result-words.ts';
import { useRead } from '#src/screens/use-read.ts';
import classes from '#src/screens/why-dialog.module.css';
import { Remedies } from '#src/screens/why-remedies.tsx';
import type { WhyProps } from '#src/screens/why-button.tsx';
import { ErrorState, LoadingState } from '#src/ui/states.tsx';

type Fact = [string, React.ReactNode];

/** The rule, the result and the dates that a status comes from. */
const factsOf = ({ rule, result, alternative, parts, zone }: CourseStanding, names: { primary: string; secondary: string }): Fact[] => {
  const day = (instant: string) => dayWords(dayIn(instant, zone));
  const facts: Fact[] = [];
  if (rule) {
    facts.push(['Required by', `the job role “${rule.role.name}” of ${rule.entity.name} (${names[rule.type]})`]);
    const asked = [rule.required_from && `from ${dayWords(rule.required_from)}`, rule.required_until && `until ${dayWords(rule.required_until)}`];
    if (asked.some(Boolean)) facts.push(['Required', asked.filter(Boolean).join(' ')]);
    facts.push(['Valid for', rule.renewal_months === null ? 'It does not expire' : countOf(rule.renewal_months, 'month')]);
    facts.push(['Warning', `${countOf(rule.expiry_warning, 'day')} before it expires`]);
    facts.push(['New starters', `have ${countOf(rule.starter_period, 'day')} from their start date, ${dayWords(rule.started_on)}`]);
  }
  if (result) {
    const until = result.expires_at ? `, until ${day(result.expires_at)}` : '';
    const by = result.recorded_by ? `, recorded by ${result.recorded_by.name}` : '';
    const note = result.type === 'exempt' && result.note ? `: ${result.note}` : '';
    facts.push([
      result.type === 'exempt' ? 'Exemption' : 'Result that counts',
      <Link key="result" to={pathTo('results-by-id', { id: result.id })}>
        {`${result.course.name}, ${resultWords.types[result.type]}, ${day(result.completed_at)}${until}${by}${note}`}
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

type Shown = { opened: boolean; onClose: () => void /** It has left the screen. */; onGone: () => void };
/** Why somebody stands with a course as they do: the sentence that is known already, then the rule, the result and what puts it right. */
export const WhyDialog = ({ userId, courseId, courseTitle, reason, opened, onClose, onGone }: WhyProps & Shown) => {
  const brand = useBrand();
  const me = useSession();
  const { state, retry } = useRead('GET /users/{id}/courses/{courseId}/standing', { params: { id: userId, courseId } });
  const standing = state.kind === 'here' ? state.thing : null;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onGone}
      title={courseTitle}
      centered
      closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
      styles={{ title: { fontWeight: 700 } }}
    >
      <p className={classes.reason}>{standing?.reason ?? reason}</p>
      {state.kind === 'loading' && <LoadingState rows={2} label="Loading the rule" />}
      {state.kind === 'offline' && <p role="status">The rule and what puts it right need a connection.</p>}
      {state.kind === 'error' && <ErrorState message={state.message} onRetry={retry} />}
      {standing && (
        <>
          <dl className={classes.facts}>
            {factsOf(standing, { primary: brand.primaryComplianceAltName, secondary: brand.secondaryComplianceAltName }).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Remedies standing={standing} own={userId === me?.uuid} onChanged={retry} />
        </>
      )}
    </Modal>
  );
};
