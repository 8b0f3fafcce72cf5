import { Checkbox, NumberInput, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { createContent } from '#contract/api/content.ts';
import type { CompletionRule } from '#contract/entities/content.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { type AuthoredForm, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import classes from '#src/features/content-creator/content-creator.module.css';
import { PackagePreview } from '#src/features/content-creator/package-preview.tsx';
import { PackagePart } from '#src/features/content-creator/package-part.tsx';
import { countOf } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';

const rules: { value: CompletionRule; label: string; about: string }[] = [
  {
    value: 'reported',
    label: 'When the course reports it',
    about: 'Each part says that it is completed or passed, and with which score. Most courses do.',
  },
  { value: 'opened', label: 'When every part was opened', about: 'For courses that report nothing.' },
  { value: 'confirmed', label: 'When the learner says so', about: 'At the end the learner confirms that they have finished it.' },
];

/** A SCORM course: its file, what it is for, when it counts as completed, and the course itself to be tried. */
const ScormForm = ({ thing: content, save, success, onSaved, more }: AuthoredForm<'/content'>) => {
  const fields = useForm({
    schema: createContent.body,
    begin: () => ({
      package_id: content?.package ?? null,
      course_id: (content && { id: content.course.id, name: content.course.title }) as Option | null,
      ...{ title: content?.title ?? '', aims: content?.aims ?? '', outcomes: content?.outcomes.join('\n') ?? '' },
      estimated_duration: (content?.estimated_duration ?? '') as number | string,
      completion: content?.completion ?? ('reported' as CompletionRule),
      ...{ cpd_accredited: content?.cpd_accredited ?? false, published: content?.published ?? true },
    }),
    toInput: ({ package_id, course_id, outcomes, estimated_duration, ...typed }) => ({
      ...{ ...typed, type: 'scorm' as const, package_id: package_id?.id, course_id: course_id?.id },
      ...{ outcomes: outcomes.split('\n').filter((line) => line.trim() !== ''), estimated_duration: Number(estimated_duration) || 0 },
    }),
    save,
    success,
    onSaved,
  });
  const { field, checkbox, set } = fields;
  const { package_id: pack, title } = fields.values;
  const manifest = pack?.manifest.kind === 'scorm' ? pack.manifest : null;
  return (
    <>
      <Form form={fields} beside={more}>
        <FormSection>
          <PackagePart
            kind="scorm"
            pack={pack}
            error={field('package_id').error}
            onUploaded={(uploaded) => {
              set('package_id', uploaded);
              if (title === '') set('title', uploaded.manifest.title.slice(0, 200));
            }}
            facts={
              manifest && {
                first: [
                  ['Standard', `SCORM ${manifest.standard}`],
                  ['Holds', countOf(manifest.items, 'part')],
                ],
              }
            }
            note={
              content &&
              pack &&
              pack.id !== content.package?.id && (
                <p className={classes.note}>People who have begun the course finish it with the file they began with.</p>
              )
            }
          />
          {content ? (
            <TextInput label="Course" value={content.course.title} readOnly description="A content stays with its course." />
          ) : (
            <Picker
              from="courses"
              label="Course"
              description="The course it teaches. People who need this course get it."
              required
              {...field('course_id')}
            />
          )}
          <TextInput label="Title" required maxLength={200} {...field('title')} />
          <Textarea label="Aims" autosize minRows={2} maxLength={2000} {...field('aims')} />
          <Textarea label="What people can do afterwards" description="One on each line." autosize minRows={2} {...field('outcomes')} />
          <NumberInput
            label="How long it takes, in minutes"
            min={0}
            max={6000}
            allowDecimal={false}
            hideControls
            allowNegative={false}
            {...field('estimated_duration')}
          />
          <Radio.Group label="It is completed" {...field('completion')}>
            <Stack gap="xs" mt="xs">
              {rules.map(({ value, label, about }) => (
                <Radio key={value} value={value} label={label} description={about} />
              ))}
            </Stack>
          </Radio.Group>
          <Checkbox label="It counts for continuing professional development (CPD)" {...checkbox('cpd_accredited')} />
          <Checkbox label="Published" description="People who need the course see it. Nobody else sees a draft." {...checkbox('published')} />
        </FormSection>
      </Form>
      {pack && manifest && <PackagePreview key={pack.tree} tree={pack.tree} manifest={manifest} />}
    </>
  );
};

export const { Create, Update } = authoredPages('/content', {
  list: pathTo('content-creator-content-by-type', { type: 'scorm' }),
  words: {
    ...{ add: 'Add a SCORM course', heading: 'SCORM course', one: 'a course', name: 'course' },
    question: 'Remove it? People who have begun it can finish it; results and certificates stay.',
  },
  said: { created: texts.contentCreated, updated: texts.contentUpdated, deleted: texts.contentDeleted },
  // A content stays of its type, and with its course.
  changes: ({ type: _type, course_id: _course, ...fields }) => fields,
  refusal: ({ type, editable, entity }) =>
    type !== 'scorm' ? 'This content is not a SCORM course.' : editable ? null : `${entity.name} created this course, and only they can change it.`,
  Form: ScormForm,
});
