import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import type { EntityContent, EntityCourse } from '#contract/entities/assignment.ts';
import type { UserRow } from '#contract/entities/user.ts';
import { giveContent, giveCourse, updateGivenContent, updateGivenCourse } from '#contract/api/assignments.ts';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { useCan } from '#src/access/use-can.ts';
import { type CallInput, call, sentenceOf } from '#src/api/call.ts';
import { type Find, findCourses } from '#src/api/find.ts';
import type { Result } from '#src/api/transport.ts';
import { countOf } from '#src/lib/format.ts';
import { forecastPath } from '#src/screens/forecast.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { LoadingState } from '#src/ui/states.tsx';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';
import { useForm } from '#src/screens/use-form.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import form from '#src/ui/form.module.css';
import { IconBook } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { categoriesOf, MultiPicker, type Option, Picker, rolesOf, typesOf } from '#src/screens/pickers.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Ref = { id: string; name: string };
type Given = (EntityCourse & { kind: 'course' }) | (EntityContent & { kind: 'content' });

const findContent: Find = async (search, signal) => {
  const found = await Promise.all(
    (['elearning', 'scorm'] as const).map((type) => call('GET /content', { query: { search, type, per_page: 25 } }, { signal, quiet: true })),
  );
  const failed = found.find((r): r is Exclude<Result, { kind: 'ok' }> => r.kind !== 'ok');
  return failed
    ? { failed: sentenceOf(failed) }
    : { options: found.flatMap((r) => (r.kind === 'ok' ? r.data.map((c) => ({ id: c.id, name: `${c.title} (${c.course.title})` })) : [])) };
};

const forWhom = ({ roles, types }: { roles: readonly Ref[]; types: readonly Ref[] }) =>
  roles.length + types.length === 0 ? 'Everybody' : [...roles, ...types].map((g) => g.name).join(', ');

type FormProps = {
  slug: string;
  kind: Given['kind'];
  given: Given | null;
  /** The preselected course. */
  course?: Option | null;
  /** The preselected job roles. */
  roles?: readonly Ref[];
  onDone: () => void;
  onCancel: () => void;
};
/** Search results that can still be assigned to an organisation, without those assigned already. */
const findAvailable = (slug: string, kind: Given['kind']) => async (typed: string, signal: AbortSignal) => {
  const query = { search: typed, per_page: 100 };
  const [found, courses, contents] = await Promise.all([
    (kind === 'course' ? findCourses : findContent)(typed, signal),
    kind === 'course' ? call('GET /entities/{slug}/courses', { params: { slug }, query }, { signal, quiet: true }) : null,
    kind === 'content' ? call('GET /entities/{slug}/content', { params: { slug }, query }, { signal, quiet: true }) : null,
  ]);
  const allAssigned = [...(courses?.kind === 'ok' ? courses.data : []), ...(contents?.kind === 'ok' ? contents.data : [])];
  const assigned = new Set(allAssigned.filter((g) => g.from.slug === slug).map((g) => g.id));
  return 'options' in found ? { options: found.options.filter((o) => !assigned.has(o.id)) } : found;
};

const ids = (chosen: readonly Ref[]) => chosen.map(({ id }) => id);

