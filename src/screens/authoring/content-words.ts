import { type AuthoredType, authoredTypes, type ContentType } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';

type Words = {
  /** The heading of the list; the button; singular and plural within a sentence. */
  title: string;
  add: string;
  one: string;
  many: string;
  /** The introduction on an empty list. */
  about: string;
  none: string;
  first: string;
};

/** The names of the types of contents that authors make. */
export const contentWords: Record<AuthoredType, Words> = {
  elearning: {
    ...{ title: 'E-learning', add: 'Add e-learning', one: 'e-learning', many: 'e-learning contents' },
    about: 'Lessons, topics and quizzes that people take on a tablet or phone, without a connection too.',
    ...{ none: 'No e-learning yet', first: 'Add e-learning to a course: lessons to read and a quiz at the end.' },
  },
  scorm: {
    ...{ title: 'SCORM courses', add: 'Add a SCORM course', one: 'a course', many: 'courses' },
    about: 'Whole courses that your organisation has bought or made with an authoring tool.',
    ...{ none: 'No courses yet', first: 'Upload the package (.zip) of a course that your organisation has bought or made.' },
  },
  face2face: {
    ...{ title: 'Face-to-face training', add: 'Add face-to-face training', one: 'a training', many: 'trainings' },
    about: 'What is taught in a room: its aims, how long it takes and what people can do afterwards.',
    ...{ none: 'No face-to-face training yet', first: 'Add what your trainers teach in a room.' },
  },
  historical: {
    ...{ title: 'Past training', add: 'Add past training', one: 'a past training', many: 'past trainings' },
    about: 'Training that people bring with them from elsewhere, to be entered in their record.',
    ...{ none: 'No past training yet', first: 'Add the training that people bring with them from elsewhere.' },
  },
};

export const isAuthored = (type: ContentType | string): type is AuthoredType => (authoredTypes as readonly string[]).includes(type);
/** The addresses of a type: its list, its create page, its detail page. */
export const contentList = (type: AuthoredType): string => pathTo('content-creator-content-by-type', { type });
export const contentCreate = (type: AuthoredType): string => pathTo(`content-creator-content-${type}-create`);
export const contentOne = (type: AuthoredType, id: string): string => pathTo(`content-creator-content-${type}-update-by-id`, { id });
/** The edit page of a content: for a designed one, the content designer. */
export const contentPage = ({ id, designed }: { id: string; designed: boolean }, type: AuthoredType): string =>
  designed ? pathTo('content-designer-by-id', { id }) : contentOne(type, id);
