import layout from '#src/ui/page.module.css';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { PersonCompliance } from '#contract/entities/compliance.ts';
import type { ComplianceStatus } from '#contract/rules/compliance-status.ts';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/features/users/users.module.css';
import { IconAlert, IconCheck, IconClock } from '#src/ui/icons.tsx';
import { type BulkAction, BulkBar } from '#src/screens/table/bulk-bar.tsx';
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

type Props = { userId: string; courses: readonly PersonCompliance[]; bulk?: readonly BulkAction<PersonCompliance>[] | undefined };
/** Somebody's required courses, most urgent first, with status and reason. Several can be selected if there are bulk actions. */
export const RequiredCourses = ({ userId, courses, bulk }: Props) => {
  const brand = useBrand();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  if (courses.length === 0) return null;
  const chosen = courses.filter((c) => selected.has(c.course_id));
  const select = (ids: readonly string[], on: boolean) =>
    setSelected((before) => new Set([...[...before].filter((id) => !ids.includes(id)), ...(on ? ids : [])]));
  const all = courses.map((c) => c.course_id);
  return (
    <Section title="Required training">
      {bulk && (
        <Checkbox
          className={classes.tick}
          label="Select all"
          checked={chosen.length === courses.length}
          indeterminate={chosen.length > 0 && chosen.length < courses.length}
          onChange={(e) => select(all, e.currentTarget.checked)}
        />
      )}
      {bulk && chosen.length > 0 && (
        <BulkBar
          rows={chosen}
          nameOf={(c) => c.course_title}
          actions={bulk}
          onClear={() => setSelected(new Set())}
          onDone={(done) =>
            select(
              done.map((c) => c.course_id),
              false,
            )
          }
        />
      )}
      <ul className={`${layout.lines} ${classes.must}`}>
        {courses.map((course) => {
          const { tone, icon: Icon, word } = looks[course.status];
          return (
            <li key={course.course_id}>
              {bulk && (
                <Checkbox
                  className={classes.tick}
                  aria-label={`Select ${course.course_title}`}
                  checked={selected.has(course.course_id)}
                  onChange={(e) => select([course.course_id], e.currentTarget.checked)}
                />
              )}
              <div className={classes.about}>
                <strong>{course.course_title}</strong>
                <small>
                  {course.type === 'primary' ? brand.primaryComplianceAltName : brand.secondaryComplianceAltName} · {course.reason}
                </small>
              </div>
              <span className={layout.line}>
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
