import { Button, Radio, TextInput, Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { createDesignedContent } from '#contract/api/designed-contents.ts';
import { can } from '#contract/can.ts';
import { type DesignTemplate, designFrom, designTemplates, designTemplateWords } from '#contract/design-templates.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { Option } from '#src/api/find.ts';
import classes from '#src/features/content-designer/designer.module.css';
import { useCourseAsked } from '#src/screens/authoring/course-asked.ts';
import { newCourseDialog, NewCourseDialog } from '#src/screens/authoring/new-course-dialog.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { hiddenLabel } from '#src/ui/hidden-label.ts';
import { openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { EmptyState, LoadingState } from '#src/ui/states.tsx';

const Begin = ({ course }: { course: Option | null }) => {
  const navigate = useNavigate();
  const user = useSession();
  const fields = useForm({
    schema: createDesignedContent.body,
    begin: { template: 'blank' as DesignTemplate, title: '', course_id: course },
    toInput: ({ template, title, course_id }) => ({ title, course_id: course_id?.id, design: designFrom(template) }),
    save: (body) => call('POST /designed-contents', { body }),
    success: texts.contentCreated,
    draft: 'designed content',
    onSaved: ({ id }) => void navigate(pathTo('content-designer-by-id', { id })),
  });
  const { field, values, set } = fields;
  return (
    <>
      <Form form={fields} save="Save and design it">
        <FormSection title="Begin with" wide>
          <Radio.Group {...hiddenLabel('Begin with')} value={values.template} onChange={(template) => set('template', template as DesignTemplate)}>
            <div className={shapes.tiles}>
              {designTemplates.map((template) => (
                <div key={template} className={`app-card ${classes.choice}`}>
                  <Radio value={template} label={designTemplateWords[template].label} description={designTemplateWords[template].about} />
                </div>
              ))}
            </div>
          </Radio.Group>
        </FormSection>
        <FormSection title="What it is" wide>
          <TextInput label="Title" required {...field('title')} />
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
        </FormSection>
      </Form>
      <NewCourseDialog onMade={(made) => set('course_id', made)} />
    </>
  );
};

/** Creates a designed content: its template, title and course. */
export const Component = () => {
  const mayAdd = can(useSession(), 'content.create');
  const course = useCourseAsked(mayAdd);
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Design a content
      </Title>
      {!mayAdd ? (
        <EmptyState title="You cannot add one">You do not have the permission to add content.</EmptyState>
      ) : course === 'loading' ? (
        <LoadingState label="Loading the form" />
      ) : (
        <Begin course={course} />
      )}
    </div>
  );
};
