import { Button, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { createH5p } from '#contract/api/h5ps.ts';
import type { H5p } from '#contract/entities/h5p.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { ActivityPreview } from '#src/screens/activity-preview.tsx';
import { titlesOf } from '#src/screens/authoring/uses-words.ts';
import { type AuthoredForm, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import { H5pVersions } from '#src/features/content-creator/h5p-versions.tsx';
import { kindOf, manifestOf } from '#src/features/content-creator/h5p-words.ts';
import { PackagePart } from '#src/features/content-creator/package-part.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import layout from '#src/ui/page.module.css';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

/** A library activity: its title, its file and the file's contents, and a preview of the activity. */
const H5pForm = ({ thing, save, success, onSaved, more }: AuthoredForm<'/h5ps'>) => {
  const fields = useForm({
    schema: createH5p.body,
    begin: { title: thing?.title ?? '', package_id: thing?.package ?? null },
    toInput: ({ title, package_id }) => ({ title, package_id: package_id?.id }),
    save,
    success,
    onSaved,
  });
  const { field, set } = fields;
  const { title, package_id: pack } = fields.values;
  const manifest = pack && manifestOf(pack);
  return (
    <>
      <Form form={fields} beside={more}>
        {thing && thing.used_in.length > 0 && (
          <p className={`app-card ${layout.notice}`}>
            It is used in {titlesOf(thing.used_in)}. A topic keeps the file that it has until the new one is put into it, under Files below.
          </p>
        )}
        <FormSection>
          <PackagePart
            kind="h5p"
            pack={pack}
            error={field('package_id').error}
            onUploaded={(uploaded) => {
              set('package_id', uploaded);
              if (title === '') set('title', uploaded.manifest.title.slice(0, 200));
            }}
            facts={
              manifest && {
                first: [['Kind', kindOf(pack)]],
                last: [
                  ['Licence', manifest.licence === 'U' ? 'Not given' : manifest.licence],
                  ...(manifest.authors.length > 0 ? [['By', manifest.authors.join(', ')] as [string, string]] : []),
                ],
              }
            }
          />
          <TextInput label="Title" required {...field('title')} />
        </FormSection>
      </Form>
      {pack && (
        <section aria-label="Try it">
          <h2>Try it</h2>
          <ActivityPreview key={pack.tree} tree={pack.tree} title={title || pack.manifest.title} />
        </section>
      )}
      {thing && <H5pVersions h5p={thing} chosen={pack?.id ?? null} onUse={(older) => set('package_id', older)} />}
    </>
  );
};

const copyDialog = 'copy-activity';
const CopyActivityForm = ({ activity }: { activity: H5p }) => {
  const navigate = useNavigate();
  const fields = useForm({
    schema: createH5p.body,
    begin: { title: `${activity.title.slice(0, 190)} (copy)` },
    toInput: ({ title }) => ({ title, package_id: activity.package.id }),
    save: (body) => call('POST /h5ps', { body }),
    success: texts.h5pCreated,
    onSaved: ({ id }) => {
      closeModal(copyDialog);
      void navigate(pathTo('content-creator-h5ps-update-by-id', { id }));
    },
  });
  return (
    <Form form={fields} label="Copy" save="Make the copy">
      <FormSection>
        <p style={{ margin: 0 }}>The copy has the same file, and can be given another one without changing this activity.</p>
        <TextInput label="Title of the copy" required {...fields.field('title')} />
      </FormSection>
    </Form>
  );
};
/** Copies an activity under a new title and opens the copy. */
const CopyActivity = ({ activity }: { activity: H5p }) => (
  <>
    <Button variant="default" onClick={() => openModal(copyDialog)}>
      Copy …
    </Button>
    <RegisteredModal name={copyDialog} title={`Copy “${activity.title}”`}>
      {() => <CopyActivityForm activity={activity} />}
    </RegisteredModal>
  </>
);

export const { Create, Update } = authoredPages('/h5ps', {
  list: pathTo('content-creator-h5ps'),
  needs: { add: 'content.creator', change: 'content.creator' },
  words: {
    ...{ add: 'Add an activity', heading: 'Activity', one: 'an activity', name: 'activity' },
    question: ({ used_in }) =>
      used_in.length > 0
        ? `It is used in ${titlesOf(used_in)}: ${used_in.length === 1 ? 'this topic keeps' : 'these topics keep'} it. Remove it from the library?`
        : 'No topic uses it. Remove it from the library?',
  },
  said: { created: texts.h5pCreated, updated: texts.h5pUpdated, deleted: texts.h5pDeleted },
  changes: (fields) => fields,
  beside: (activity) => <CopyActivity activity={activity} />,
  Form: H5pForm,
});
