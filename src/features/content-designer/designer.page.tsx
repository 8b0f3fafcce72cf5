import { Button, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { Content } from '#contract/entities/authored-content.ts';
import type { DesignedContent } from '#contract/entities/designed-content.ts';
import { designProblems } from '#contract/rules/design-problems.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { DesignerView } from '#src/features/content-designer/designer.tsx';
import { designOf } from '#src/features/content-designer/edited.ts';
import { type Designer, useDesigner } from '#src/features/content-designer/use-designer.ts';
import { AlsoHere } from '#src/screens/authoring/also-here.tsx';
import { ContentForm } from '#src/screens/authoring/content-fields.tsx';
import { contentChanges } from '#src/screens/authoring/content-values.ts';
import { CopyButton } from '#src/screens/authoring/copy-dialog.tsx';
import { ExportButton } from '#src/screens/authoring/export-button.tsx';
import { PublishedBadge } from '#src/screens/authoring/published-column.tsx';
import { PublishDialog, publishDialog, WithdrawButton } from '#src/screens/authoring/publishing.tsx';
import { canPublish, publishingWords } from '#src/screens/authoring/publishing-words.ts';
import { useRevised } from '#src/screens/revised.tsx';
import { DeleteContentButton } from '#src/screens/authoring/sure-dialog.tsx';
import { Versions } from '#src/screens/authoring/versions.tsx';
import { WhoTakesIt } from '#src/screens/authoring/who-takes-it.tsx';
import { ContentFeedback } from '#src/screens/authoring/content-feedback.tsx';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { notify } from '#src/ui/notify.ts';
import { openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';

const one = (id: string) => pathTo('content-designer-by-id', { id });
const nothing = () => ({});

/** Its title and details, which are saved separately from its pages. */
const Details = ({ content, onChange }: { content: DesignedContent; onChange: (content: Content) => void }) => {
  const navigate = useNavigate();
  const { thing, round, save, draft, conflict } = useRevised<Content>(content);
  const { id } = thing;
  const remove = useAction(() => call('DELETE /content/{id}', { params: { id } }), {
    success: texts.contentDeleted,
    onDone: () => void navigate(pathTo('content-designer')),
  });
  return (
    <ContentForm
      key={round}
      type="elearning"
      thing={thing}
      begin={nothing}
      toInput={nothing}
      draft={draft}
      conflict={conflict}
      success={texts.contentUpdated}
      save={(fields) =>
        save((rev) =>
          call('PATCH /content/{id}', {
            params: { id },
            body: { ...contentChanges('elearning', fields as Record<string, unknown>), ...(rev === undefined ? {} : { rev }) },
          }),
        )
      }
      onSaved={onChange}
      more={<DeleteContentButton id={id} title={thing.title} busy={remove.busy} onDelete={() => void remove.run()} />}
    >
      {() => null}
    </ContentForm>
  );
};

/** Publishing saves first. Problems that prevent it are shown instead. */
const Publish = ({ designer, toProblems }: { designer: Designer; toProblems: () => void }) => {
  const { thing, design, dirty, busy, wrong, save, setThing, unfinished } = designer;
  const [isPublishing, setPublishing] = useState(false);
  // Unsaved changes are saved first; if that fails, nothing is published.
  useEffect(() => {
    if (!isPublishing || busy) return;
    if (!dirty) openModal(publishDialog);
    if (!dirty || wrong) setPublishing(false);
  }, [isPublishing, busy, dirty, wrong]);
  const problems = designProblems(designOf(design)).length + unfinished + (dirty ? 0 : thing.problems.length);
  const nothingNew = !dirty && problems === 0 && !canPublish(thing);
  return (
    <>
      {!nothingNew && (
        <Button
          loading={isPublishing}
          onClick={() => {
            if (problems > 0) {
              notify('error', 'This cannot be published yet. What is missing is listed below the page, with a link to each place.');
              toProblems();
              return;
            }
            if (dirty) void save();
            setPublishing(true);
          }}
        >
          Publish …
        </Button>
      )}
      <PublishDialog content={thing} onChange={(published) => setThing({ ...thing, ...published })} />
    </>
  );
};

const Loaded = ({ read }: { read: DesignedContent }) => {
  const designer = useDesigner(read);
  const { thing, setThing } = designer;
  const onChange = (content: Content) => setThing({ ...thing, ...content });
  return (
    <DetailPage
      title={thing.title}
      note={<AlsoHere kind="content" id={thing.id} what="content" />}
      badge={<PublishedBadge published={thing.published} />}
      about={[thing.course.title, publishingWords(thing)]}
      actions={
        <>
          <CopyButton content={thing} about="Its pages are copied with it, so that you can change them freely." to={one} />
          <ExportButton content={thing} />
          <WithdrawButton content={thing} onChange={onChange} />
          <Publish
            designer={designer}
            toProblems={() => {
              const list = document.getElementById('problems');
              list?.scrollIntoView({ block: 'center' });
              list?.focus({ preventScroll: true });
            }}
          />
        </>
      }
      tabs={[
        { id: 'pages', label: 'Pages', content: <DesignerView designer={designer} /> },
        { id: 'details', label: 'Details', content: <Details key={thing.rev} content={thing} onChange={onChange} /> },
        { id: 'versions', label: 'Versions', content: <Versions content={thing} /> },
        { id: 'feedback', label: 'Feedback', content: <ContentFeedback content={thing} /> },
        { id: 'uses', label: 'Who takes it', content: <WhoTakesIt course={thing.course.id} content={thing.id} /> },
      ]}
    />
  );
};

/** A designed content, for people who may change it. */
export const Component = () => {
  const { id = '' } = useParams();
  const user = useSession();
  const { state, retry } = useRead('GET /designed-contents/{id}', { params: { id } });
  const thing = state.kind === 'loaded' ? state.data : null;
  if (thing && can(user, 'content.update') && thing.editable) return <Loaded key={id} read={thing} />;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {thing?.title ?? 'Content designer'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the pages" offline="Designing a content needs a connection." />
      {thing && (
        <EmptyState title="This cannot be changed here">
          {thing.editable ? 'You do not have the permission to change it.' : `${thing.entity.name} created this, and only they can change it.`}
        </EmptyState>
      )}
      {thing && <WhoTakesIt course={thing.course.id} content={thing.id} />}
    </div>
  );
};