/** Assigns something new, or changes an assignment's audience and category. */
const GivenForm = ({ slug, kind, given, course = null, roles = [], onDone, onCancel }: FormProps) => {
  // The audience of something from above is set there; its category is one's own.
  const available = { find: findAvailable(slug, kind), placeholder: 'Choose one', nothing: 'Nothing of this title' };
  const mayRestrict = useCan('content.restrict');
  const narrows = mayRestrict && (given === null || given.from.slug === slug);
  const [schema] = useState(() =>
    kind === 'course' ? (given ? updateGivenCourse.body : giveCourse.body) : given ? updateGivenContent.body : giveContent.body,
  );
  const done = { success: texts.successfullyUpdated };
  const fields = useForm({
    schema,
    begin: () => ({
      ...{ course_id: course, content_id: null as Option | null },
      ...{ role_ids: (given?.roles ?? roles) as readonly Ref[], type_ids: (given?.types ?? []) as readonly Ref[] },
      category_ids: (given?.kind === 'course' ? given.categories : []) as readonly Ref[],
    }),
    toInput: ({ course_id, content_id, role_ids, type_ids, category_ids }) => ({
      ...(narrows ? { role_ids: ids(role_ids), type_ids: ids(type_ids) } : {}),
      ...(given?.kind === 'course' ? { category_ids: ids(category_ids) } : {}),
      ...(given ? {} : { course_id: course_id?.id, content_id: content_id?.id }),
    }),
    save: async (data): Promise<Result<unknown>> => {
      const body = data as CallInput<'POST /entities/{slug}/courses'>['body'] & CallInput<'POST /entities/{slug}/content'>['body'];
      if (given?.kind === 'course') return call('PATCH /entities/{slug}/courses/{courseId}', { params: { slug, courseId: given.id }, body });
      if (given) return call('PATCH /entities/{slug}/content/{contentId}', { params: { slug, contentId: given.id }, body });
      return kind === 'course'
        ? call('POST /entities/{slug}/courses', { params: { slug }, body })
        : call('POST /entities/{slug}/content', { params: { slug }, body });
    },
    ...done,
    onSaved: onDone,
  });
  const taking = useAction(
    async ({ id }: Given): Promise<Result<unknown>> =>
      kind === 'course'
        ? call('DELETE /entities/{slug}/courses/{courseId}', { params: { slug, courseId: id } })
        : call('DELETE /entities/{slug}/content/{contentId}', { params: { slug, contentId: id } }),
    { ...done, onDone },
  );
  const { field } = fields;
  return (
    <Form
      form={fields}
      label={given ? given.title : `Assign a ${kind}`}
      save={(mayRestrict || !given || kind === 'course') && 'Save'}
      beside={
        <>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          {given?.given_here && (
            <DeleteButton
              label="Remove …"
              sure="Remove"
              question={`Take “${given.title}” ? People who have begun it can finish it.`}
              onDelete={() => void taking.run(given)}
            />
          )}
        </>
      }
    >
      <FormSection>
        {given ? (
          <strong>{given.title}</strong>
        ) : kind === 'course' ? (
          <Picker label="Course" from={available} {...field('course_id')} />
        ) : (
          <Picker label="Content" from={available} {...field('content_id')} />
        )}
        {narrows ? (
          <div className={form.pair}>
            <MultiPicker label="For job roles" placeholder="Everybody" from={rolesOf(slug)} {...field('role_ids')} />
            <MultiPicker label="For user types" placeholder="Everybody" from={typesOf(slug)} {...field('type_ids')} />
          </div>
        ) : (
          <p className={layout.count}>
            {mayRestrict
              ? `It comes from ${given?.from.name}; you choose who it is for there.`
              : `You do not have permission to choose which job roles and user types a ${kind} is for.`}
          </p>
        )}
        {given?.kind === 'course' && <MultiPicker label="Under the categories" from={categoriesOf(slug)} {...field('category_ids')} />}
        <p className={layout.count}>People whose job role requires a course can take it in any case.</p>
      </FormSection>
    </Form>
  );
};

