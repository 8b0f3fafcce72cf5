import '@mantine/core/styles/Combobox.css';
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { AvailableCourse } from '#contract/entities/assignment.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { startCourse } from '#src/device/start-course.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/users/users.module.css';
import { formatDay } from '#src/lib/format.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

/** The optional courses that somebody may take; they can start them here themselves. */
export const PersonalDevelopment = ({ uuid }: { uuid: string }) => {
  const me = useSession();
  const db = usePersonDb();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<string | null>(null);
  const [category, setCategory] = useState<string | null>(null);
  const { state } = useReadOf(['personal development', uuid], (signal) =>
    call('GET /users/{id}/personal-development-courses', { params: { id: uuid } }, { quiet: true, signal }),
  );
  const courses: readonly AvailableCourse[] = state.kind === 'loaded' ? state.data : [];
  const start = async (course: AvailableCourse) => {
    if (!me || !course.content_id) return;
    setBusy(course.id);
    const started = await startCourse(db, me, course.content_id);
    setBusy(null);
    if (started.ok) void navigate(pathTo('attempt-by-attemptid', { attemptId: started.value }));
    else notify('error', started.message);
  };
  const categories = [...new Set(courses.flatMap((course) => course.categories))].sort((a, b) => a.localeCompare(b));
  if (courses.length === 0) return null;
  return (
    <Section title="Personal development">
      <p className={layout.count}>Optional courses, beside the required ones.</p>
      {categories.length > 1 && (
        <Select
          label="Category"
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': 'Category: all' }}
          data={categories}
          value={category}
          onChange={setCategory}
        />
      )}
      <ul className={`${layout.lines} ${classes.must}`}>
        {courses
          .filter(({ categories: of }) => category === null || of.includes(category))
          .map((course) => (
            <li key={course.id}>
              <div>
                <strong>{course.title}</strong>
                <small>
                  {[
                    ...course.categories,
                    ...(course.estimated_duration ? [`${course.estimated_duration} minutes`] : []),
                    ...(course.completed_at ? [`completed on ${formatDay(course.completed_at)}`] : []),
                  ].join(' · ')}
                </small>
              </div>
              {uuid === me?.uuid && course.content_id && (
                <Button variant="default" loading={busy === course.id} onClick={() => void start(course)} aria-label={`Start ${course.title}`}>
                  Start
                </Button>
              )}
            </li>
          ))}
      </ul>
    </Section>
  );
};
