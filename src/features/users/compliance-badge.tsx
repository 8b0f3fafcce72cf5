import type { UserRow } from '#contract/entities/user.ts';
import classes from '#src/features/users/users.module.css';
import { WhyButton } from '#src/screens/why-button.tsx';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Courses = Pick<UserRow['courses'], 'overdue' | 'current'>;
export const complianceWords = ({ overdue, current }: Courses): string =>
  overdue > 0 ? `${overdue} overdue` : current > 0 ? `${current} to do` : 'Up to date';

/** A person's compliance status, in words and with an icon; if the person is given, also with the explanation. */
export const ComplianceBadge = ({ courses, of }: { courses: Courses; of?: Pick<UserRow, 'id' | 'name'> }) => {
  const tone = courses.overdue > 0 ? 'danger' : courses.current > 0 ? 'warning' : 'ok';
  const badge = (
    <Badge tone={tone} icon={{ danger: IconAlert, ok: IconCheck, warning: undefined }[tone]}>
      {complianceWords(courses)}
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
