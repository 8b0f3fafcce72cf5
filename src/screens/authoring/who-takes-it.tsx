import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { CourseUses } from '#contract/entities/authored-content.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { Places } from '#src/screens/authoring/sharing.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { countOf, formatDay } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';

/** Ways to make a course available to people, each shown to those who may open its page. */
const useWaysOn = (course: string) => {
  const user = useSession();
  const slug = useActingAs()?.slug ?? user?.primary_entity.slug ?? '';
  const ways = [
    { id: 'entities-one-roles', need: 'role.update', label: 'Require it of a job role', to: pathTo('entities-one-roles', { slug }) },
    {
      id: 'entities-one-courses',
      need: 'entity.courses',
      label: 'Say who may take it',
      to: `${pathTo('entities-one-courses', { slug })}?give=${course}`,
    },
    { id: 'pathways', need: 'course.update', label: 'Make it part of a pathway', to: pathTo('pathways') },
  ] as const;
  return ways.filter(({ id, need }) => can(user, need) && can(user, needOf(id)));
};
const people = ({ people_in_it: now, people_done: done, people_required: required }: CourseUses) =>
  [
    now + done === 0 && 'Nobody has begun it yet',
    now > 0 && `${countOf(now, 'person', 'people')} in it now`,
    done > 0 && `${countOf(done, 'person', 'people')} with a result that counts`,
    required > 0 && `required of ${countOf(required, 'person', 'people')}`,
  ]
    .filter(Boolean)
    .join(', ');

const Named = ({
  title,
  things,
}: {
  title: string;
  things: readonly { id: string; name: string; to: string | false; more?: string | undefined }[];
}) =>
  things.length > 0 && (
    <div>
      <h3 className={classes.kindTitle}>{title}</h3>
      <ul className={layout.list}>
        {things.map(({ id, name, to, more }) => (
          <li key={id} style={{ overflowWrap: 'anywhere' }}>
            {to ? <Link to={to}>{name}</Link> : name}
            {more && <span className={shapes.muted}> {more}</span>}
          </li>
        ))}
      </ul>
    </div>
  );

const WaysOn = ({ course }: { course: string }) => (
  <div className={layout.tools}>
    {useWaysOn(course).map(({ id, label, to }) => (
      <Button key={id} variant="default" component={Link} to={to}>
        {label}
      </Button>
    ))}
  </div>
);

/** Warns that published content is not available to anybody yet, with links to change that. Hidden if something requires it. */
export const NobodyTakesIt = ({ course }: { course: string }) => {
  const { state } = useRead('GET /courses/{id}/uses', { params: { id: course } });
  if (state.kind !== 'loaded' || state.data.roles.length + state.data.pathways.length > 0) return null;
  return (
    <Section title="Nobody has to take it yet">
      <p className={shapes.muted}>It is in nobody’s list until a job role or a pathway asks for it.</p>
      <WaysOn course={course} />
    </Section>
  );
};

/** Who takes one content directly, and with whom it is shared. */
const ByItself = ({ content }: { content: string }) => {
  const { state, retry } = useRead('GET /content/{id}/uses', { params: { id: content } });
  if (state.kind !== 'loaded')
    return <ReadPlaceholder state={state} retry={retry} loading="Looking who has it" offline="Who has it is seen with a connection." />;
  return <Places kind="content" id={content} places={state.data.organisations} onChange={retry} />;
};

/** Where a course is used: what requires it, where it is available, how many people take it, and with whom it is shared; the same for a content. */
export const WhoTakesIt = ({ course, content }: { course: string; content?: string }) => {
  const user = useSession();
  const { state, retry } = useRead('GET /courses/{id}/uses', { params: { id: course } });
  if (state.kind !== 'loaded')
    return (
      <Section title="Who takes it">
        <ReadPlaceholder state={state} retry={retry} loading="Looking who takes it" offline="Who takes it is seen with a connection." />
      </Section>
    );
  const { organisations, roles, pathways, sessions } = state.data;
  return (
    <Section title="Who takes it">
      <p className={shapes.muted}>{people(state.data)}</p>
      {roles.length + pathways.length === 0 && <p className={shapes.muted}>No job role and no pathway asks for it.</p>}
      <Named
        title="Required of"
        things={roles.map(({ id, name, entity }) => ({
          ...{ id, name, more: entity.name },
          to:
            can(user, 'role.update') &&
            pathTo('entities-one-update-role-by-role-course-by-course-compliance', { slug: entity.slug, role: id, course }),
        }))}
      />
      <Named title="Part of" things={pathways.map(({ id, name }) => ({ id, name, to: pathTo('pathways-by-id', { id }) }))} />
      <Named
        title="Training to come"
        things={sessions.map(({ id, date, entity }) => ({
          ...{ id, name: formatDay(date), more: entity.name },
          to: can(user, needOf('training-sessions-by-id')) && pathTo('training-sessions-by-id', { id }),
        }))}
      />
      <Places kind="course" id={course} places={organisations} onChange={retry} />
      {content !== undefined && <ByItself content={content} />}
      <WaysOn course={course} />
    </Section>
  );
};
