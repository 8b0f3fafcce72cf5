import type { Feature } from '#src/lib/feature.ts';

/** The titles of the lists of contents: the same as for the detail page. */
const typeTitles: Record<string, string> = {
  elearning: 'E-learning',
  scorm: 'SCORM courses',
  face2face: 'Face-to-face training',
  historical: 'Past training',
};

export const contentCreatorFeature: Feature = {
  pages: {
    'content-creator': () => import('#src/features/content-creator/content-creator.page.tsx'),
    'content-creator-feedback': () => import('#src/features/content-creator/feedback.page.tsx'),
    'content-creator-courses': () => import('#src/features/content-creator/courses.page.tsx'),
    'content-creator-courses-create': async () => ({ Component: (await import('#src/features/content-creator/course-pages.tsx')).Create }),
    'content-creator-courses-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/course-pages.tsx')).Update }),
    'content-creator-content-by-type': () => import('#src/features/content-creator/content-list.page.tsx'),
    'content-creator-content-elearning-create': async () => ({
      Component: (await import('#src/features/content-creator/elearning-pages.tsx')).Create,
    }),
    'content-creator-content-elearning-update-by-id': async () => ({
      Component: (await import('#src/features/content-creator/elearning-pages.tsx')).Update,
    }),
    'content-creator-content-scorm-create': async () => ({ Component: (await import('#src/features/content-creator/scorm-form.tsx')).Create }),
    'content-creator-content-scorm-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/scorm-form.tsx')).Update }),
    'content-creator-content-face2face-create': async () => ({
      Component: (await import('#src/features/content-creator/other-contents.tsx')).faceToFace.Create,
    }),
    'content-creator-content-face2face-update-by-id': async () => ({
      Component: (await import('#src/features/content-creator/other-contents.tsx')).faceToFace.Update,
    }),
    'content-creator-content-historical-create': async () => ({
      Component: (await import('#src/features/content-creator/other-contents.tsx')).historical.Create,
    }),
    'content-creator-content-historical-update-by-id': async () => ({
      Component: (await import('#src/features/content-creator/other-contents.tsx')).historical.Update,
    }),
    'content-creator-lessons': () => import('#src/features/content-creator/lessons.page.tsx'),
    'content-creator-lessons-create': async () => ({ Component: (await import('#src/features/content-creator/lesson-pages.tsx')).Create }),
    'content-creator-lessons-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/lesson-pages.tsx')).Update }),
    'content-creator-topics': () => import('#src/features/content-creator/topics.page.tsx'),
    'content-creator-topics-create': async () => ({ Component: (await import('#src/features/content-creator/topic-form.tsx')).Create }),
    'content-creator-topics-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/topic-form.tsx')).Update }),
    'content-creator-quizzes': () => import('#src/features/content-creator/quizzes.page.tsx'),
    'content-creator-quizzes-create': async () => ({ Component: (await import('#src/features/content-creator/quiz-pages.tsx')).Create }),
    'content-creator-quizzes-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/quiz-pages.tsx')).Update }),
    'content-creator-h5ps': () => import('#src/features/content-creator/h5p-list.page.tsx'),
    'content-creator-h5ps-create': async () => ({ Component: (await import('#src/features/content-creator/h5p-form.tsx')).Create }),
    'content-creator-h5ps-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/h5p-form.tsx')).Update }),
  },
  titles: {
    'content-creator': 'Content',
    'content-creator-feedback': 'Feedback',
    'content-creator-courses': 'Courses',
    'content-creator-courses-create': 'Make a course',
    'content-creator-courses-update-by-id': 'Course',
    'content-creator-content-by-type': (_, path) => typeTitles[path.split('/').at(-1) ?? ''] ?? 'Contents',
    'content-creator-content-elearning-create': 'Add e-learning',
    'content-creator-content-elearning-update-by-id': 'E-learning',
    'content-creator-content-scorm-create': 'Add a SCORM course',
    'content-creator-content-scorm-update-by-id': 'SCORM course',
    'content-creator-content-face2face-create': 'Add face-to-face training',
    'content-creator-content-face2face-update-by-id': 'Face-to-face training',
    'content-creator-content-historical-create': 'Add past training',
    'content-creator-content-historical-update-by-id': 'Past training',
    'content-creator-lessons': 'Lessons',
    'content-creator-lessons-create': 'Make a lesson',
    'content-creator-lessons-update-by-id': 'Lesson',
    'content-creator-topics': 'Topics',
    'content-creator-topics-create': 'Write a topic',
    'content-creator-topics-update-by-id': 'Topic',
    'content-creator-quizzes': 'Quizzes',
    'content-creator-quizzes-create': 'Make a quiz',
    'content-creator-quizzes-update-by-id': 'Quiz',
    'content-creator-h5ps': 'H5P activities',
    'content-creator-h5ps-create': 'Add an activity',
    'content-creator-h5ps-update-by-id': 'Activity',
  },
};
