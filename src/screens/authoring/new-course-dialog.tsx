import { TextInput } from '@mantine/core';
import { createCourse } from '#contract/api/courses.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal } from '#src/ui/modal/open-modals.ts';

export const newCourseDialog = 'new-course';
const CourseForm = ({ onMade }: { onMade: (course: Option) => void }) => {
  const fields = useForm({
    schema: createCourse.body,
    begin: { title: '', short_title: '' },
    toInput: (values) => values,
    save: (body) => call('POST /courses', { body }),
    success: texts.courseCreated,
    onSaved: ({ id, title }) => {
      closeModal(newCourseDialog);
      onMade({ id, name: title });
    },
  });
  const { field } = fields;
  return (
    <Form form={fields} label="New course" save="Make the course">
      <FormSection>
        <TextInput label="Title of the course" required {...field('title')} />
        <TextInput label="Short title" description="Where there is little room, as in the training matrix." required {...field('short_title')} />
      </FormSection>
    </Form>
  );
};

/** Creates a course from a form that chooses one. Render it outside that form. */
export const NewCourseDialog = ({ onMade }: { onMade: (course: Option) => void }) => (
  <RegisteredModal name={newCourseDialog} title="Make a new course">
    {() => <CourseForm onMade={onMade} />}
  </RegisteredModal>
);
