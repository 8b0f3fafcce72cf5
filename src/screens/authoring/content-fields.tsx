import { Button, Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { createContent } from '#contract/api/content.ts';
import { can } from '#contract/can.ts';
import type { AuthoredType, Content } from '#contract/entities/authored-content.ts';
import { useSession } from '#src/access/session.ts';
import type { CallInput } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { contentInput, contentSides, type ContentValues, contentValues } from '#src/screens/authoring/content-values.ts';
import { useCourseAsked } from '#src/screens/authoring/course-asked.ts';
import { ImageField } from '#src/screens/authoring/image-field.tsx';
import { newCourseDialog, NewCourseDialog } from '#src/screens/authoring/new-course-dialog.tsx';
import { PrerequisitesField } from '#src/screens/authoring/prerequisites-field.tsx';
import { type Conflict, ConflictSection } from '#src/screens/revised.tsx';
import { WhatHappens } from '#src/screens/authoring/sure-dialog.tsx';
import type { DraftOf } from '#src/screens/form-draft.ts';
import { Form, FormSection, notPermitted } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import type { Failed } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import form from '#src/ui/form.module.css';
import { openModal } from '#src/ui/modal/open-modals.ts';
import { LoadingState } from '#src/ui/states.tsx';

type Fresh = CallInput<'POST /content'>['body'];
type Of = {
  thing: Content | null;
  type: AuthoredType;
  save: (fields: Fresh) => Promise<Result<Content> | Failed>;
  success: string;
  onSaved: (content: Content) => void;
  /** The version that somebody else saved after this one was opened. */
  conflict?: Conflict<Content> | null;
  /** The version that a draft stored on this device edits. */
  draft: Omit<Exclude<DraftOf, string>, 'name'>;
  more?: ReactNode;
};
type More<M extends object> = {
  /** The fields of this type only, in the form and for the server. */
  begin: (content: Content | null) => M;
  toInput: (values: M) => object;
  /** The same in words, by their labels, to compare two versions. */
  compared?: (values: M) => Record<string, string>;
  children: (fields: Fields<M>) => ReactNode;
  below?: (fields: Fields<M>) => ReactNode;
};
export type Fields<M extends object> = ReturnType<typeof useForm<typeof createContent.body, ContentValues & M, Content>>;

/** The form of a content: first the fields of its type, then those of all types. */
const WithCourse = <M extends object>(props: Of & More<M> & { course: ContentValues['course_id'] }) => {
  const { thing: content, type, save, success, onSaved, conflict, draft: kept, more, course, begin, toInput, compared, children, below } = props;
  const user = useSession();
  const valuesOf = (storedContent: Content | null) => ({ ...contentValues(storedContent, course), ...begin(storedContent) });
  const fields: Fields<M> = useForm<typeof createContent.body, ContentValues & M, Content>({
    schema: createContent.body,
    begin: () => valuesOf(content),
    toInput: (values) => ({ ...contentInput(values), ...toInput(values), type }) as object,
    save: (data) => save(type === 'elearning' && !content ? { ...data, published: false } : data),
    success,
    locked: (visibility) => visibility === 'admin_only' && !can(user, 'content.restrict') && notPermitted,
    draft: { name: `content-${content?.id ?? type}`, ...kept },
    onSaved: (saved) => {
      fields.goOn(valuesOf(saved));
      onSaved(saved);
    },
  });
  // Of the fields that all types have.
  const common = fields as unknown as Fields<object>;
  const { field, checkbox, set, values } = common;
  return (
    <>
      <Form form={fields} beside={conflict ? null : more} save={conflict ? false : content || type !== 'elearning' ? 'Save' : 'Save and continue'}>
        {conflict && (
          <ConflictSection
            conflict={conflict}
            busy={fields.busy}
            sides={contentSides(values, conflict.theirs, compared && { mine: compared(fields.values), theirs: compared(begin(conflict.theirs)) })}
          />
        )}
        <FormSection title="What it is">
          {children(fields)}
          {content ? (
            <TextInput label="Course" value={content.course.title} readOnly description="A content stays with its course." />
          ) : (
            <div>
              <Picker
                from="courses"
                label="Course"
                description="The course it teaches. People who need this course get it."
                required
                {...field('course_id')}
              />
              {can(user, 'course.create') && (
                <Button variant="subtle" mt={4} onClick={() => openModal(newCourseDialog)}>
                  Make a new course
                </Button>
              )}
            </div>
          )}
          <TextInput label="Title" required {...field('title')} />
          <Textarea label="Aims" autosize minRows={2} {...field('aims')} />
          <Textarea label="What people can do afterwards" description="One on each line." autosize minRows={2} {...field('outcomes')} />
        </FormSection>
        <FormSection title="How it is shown">
          <ImageField
            image={values.image}
            error={field('image').error}
            alt={field('image_alt')}
            onChange={(image) => {
              set('image', image);
              if (!image) set('image_alt', '');
            }}
          />
          <div className={form.pair}>
            <NumberInput
              label="How long it takes, in minutes"
              min={0}
              max={6000}
              allowDecimal={false}
              hideControls
              allowNegative={false}
              {...field('estimated_duration')}
            />
          </div>
          <Checkbox label="It counts for continuing professional development (CPD)" {...checkbox('cpd_accredited')} />
          <Checkbox
            label="Only people who record training can enter it"
            description="Nobody takes it or claims it themselves."
            {...checkbox('admin_only')}
          />
          {type !== 'elearning' && (
            <Checkbox label="Published" description="People who need the course see it. Nobody else sees a draft." {...checkbox('published')} />
          )}
          {content?.published && !values.published && <WhatHappens content={content.id} />}
        </FormSection>
        <FormSection title="What has to be done first" wide>
          <PrerequisitesField
            groups={values.prerequisites}
            except={content?.id}
            error={field('prerequisites').error}
            onChange={(to) => set('prerequisites', to)}
          />
        </FormSection>
      </Form>
      {!content && <NewCourseDialog onMade={(made) => set('course_id', made)} />}
      {below?.(fields)}
    </>
  );
};

/** The same, with the course from which it was opened. */
export const ContentForm = <M extends object>(props: Of & More<M>) => {
  const course = useCourseAsked(props.thing === null);
  return course === 'loading' ? <LoadingState label="Loading the form" /> : <WithCourse {...props} course={course} />;
};
