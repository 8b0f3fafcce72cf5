import { Button, Checkbox, Menu, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { createCourse } from '#contract/api/courses.ts';
import { can } from '#contract/can.ts';
import { authoredTypes } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { type Authored, type AuthoredForm, type AuthoredPage, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { contentCreate, contentPage, contentWords, isAuthored } from '#src/screens/authoring/content-words.ts';
import { validityWords } from '#src/features/content-creator/courses.page.tsx';
import { PublishedBadge } from '#src/screens/authoring/published-column.tsx';
import { ConflictSection } from '#src/screens/revised.tsx';
import { sidesOf } from '#src/screens/authoring/sides.ts';
import { DeleteCourseButton } from '#src/screens/authoring/sure-dialog.tsx';
import { WhoTakesIt } from '#src/screens/authoring/who-takes-it.tsx';
import { TitleLinks } from '#src/features/content-creator/title-links.tsx';
import { countOf } from '#src/lib/format.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import { IconBook } from '#src/ui/icons.tsx';

const valuesOf = (course: Authored<'/courses'> | null) => ({
  ...{ title: course?.title ?? '', short_title: course?.short_title ?? '', published: course?.published ?? true },
});
const CourseForm = ({ thing, save, success, onSaved, conflict, draft: kept, more }: AuthoredForm<'/courses'>) => {
  const fields = useForm({
    schema: createCourse.body,
    begin: () => valuesOf(thing),
    toInput: (values) => values,
    save,
    success,
    draft: { name: `course-${thing?.id ?? 'new'}`, ...kept },
    onSaved: (saved) => {
      fields.goOn(valuesOf(saved));
      onSaved(saved);
    },
  });
  const { field, checkbox } = fields;
  return (
    <Form form={fields} beside={conflict ? null : more} save={conflict ? false : thing ? 'Save' : 'Make the course'}>
      {conflict && (
        <ConflictSection
          conflict={conflict}
          busy={fields.busy}
          sides={sidesOf({ title: ['Title'], short_title: ['Short title'], published: ['Published'] }, fields.values, valuesOf(conflict.theirs))}
        />
      )}
      <FormSection title={thing ? 'Details' : ''}>
        <TextInput label="Title" description="As it appears on certificates and in reports." required {...field('title')} />
        <TextInput label="Short title" description="Where there is little room, as in the training matrix." required {...field('short_title')} />
        <Checkbox
          label="Published"
          description="It can be chosen wherever a course is asked for. What it is already required for stays either way."
          {...checkbox('published')}
        />
      </FormSection>
    </Form>
  );
};

const AddContent = ({ course }: { course: string }) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <Button>Add a content</Button>
    </Menu.Target>
    <Menu.Dropdown>
      {authoredTypes.map((type) => (
        <Menu.Item key={type} component={Link} to={`${contentCreate(type)}?course=${course}`}>
          {contentWords[type].title}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

/** The contents of a course, by type. Another organisation's are listed, and can be opened by people who may copy them. */
const WhatPeopleLearn = ({ course }: { course: Authored<'/courses'> }) => {
  const mayOpen = can(useSession(), 'content.update');
  return (
    <Section title="What people learn">
      {course.contents.length === 0 && (
        <EmptyState icon={<IconBook size={36} />} title="Nothing to learn yet">
          Add e-learning that people take on their own, a SCORM course you have bought, or face-to-face training.
        </EmptyState>
      )}
      {authoredTypes
        .map((type) => ({ type, contents: course.contents.filter((c) => c.type === type) }))
        .filter(({ contents }) => contents.length > 0)
        .map(({ type, contents }) => (
          <div key={type}>
            <h3 className={classes.kindTitle}>{contentWords[type].title}</h3>
            <ul className={layout.list}>
              {contents.map((c) => (
                <li key={c.id} className={layout.line}>
                  {mayOpen ? <Link to={contentPage(c, type)}>{c.title}</Link> : c.title}
                  <PublishedBadge published={c.published} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      {course.contents.some((c) => !isAuthored(c.type)) && <p className={shapes.muted}>Exemptions from this course are recorded as well.</p>}
    </Section>
  );
};

/** A course: its contents, how long it is valid, and its titles. */
const CoursePage = ({ thing: course, form, others }: AuthoredPage<'/courses'>) => {
  const user = useSession();
  const slug = useActingAs()?.slug ?? user?.primary_entity.slug ?? '';
  const mayAdd = can(user, 'content.create');
  return (
    <DetailPage
      title={course.title}
      note={others}
      badge={<PublishedBadge published={course.published} />}
      about={[course.entity.name, countOf(course.contents.length, 'content')]}
      actions={mayAdd && <AddContent course={course.id} />}
      aside={
        <>
          <Section title="How long it is valid">
            <p className={shapes.muted}>{validityWords(course.renewal_months)}</p>
            {can(user, 'entity.courses') && (
              <Button
                variant="default"
                component={Link}
                to={pathTo('entities-one-courses-by-course-rules', { slug, course: course.id })}
                style={{ justifySelf: 'start' }}
              >
                Rules of this course
              </Button>
            )}
          </Section>
          <WhoTakesIt course={course.id} />
          {course.lessons.length > 0 && (
            <Section title="Lessons">
              <TitleLinks things={course.lessons} to="content-creator-lessons-update-by-id" />
            </Section>
          )}
          {course.topics.length > 0 && (
            <Section title="Topics">
              <TitleLinks things={course.topics} to="content-creator-topics-update-by-id" />
            </Section>
          )}
        </>
      }
    >
      <WhatPeopleLearn course={course} />
      {form}
    </DetailPage>
  );
};

export const { Create, Update } = authoredPages('/courses', {
  list: pathTo('content-creator-courses'),
  one: (id) => pathTo('content-creator-courses-update-by-id', { id }),
  needs: { add: 'course.create', change: 'course.update' },
  words: {
    ...{ add: 'Make a course', heading: 'Course', one: 'a course', name: 'course' },
    question: 'Delete this course?',
  },
  said: { created: texts.courseCreated, updated: texts.courseUpdated, deleted: texts.courseDeleted },
  changes: (fields) => fields,
  refusal: ({ editable, entity }) => (editable ? null : { why: `${entity.name} made this course, and only they can change it.` }),
  removal: ({ thing: { id, title }, ...props }) => <DeleteCourseButton id={id} title={title} {...props} />,
  also: (course) => (
    <>
      <WhatPeopleLearn course={course} />
      <WhoTakesIt course={course.id} />
    </>
  ),
  Form: CourseForm,
  Page: CoursePage,
});
