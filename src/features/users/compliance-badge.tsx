import type { UserRow } from '#contract/entities/user.ts';
import classes from '#src/features/users/users.module.css';
import { WhyButton } from '#src/screens/why-button.tsx';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import { Badge, type Tone } from '#src/ui/badge.tsx';

type Courses = Omit<UserRow['courses'], 'completed'>;
/**
 * Overdue is what every other figure calls so: required, and Expired or Missing. What is late otherwise, such as a step of a pathway, is still
 * to do. Somebody of whom nothing is required has nothing to be up to date with.
 */
const standingOf = ({ overdue, current, required, required_overdue }: Courses): { tone: Tone; words: string } => {
  const open = overdue + current;
  if (required_overdue > 0) return { tone: 'danger', words: `${required_overdue} overdue` };
  if (open > 0) return { tone: 'warning', words: `${open} to do` };
  return required > 0 ? { tone: 'ok', words: 'Up to date' } : { tone: 'plain', words: 'Nothing required' };
};
export const complianceWords = (courses: Courses): string => standingOf(courses).words;

/** A person's compliance status, in words and with an icon; if the person is given, also with the explanation. */
export const ComplianceBadge = ({ courses, of }: { courses: Courses; of?: Pick<UserRow, 'id' | 'name'> }) => {
  const { tone, words } = standingOf(courses);
  const badge = (
    <Badge tone={tone} icon={{ danger: IconAlert, ok: IconCheck, warning: undefined, plain: undefined }[tone]}>
      {words}
    </Badge>
  );
  return of ? (
    <span className={classes.badge}>
      {badge}
      <WhyButton userId={of.id} name={of.name} />
    </span>
  ) : (
    badge
  );
};
