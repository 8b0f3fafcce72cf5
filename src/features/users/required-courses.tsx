import type { PersonCompliance } from '#contract/entities/compliance.ts';
import type { ComplianceStatus } from '#contract/rules/compliance-status.ts';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/features/users/users.module.css';
import { IconAlert, IconCheck, IconClock } from '#src/ui/icons.tsx';
import { WhyButton } from '#src/screens/why-button.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Section } from '#src/ui/section.tsx';

const looks: Record<ComplianceStatus, { tone: 'ok' | 'warning' | 'danger'; icon: typeof IconCheck; word: string }> = {
  in_date: { tone: 'ok', icon: IconCheck, word: 'In date' },
  lapsed: { tone: 'ok', icon: IconCheck, word: 'Not required' },
  not_required: { tone: 'ok', icon: IconCheck, word: 'Not required' },
  expiring: { tone: 'warning', icon: IconClock, word: 'Expires soon' },
  starter: { tone: 'warning', icon: IconClock, word: 'New starter' },
  expired: { tone: 'danger', icon: IconAlert, word: 'Expired' },
  missing: { tone: 'danger', icon: IconAlert, word: 'Missing' },
};

/** What somebody has to do, the most urgent first: how each stands, and why. */
export const RequiredCourses = ({ userId, courses }: { userId: string; courses: readonly PersonCompliance[] }) => {
  const brand = useBrand();
  if (courses.length === 0) return null;
  return (
    <Section title="Required training">
      <ul className={classes.must}>
        {courses.map((course) => {
          const { tone, icon: Icon, word } = looks[course.status];
          return (
            <li key={course.course_id}>
              <div>
                <strong>{course.course_title}</strong>
                <small>
                  {course.type === 'primary' ? brand.primaryComplianceAltName : brand.secondaryComplianceAltName} · {course.reason}
                </small>
              </div>
              <span className={classes.standing}>
                <WhyButton userId={userId} courseId={course.course_id} courseTitle={course.course_title} reason={course.reason} />
                <Badge tone={tone} icon={Icon}>
                  {word}
                </Badge>
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
};
