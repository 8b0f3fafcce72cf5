import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Checkbox, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { createLesson } from '#contract/api/content-parts.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { AddPart } from '#src/features/content-creator/add-part.tsx';
import { type Authored, type AuthoredForm, type AuthoredPage, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { OrderList } from '#src/screens/authoring/order-list.tsx';
import { bodyOf, usePartActions } from '#src/features/content-creator/part-actions.ts';
import { PublishedBadge } from '#src/screens/authoring/published-column.tsx';
import { ConflictSection } from '#src/screens/revised.tsx';
import { sidesOf } from '#src/screens/authoring/sides.ts';
import { titlesOf } from '#src/screens/authoring/uses-words.ts';
import { TitleLinks } from '#src/features/content-creator/title-links.tsx';
import { TopicFlags } from '#src/features/content-creator/topic-flags.tsx';
import { countOf } from '#src/lib/format.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { IconBook, IconClose } from '#src/ui/icons.tsx';
import { Section } from '#src/ui/section.tsx';
import { EmptyState } from '#src/ui/states.tsx';

type Lesson = Authored<'/lessons'>;
const valuesOf = (lesson: Lesson | null) => ({ title: lesson?.title ?? '', published: lesson?.published ?? true });

const LessonForm = ({ thing, save, success, onSaved, conflict, draft: kept, more }: AuthoredForm<'/lessons'>) => {
  const fields = useForm({
    schema: createLesson.body,
    begin: () => valuesOf(thing),
    toInput: (values) => ({ ...values, question_qty: thing?.question_qty ?? 0 }),
    save,
    success,
    draft: { name: `lesson-${thing?.id ?? 'new'}`, ...kept },
    onSaved: (saved) => {
      fields.goOn(valuesOf(saved));
      onSaved(saved);
    },
  });
  const { field, checkbox } = fields;
  return (
    <Form form={fields} beside={conflict ? null : more} save={conflict ? false : thing ? 'Save' : 'Save and continue'}>
      {conflict && (
        <ConflictSection
          conflict={conflict}
          busy={fields.busy}
          sides={sidesOf({ title: ['Title'], published: ['Published'] }, fields.values, valuesOf(conflict.theirs))}
        />
      )}
      <FormSection title={thing ? 'Details' : ''}>
        <TextInput label="Title" required {...field('title')} />
        <Checkbox
          label="Published"
          description="Contents that use it show it when they are next published. They leave out a draft."
          {...checkbox('published')}
        />
      </FormSection>
    </Form>
  );
};

/** A lesson: its topics in order, and where it is used. */
const LessonPage = ({ thing: lesson, onChange, form, others }: AuthoredPage<'/lessons'>) => {
  const topics = usePartActions(
    (change) =>
      call('POST /lessons/{lessonId}/topics', {
        params: { lessonId: lesson.id },
        body: bodyOf(change, 'topic_id'),
      }),
    { add: texts.topicAdded, remove: texts.topicRemoved, order: texts.topicReordered },
    onChange,
  );
  return (
    <DetailPage
      title={lesson.title}
      note={others}
      badge={<PublishedBadge published={lesson.published} />}
      about={[lesson.entity.name, countOf(lesson.topics.length, 'topic')]}
      aside={
        <Section title="Used in">
          {lesson.used_in.length > 0 ? (
            <>
              <TitleLinks things={lesson.used_in} to="content-creator-content-elearning-update-by-id" />
              <p className={shapes.muted}>They show a change when they are next published.</p>
            </>
          ) : (
            <p className={shapes.muted}>No e-learning uses it yet.</p>
          )}
        </Section>
      }
    >
      <Section title="Topics">
        {lesson.topics.length === 0 ? (
          <EmptyState icon={<IconBook size={36} />} title="No topics yet">
            A topic is one page that people read. Begin with one, and write it when you open it.
          </EmptyState>
        ) : (
          <OrderList
            label="Topics in their order"
            items={topics.ordered(lesson.topics)}
            nameOf={({ title }) => title}
            onMove={(items) => topics.order(items.map(({ id }) => id))}
          >
            {(topic) => (
              <div className={`${layout.line} ${classes.partHead}`} data-child={topic.is_child || undefined}>
                <Link to={pathTo('content-creator-topics-update-by-id', { id: topic.id })} className={classes.partTitle}>
                  {topic.title}
                </Link>
                <TopicFlags topic={topic} />
                <ActionIcon variant="subtle" aria-label={`Remove “${topic.title}” from this lesson`} onClick={() => topics.remove(topic.id)}>
                  <IconClose size={20} />
                </ActionIcon>
              </div>
            )}
          </OrderList>
        )}
        <AddPart kind="topics" to={lesson.id} present={lesson.topics.map(({ id }) => id)} busy={topics.busy} onAdd={topics.add} />
      </Section>
      {form}
    </DetailPage>
  );
};

export const { Create, Update } = authoredPages('/lessons', {
  list: pathTo('content-creator-lessons'),
  one: (id) => pathTo('content-creator-lessons-update-by-id', { id }),
  needs: { add: 'content.create', change: 'content.update' },
  words: {
    ...{ add: 'Make a lesson', heading: 'Lesson', one: 'a lesson', name: 'lesson' },
    question: ({ used_in }) =>
      used_in.length > 0
        ? `It is used in ${titlesOf(used_in)}: it will be removed there. Published versions keep it, and its topics stay. Delete it?`
        : 'No e-learning uses it. Its topics stay. Delete it?',
  },
  said: { created: texts.lessonCreated, updated: texts.lessonUpdated, deleted: texts.lessonDeleted },
  changes: ({ question_qty: _asked, ...fields }) => fields,
  refusal: ({ editable, entity }) => (editable ? null : { why: `${entity.name} made this lesson, and only they can change it.` }),
  Form: LessonForm,
  Page: LessonPage,
});
