import type { AuthoredForm } from '#src/features/content-creator/authored-pages.tsx';
import { ContentForm } from '#src/screens/authoring/content-fields.tsx';
import { contentPages } from '#src/features/content-creator/content-pages.tsx';

const nothing = () => ({});
const formOf = (type: 'face2face' | 'historical') => (props: AuthoredForm<'/content'>) => (
  <ContentForm {...props} type={type} begin={nothing} toInput={nothing}>
    {() => null}
  </ContentForm>
);

export const faceToFace = contentPages('face2face', { heading: 'Face-to-face training', Form: formOf('face2face') });
export const historical = contentPages('historical', { heading: 'Past training', Form: formOf('historical') });
