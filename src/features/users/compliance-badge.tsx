import type { UserRow } from '#contract/entities/user.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Courses = Pick<UserRow['courses'], 'overdue' | 'current'>;
export const complianceWords = ({ overdue, current }: Courses): string =>
  overdue > 0 ? `${overdue} overdue` : current > 0 ? `${current} to do` : 'Up to date';

/** How a person stands, in words and with a sign. */
export const ComplianceBadge = ({ courses }: { courses: Courses }) => {
  const tone = courses.overdue > 0 ? 'danger' : courses.current > 0 ? 'warning' : 'ok';
  return (
    <Badge tone={tone} icon={{ danger: IconAlert, ok: IconCheck, warning: undefined }[tone]}>
      {complianceWords(courses)}
    </Badge>
  );
};