/** The preselection in an address: what to assign, and to whom. */
type Asked = { course: string; people: readonly string[] };
/** The course, the people, and those of their job roles that this organisation uses. */
type Beginning = { course: Option | null; people: readonly UserRow[]; roles: readonly Ref[] };
const peopleAtMost = 50;
const beginningOf = async (slug: string, { course, people }: Asked, signal: AbortSignal): Promise<Answer<Beginning>> => {
  const ids = people.slice(0, peopleAtMost).join(',');
  const [courses, users, place] = await Promise.all([
    course ? call('GET /courses', { query: { ids: course, per_page: 1 } }, { signal }) : null,
    ids ? call('GET /users', { query: { ids, per_page: peopleAtMost } }, { signal }) : null,
    ids ? call('GET /entities/{slug}/roles', { params: { slug } }, { signal }) : null,
  ]);
  const failed = [courses, users, place].find((answer) => answer && answer.kind !== 'ok');
  if (failed && failed.kind !== 'ok') return failed;
  const [found] = courses?.kind === 'ok' ? courses.data : [];
  const who = users?.kind === 'ok' ? users.data : [];
  const held = new Set(who.flatMap((u) => [u.role, ...u.more_roles].flatMap((r) => r?.id ?? [])));
  const roles = place?.kind === 'ok' ? place.data.filter((r) => held.has(r.id)).map(({ id, name }) => ({ id, name })) : [];
  return { kind: 'ok', data: { course: found ? { id: found.id, name: found.title } : null, people: who, roles } };
};

/** The form for a new assignment, once the preselection has loaded. */
const NewlyGiven = ({ asked, ...props }: Omit<FormProps, 'given'> & { asked: Asked }) =>
  (asked.course || asked.people.length > 0) && props.kind === 'course' ? (
    <AskedGiving {...props} asked={asked} />
  ) : (
    <GivenForm {...props} given={null} />
  );
const AskedGiving = ({ asked, ...props }: Omit<FormProps, 'given'> & { asked: Asked }) => {
  const { state } = useReadOf(['what is to be given', props.slug, asked], (signal) => beginningOf(props.slug, asked, signal));
  if (state.kind === 'loading') return <LoadingState rows={2} label="Loading the course" />;
  if (state.kind !== 'loaded') return <GivenForm {...props} given={null} />;
  const { course, people, roles } = state.data;
  const places = [...new Map(people.map((u) => [u.primary_entity.slug, u.primary_entity])).values()];
  const [only] = places.length === 1 ? places : [];
  return (
    <>
      {people.length > 0 && (
        <p className={layout.notice} data-tone="plain">
          {roles.length > 0
            ? `Filled in: what ${countOf(people.length, 'chosen person works', 'chosen people work')} as. The course is for everybody who works so here and below, not for them alone.`
            : 'None of those who were chosen has a job role that is used here.'}{' '}
          {asked.people.length > peopleAtMost && `Only the first ${peopleAtMost} of ${asked.people.length} were looked at. `}
          {only && only.slug !== props.slug && (
            <Link
              to={`${pathTo('entities-one-courses', { slug: only.slug })}?${new URLSearchParams({ give: asked.course, people: asked.people.join(',') })}`}
            >
              Only in {only.name} instead
            </Link>
          )}
        </p>
      )}
      <GivenForm {...props} given={null} course={course} roles={roles} />
    </>
  );
};

const loadFor =
  (slug: string) =>
  async ({ filter, ...query }: ListQuery<(typeof sorts.courses)[number]>, signal: AbortSignal) => {
    if (filter === 'content') {
      const result = await call('GET /entities/{slug}/content', { params: { slug }, query }, { signal });
      return result.kind === 'ok' ? { ...result, data: result.data.map((row): Given => ({ ...row, kind: 'content' })) } : result;
    }
    const result = await call('GET /entities/{slug}/courses', { params: { slug }, query }, { signal });
    return result.kind === 'ok' ? { ...result, data: result.data.map((row): Given => ({ ...row, kind: 'course' })) } : result;
  };

