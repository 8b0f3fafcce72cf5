import type { UserRow } from '#contract/entities/user.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

/** How a person stands, in words and with a sign. */
export const Standing = ({ courses }: { courses: Pick<UserRow['courses'], 'overdue' | 'current'> }) =>
  courses.overdue > 0 ? (
    <span className={layout.badge} data-tone="danger">
      <IconAlert size={18} />
      {courses.overdue} overdue
    </span>
  ) : courses.current > 0 ? (
    <span className={layout.badge} data-tone="warning">
      {courses.current} to do
    </span>
  ) : (
    <span className={layout.badge} data-tone="ok">
      <IconCheck size={18} />
      Up to date
    </span>
  );
