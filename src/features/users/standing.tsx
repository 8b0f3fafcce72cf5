import type { UserRow } from '#contract/entities/user.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

type Courses = Pick<UserRow['courses'], 'overdue' | 'current'>;
export const standingWords = ({ overdue, current }: Courses): string =>
  overdue > 0 ? `${overdue} overdue` : current > 0 ? `${current} to do` : 'Up to date';

/** How a person stands, in words and with a sign. */
export const Standing = ({ courses }: { courses: Courses }) => {
  const tone = courses.overdue > 0 ? 'danger' : courses.current > 0 ? 'warning' : 'ok';
  return (
    <span className={layout.badge} data-tone={tone}>
      {tone === 'danger' && <IconAlert size={18} />}
      {tone === 'ok' && <IconCheck size={18} />}
      {standingWords(courses)}
    </span>
  );
};