/** The courses of an organisation, and the contents assigned to it directly, each with its audience. */
export const Component = () => {
  const { slug = '' } = useParams();
  const user = useSession();
  const list = useList<Given, (typeof sorts.courses)[number]>(['courses and contents of', slug], loadFor(slug), { sortedBy: sorts.courses });
  const kind = list.filter === 'content' ? 'content' : 'course';
  const [query] = useSearchParams();
  /** The address can preselect the course to assign, and people who should get it. */
  const toAssign = query.get('give');
  const preset = { course: toAssign ?? '', people: (query.get('people') ?? '').split(',').filter(Boolean) };
  const [open, setOpen] = useState<string | null>(toAssign !== null && kind === 'course' ? 'new' : null);
  const done = () => {
    setOpen(null);
    list.retry();
  };
  const columns: readonly Column<Given>[] = [
    { id: 'title', header: 'Title', sort: 'title', width: 160, grow: 1.4, value: (g) => g.title },
    kind === 'course'
      ? { id: 'contents', header: 'Contents', width: 100, grow: 0.2, align: 'end', value: (g) => (g.kind === 'course' ? g.contents : null) }
      : { id: 'course', header: 'Course', value: (g) => (g.kind === 'content' ? g.course.title : '') },
    { id: 'whom', header: 'For', value: forWhom },
    ...(kind === 'course'
      ? [{ id: 'categories', header: 'Categories', value: (g: Given) => (g.kind === 'course' ? g.categories.map((c) => c.name).join(', ') : '') }]
      : []),
    { id: 'owner', header: 'Created by', value: (g) => g.owner.name, optional: true },
    { id: 'from', header: 'From', value: (g) => (g.from.slug === slug ? '' : g.from.name) },
    {
      ...{ id: 'state', header: 'Status', width: 120, grow: 0.2, keep: true, value: (g) => (g.published ? 'Published' : 'Draft') },
      cell: (g) => <Badge tone={g.published ? 'ok' : 'warning'}>{g.published ? 'Published' : 'Draft'}</Badge>,
    },
    {
      ...{ id: 'actions', header: 'Actions', width: 352, grow: 0, actions: true, value: () => null },
      cell: (g) => (
        <>
          {g.kind === 'course' && can(user, needOf('forecast')) && (
            <Button variant="subtle" component={Link} to={forecastPath({ entity: slug, course_id: g.id })} aria-label={`Forecast of ${g.title}`}>
              Forecast
            </Button>
          )}
          {g.kind === 'course' && open !== g.id && (
            <Button
              variant="subtle"
              component={Link}
              to={pathTo('entities-one-courses-by-course-rules', { slug, course: g.id })}
              aria-label={`Rules of ${g.title}`}
            >
              Rules
            </Button>
          )}
          {open !== g.id && (g.kind === 'course' || g.given_here) && (
            <Button variant="default" onClick={() => setOpen(g.id)} aria-label={`Change ${g.title}`}>
              Change
            </Button>
          )}
        </>
      ),
    },
  ];
  return (
    <ListPage
      words={{
        ...{
          title: 'Courses',
          one: kind === 'course' ? 'a course' : 'a content',
          many: kind === 'course' ? 'courses' : 'contents',
          looksAt: 'Title',
        },
        ...{ none: kind === 'course' ? 'No courses yet' : 'No single contents', failed: texts.failedToFetchContent },
        first: kind === 'course' ? 'Assign the first one.' : 'A content can be assigned without the rest of its course.',
      }}
      list={list}
      icon={<IconBook size={36} />}
      filters={
        can(user, 'entity.content')
          ? [
              { value: '', label: 'Courses' },
              { value: 'content', label: 'Single contents' },
            ]
          : undefined
      }
      add={
        <>
          <div className={layout.tools}>
            <Button variant="default" component={Link} to={pathTo('entities-one-course-categories', { slug })}>
              Categories
            </Button>
            {open !== 'new' && <Button onClick={() => setOpen('new')}>Assign a {kind}</Button>}
          </div>
          {open === 'new' && (
            <div style={{ flexBasis: '100%' }}>
              <NewlyGiven key={`${kind} ${slug}`} slug={slug} kind={kind} asked={preset} onDone={done} onCancel={() => setOpen(null)} />
            </div>
          )}
        </>
      }
      columns={columns}
      below={(row) => open === row.id && <GivenForm slug={slug} kind={row.kind} given={row} onDone={done} onCancel={() => setOpen(null)} />}
    />
  );
};
