import { Button, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { copyContent } from '#contract/api/content.ts';
import { can } from '#contract/can.ts';
import type { Content } from '#contract/entities/authored-content.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

const dialog = 'copy-content';
type Props = {
  content: Content;
  /** What is copied with it, in a sentence. */
  about: string;
  /** The address of a content, by its id. */
  to: (id: string) => string;
};
const CopyForm = ({ content, about, to }: Props) => {
  const navigate = useNavigate();
  const fields = useForm({
    schema: copyContent.body,
    begin: { title: `${content.title.slice(0, 190)} (copy)`, course_id: { id: content.course.id, name: content.course.title } as Option | null },
    toInput: ({ title, course_id }) => ({ title, course_id: course_id?.id }),
    save: (body) => call('POST /content/{id}/copy', { params: { id: content.id }, body }),
    success: texts.contentCreated,
    onSaved: ({ id }) => {
      closeModal(dialog);
      void navigate(to(id));
    },
  });
  const { field } = fields;
  return (
    <Form form={fields} label="Copy" save="Make the copy">
      <FormSection>
        <p style={{ margin: 0 }}>{about} The copy is a draft: nobody sees it until you publish it.</p>
        <TextInput label="Title of the copy" required {...field('title')} />
        <Picker from="courses" label="Course of the copy" required {...field('course_id')} />
      </FormSection>
    </Form>
  );
};

/** Copies a content as a draft, under a chosen title and in a chosen course of one's own, and opens it. */
export const CopyButton = (props: Props) =>
  can(useSession(), 'content.create') && (
    <>
      <Button variant="default" onClick={() => openModal(dialog)}>
        Copy …
      </Button>
      <RegisteredModal name={dialog} title={`Copy “${props.content.title}”`}>
        {() => <CopyForm {...props} />}
      </RegisteredModal>
    </>
  );
