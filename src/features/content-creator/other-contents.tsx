import type { AuthoredForm, AuthoredPage } from '#src/features/content-creator/authored-pages.tsx';
import { ContentFeedback } from '#src/screens/authoring/content-feedback.tsx';
import { ContentForm } from '#src/screens/authoring/content-fields.tsx';
import { PublishedBadge } from '#src/screens/authoring/published-column.tsx';
import { WhoTakesIt } from '#src/screens/authoring/who-takes-it.tsx';
import { contentPages, CopyContent } from '#src/features/content-creator/content-pages.tsx';
import { DetailPage } from '#src/screens/detail-page.tsx';

const nothing = () => ({});
const formOf = (type: 'face2face' | 'historical') => (props: AuthoredForm<'/content'>) => (
  <ContentForm {...props} type={type} begin={nothing} toInput={nothing}>
    {() => null}
  </ContentForm>
);
/** Training that is not taken on a device has no versions. */
const Page = ({ thing: content, form, others }: AuthoredPage<'/content'>) => (
  <DetailPage
    title={content.title}
    note={others}
    badge={<PublishedBadge published={content.published} />}
    about={[content.course.title]}
    actions={<CopyContent content={content} />}
    tabs={[
      { id: 'details', label: 'Details', content: form },
      { id: 'feedback', label: 'Feedback', content: <ContentFeedback content={content} /> },
      { id: 'uses', label: 'Who takes it', content: <WhoTakesIt course={content.course.id} content={content.id} /> },
    ]}
  />
);

export const faceToFace = contentPages('face2face', { heading: 'Face-to-face training', Form: formOf('face2face'), Page });
export const historical = contentPages('historical', { heading: 'Past training', Form: formOf('historical'), Page });
