import type { AuthoredForm, AuthoredPage } from '#src/features/content-creator/authored-pages.tsx';
import { ContentForm } from '#src/screens/authoring/content-fields.tsx';
import { contentPages, CopyContent } from '#src/features/content-creator/content-pages.tsx';
import { NobodyTakesIt, WhoTakesIt } from '#src/screens/authoring/who-takes-it.tsx';
import { ExportButton } from '#src/screens/authoring/export-button.tsx';
import { PublishButton, PublishProblems, WithdrawButton } from '#src/screens/authoring/publishing.tsx';
import { publishingWords } from '#src/screens/authoring/publishing-words.ts';
import { PublishedBadge } from '#src/screens/authoring/published-column.tsx';
import { Structure } from '#src/features/content-creator/structure.tsx';
import { Versions } from '#src/screens/authoring/versions.tsx';
import { ContentFeedback } from '#src/screens/authoring/content-feedback.tsx';
import { DetailPage } from '#src/screens/detail-page.tsx';

const nothing = () => ({});
const ElearningForm = (props: AuthoredForm<'/content'>) => (
  <ContentForm {...props} type="elearning" begin={nothing} toInput={nothing}>
    {() => null}
  </ContentForm>
);

/** E-learning: its structure, its details, and its versions. Changes are made to a working copy, which is then published. */
const ElearningPage = ({ thing: content, onChange, form, others }: AuthoredPage<'/content'>) => (
  <DetailPage
    title={content.title}
    note={others}
    badge={<PublishedBadge published={content.published} />}
    about={[content.course.title, publishingWords(content)]}
    actions={
      <>
        <CopyContent content={content} />
        <ExportButton content={content} />
        <WithdrawButton content={content} onChange={onChange} />
        <PublishButton content={content} onChange={onChange} />
      </>
    }
    tabs={[
      {
        id: 'structure',
        label: 'Lessons and quizzes',
        content: <Structure content={content} onChange={onChange} />,
      },
      { id: 'details', label: 'Details', content: form },
      { id: 'versions', label: 'Versions', content: <Versions content={content} /> },
      { id: 'feedback', label: 'Feedback', content: <ContentFeedback content={content} /> },
      { id: 'uses', label: 'Who takes it', content: <WhoTakesIt course={content.course.id} content={content.id} /> },
    ]}
  >
    <PublishProblems content={content} />
    {content.published && <NobodyTakesIt course={content.course.id} />}
  </DetailPage>
);

export const { Create, Update } = contentPages('elearning', { heading: 'E-learning', Form: ElearningForm, Page: ElearningPage });
