import { TextInput } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { copyContent } from '#contract/api/content.ts';
import type { Content } from '#contract/entities/authored-content.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import { contentOne, isAuthored } from '#src/features/content-creator/content-words.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal } from '#src/ui/modal/open-modals.ts';

export const copyDialog = 'copy-content';
const CopyForm = ({ content }: { content: Content }) => {
  const navigate = useNavigate();
  const fields = useForm({
    schema: copyContent.body,
    begin: { title: `${content.title.slice(0, 190)} (copy)`, course_id: { id: content.course.id, name: content.course.title } as Option | null },
    toInput: ({ title, course_id }) => ({ title, course_id: course_id?.id }),
    save: (body) => call('POST /content/{id}/copy', { params: { id: content.id }, body }),
    success: texts.contentCreated,
    onSaved: ({ id }) => {
      closeModal(copyDialog);
      if (isAuthored(content.type)) void navigate(contentOne(content.type, id));
    },
  });
  const { field } = fields;
  return (
    <Form form={fields} label="Copy" save="Make the copy">
      <FormSection>
        <p style={{ margin: 0 }}>
          {content.type === 'elearning' && 'Lessons, topics and quizzes are copied with it, so that you can change them freely. '}
          The copy is a draft: nobody sees it until you publish it.
        </p>
        <TextInput label="Title of the copy" required maxLength={200} {...field('title')} />
        <Picker from="courses" label="Course of the copy" required {...field('course_id')} />
      </FormSection>
    </Form>
  );
};

/** Copies a content under a title and in a course of its own, and opens the copy. */
export const CopyDialog = ({ content }: { content: Content }) => (
  <RegisteredModal name={copyDialog} title={`Copy “${content.title}”`}>
    {() => <CopyForm content={content} />}
  </RegisteredModal>
);
