import { Button, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { RoleCourse } from '#contract/entities/compliance.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { ruleWords, takenAway } from '#src/features/compliance/rule-words.ts';
import { countOf } from '#src/lib/format.ts';
import { Forecast } from '#src/screens/forecast.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { IconBook, IconSearch } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Kind = 'none' | 'primary' | 'secondary';

/** Every course of the organisation: whether a job role requires it, and by which rule. */
export const Component = () => {
  const { slug = '', role = '' } = useParams();
  const user = useSession();
  const brand = useBrand();
  const { state, retry } = useReadOf(['courses of a job role', slug, role], async () => {
    const found = await call('GET /entities/{slug}/roles/{id}', { params: { slug, id: role } });
    if (found.kind !== 'ok') return found;
    const courses = await call('GET /compliance/{entity}/role/{roleId}', { params: { entity: slug, roleId: role } });
    return courses.kind === 'ok' ? { ...courses, data: { role: found.data, courses: courses.data } } : courses;
  });
  const [changed, setChanged] = useState<Record<string, RoleCourse['compliance']>>({});
  const [busy, setBusy] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const thing = state.kind === 'loaded' ? state.data : null;
  const mayChange = thing?.role.editable === true && can(user, 'role.update');
  const courses = (thing?.courses ?? []).map((c) => (c.id in changed ? { ...c, compliance: changed[c.id] ?? null } : c));
  const shown = courses.filter((c) => c.title.toLowerCase().includes(typed.trim().toLowerCase()));
  const had = courses.filter((c) => c.available);
  const required = had.filter((c) => c.compliance).length;
  const choose = async (course: RoleCourse, kind: Kind) => {
    const rule = course.compliance;
    if (kind === (rule?.type ?? 'none')) return;
    setBusy(course.id);
    const result =
      kind === 'none'
        ? await call('DELETE /compliance/{id}', { params: { id: rule?.id ?? '' } })
        : rule
          ? await call('PATCH /compliance/{id}', { params: { id: rule.id }, body: { type: kind } })
          : await call('POST /compliance', { body: { role_id: role, course_id: course.id, type: kind } });
    setBusy(null);
    if (result.kind === 'ok') {
      setChanged((all) => ({ ...all, [course.id]: kind === 'none' ? null : (result.data as RoleCourse['compliance']) }));
      notify('success', texts.complianceUpdated);
    } else notify('error', sentenceOf(result));
  };
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {thing?.role.name ?? 'Courses of a job role'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the courses" offline="The courses of a job role need a connection." />
      {thing && (
        <>
          <p className={layout.count} role="status">
            Required: {countOf(required, 'course')} of {had.length}.
            {thing.role.editable ? '' : ` ${thing.role.entity.name} created this job role, and only they can change it.`}
            <span className="visually-hidden"> {texts.coursesFetched}</span>
          </p>
          <Forecast of={{ role_id: role }} />
          <TextInput
            label="Find a course"
            placeholder="Title"
            type="search"
            leftSection={<IconSearch size={20} />}
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
          {shown.length === 0 && (
            <EmptyState icon={<IconBook size={36} />} title={typed ? `Nothing found for “${typed.trim()}”` : 'No courses yet'}>
              {typed ? 'Try a part of the title.' : 'Courses appear here when your organisation has some.'}
            </EmptyState>
          )}
          <ul className={layout.list}>
            {shown.map((course) => (
              <li key={course.id} className={`app-card ${layout.row}`}>
                <div>
                  <strong>{course.title}</strong>
                  {course.compliance && <small>{course.available ? ruleWords(course) : takenAway}</small>}
                </div>
                <div className={layout.tools}>
                  <Segmented
                    size="md"
                    aria-label={`${course.title}: whether it is required`}
                    disabled={!mayChange || busy === course.id || (!course.available && !course.compliance)}
                    value={course.compliance?.type ?? 'none'}
                    onChange={(kind) => void choose(course, kind as Kind)}
                    data={[
                      { value: 'none', label: 'No' },
                      { value: 'primary', label: brand.primaryComplianceAltName },
                      { value: 'secondary', label: brand.secondaryComplianceAltName },
                    ]}
                  />
                  {course.compliance && mayChange && (
                    <Button
                      variant="default"
                      component={Link}
                      to={pathTo('entities-one-update-role-by-role-course-by-course-compliance', { slug, role, course: course.id })}
                      aria-label={`Rule for ${course.title}`}
                    >
                      Rule
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
};
