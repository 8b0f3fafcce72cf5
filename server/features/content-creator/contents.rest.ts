import type { Readable } from 'node:stream';
import type { contentEndpoints } from '#contract/api/content.ts';
import { uploadContentImage } from '#contract/api/content.ts';
import type { contentFileEndpoints } from '#contract/api/content-files.ts';
import type { contentPresenceEndpoints } from '#contract/api/content-presence.ts';
import type { contentPartEndpoints } from '#contract/api/content-parts.ts';
import type { designedContentEndpoints } from '#contract/api/designed-contents.ts';
import type { courseFileEndpoints } from '#contract/api/course-files.ts';
import type { courseEndpoints } from '#contract/api/courses.ts';
import type { questionFileEndpoints } from '#contract/api/question-files.ts';
import { partLimits } from '#contract/entities/authored-parts.ts';
import { contentFilesOf } from '#server/features/content-creator/content-files.service.ts';
import { contentOf, contentPage, designedContentOf, designedPage, versionsOf } from '#server/features/content-creator/contents.rows.ts';
import { contentsOf } from '#server/features/content-creator/contents.service.ts';
import { courseFilesOf } from '#server/features/content-creator/course-files.service.ts';
import { courseDetail, coursePage } from '#server/features/content-creator/courses.rows.ts';
import { coursesOf } from '#server/features/content-creator/courses.service.ts';
import { imagesOf } from '#server/features/content-creator/images.service.ts';
import { contentOverviewOf } from '#server/features/content-creator/overview.rows.ts';
import { type OrderChange, partsOf } from '#server/features/content-creator/parts.service.ts';
import { presenceOf } from '#server/features/content-creator/presence.service.ts';
import { readQuestions, takeQuestions } from '#server/features/content-creator/question-files.service.ts';
import { contentUsesOf, courseUsesOf } from '#server/features/content-creator/uses.rows.ts';
import { readForm } from '#server/http/multipart.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

type Sent<K extends string> =
  | ({ action: 'add' } & { [P in K]: string })
  | ({ action: 'remove' } & { [P in K]: string })
  | { action: 'order'; ids: string[] };
/** The operation on a list, whatever the call's name for its items. */
const orderChange = <K extends string>(sent: Sent<K>, key: K): OrderChange =>
  sent.action === 'order' ? sent : { action: sent.action, id: (sent as { [P in K]: string })[key] };

export const contentHandlers = (services: Services): HandlersOf<typeof contentEndpoints> => {
  const { db } = services;
  const contents = contentsOf(services);
  const images = imagesOf(services);
  return {
    listContent: ({ query, actor }) => contentPage(db, actor, query),
    contentOverview: async ({ actor }) => ({ data: await contentOverviewOf(db, actor) }),
    createContent: async ({ body, ...by }) => ({ data: await contents.create(by, body) }),
    getContent: async ({ params, actor }) => ({ data: await contentOf(db, actor, params.id) }),
    contentUses: async ({ params, actor }) => ({ data: await contentUsesOf(db, actor, params.id, services.now()) }),
    updateContent: async ({ params, body, ...by }) => ({ data: await contents.update(by, params.id, body) }),
    deleteContent: ({ params, ...by }) => contents.remove(by, params.id),
    changeContentLessons: async ({ params, body, ...by }) => ({ data: await contents.lessons(by, params.contentId, orderChange(body, 'lesson_id')) }),
    changeContentQuizzes: async ({ params, body, ...by }) => ({ data: await contents.quizzes(by, params.contentId, orderChange(body, 'quiz_id')) }),
    publishContent: async ({ params, body, ...by }) => ({ data: await contents.publish(by, params.id, body) }),
    contentVersions: async ({ params, actor }) => {
      await contentOf(db, actor, params.id);
      return { data: await versionsOf(db, actor, params.id, services.now()) };
    },
    copyContent: async ({ params, body, ...by }) => ({ data: await contents.copy(by, params.id, body) }),
    uploadContentImage: async ({ actor, request }) => {
      const { files } = await readForm(request, ['file'], uploadContentImage.upload.limitBytes);
      return { data: await images.add(actor, files.file) };
    },
    deleteContentImage: ({ actor, body }) => images.remove(actor, body.hash),
  };
};

export const designedContentHandlers = (services: Services): HandlersOf<typeof designedContentEndpoints> => {
  const { db } = services;
  const contents = contentsOf(services);
  return {
    listDesignedContents: ({ query, actor }) => designedPage(db, actor, query),
    createDesignedContent: async ({ body, ...by }) => ({ data: await contents.createDesigned(by, body) }),
    getDesignedContent: async ({ params, actor }) => ({ data: await designedContentOf(db, actor, params.id) }),
    updateDesignedContent: async ({ params, body, ...by }) => ({ data: await contents.updateDesigned(by, params.id, body) }),
  };
};

export const contentFileHandlers = (services: Services): HandlersOf<typeof contentFileEndpoints> => {
  const files = contentFilesOf(services);
  return {
    beginContentFile: async ({ actor, body }) => ({ data: await files.begin(actor, body) }),
    getContentFile: async ({ actor, params }) => ({ data: await files.get(actor, params.id) }),
    addContentFilePiece: async ({ actor, params, request }) => ({
      data: await files.keepPiece(actor, params.id, params.piece, request.body as Readable),
    }),
    finishContentFile: async ({ actor, params }) => ({ data: await files.finish(actor, params.id) }),
  };
};

export const questionFileHandlers = (services: Services): HandlersOf<typeof questionFileEndpoints> => ({
  readQuestionFile: async ({ request }) => ({ data: await readQuestions(services, request.body as Readable) }),
  takeQuestions: async ({ actor, request, query }) => ({
    data: await takeQuestions(services, actor, request.body as Readable, query.questions.split(',').map(Number)),
  }),
});

export const contentPresenceHandlers = (services: Services): HandlersOf<typeof contentPresenceEndpoints> => {
  const presence = presenceOf(services);
  return { tellPresence: async ({ actor, body }) => ({ data: await presence.tell(actor, body) }) };
};

export const courseFileHandlers = (services: Services): HandlersOf<typeof courseFileEndpoints> => {
  const courseFiles = courseFilesOf(services);
  return {
    exportContent: async ({ actor, params }) => {
      const { name, archive } = await courseFiles.exported(actor, params.id);
      return { file: archive, type: 'application/zip', name };
    },
    courseInFile: async ({ actor, params }) => ({ data: await courseFiles.look(actor, params.id) }),
    importContent: async ({ params, body, ...by }) => ({ data: await courseFiles.take(by, params.id, body) }),
  };
};

export const courseHandlers = (services: Services): HandlersOf<typeof courseEndpoints> => {
  const { db, now } = services;
  const courses = coursesOf(services);
  return {
    listCourses: ({ query, actor }) => coursePage(db, actor, query),
    createCourse: async ({ body, ...by }) => ({ data: await courses.create(by, body) }),
    getCourse: async ({ params, actor }) => ({ data: await courseDetail(db, actor, params.id) }),
    courseUses: async ({ params, actor }) => ({ data: await courseUsesOf(db, actor, params.id, now()) }),
    updateCourse: async ({ params, body, ...by }) => ({ data: await courses.update(by, params.id, body) }),
    deleteCourse: ({ params, ...by }) => courses.remove(by, params.id),
  };
};

export const contentPartHandlers = (services: Services): HandlersOf<typeof contentPartEndpoints> => {
  const { lessons, topics, quizzes } = partsOf(services);
  const contents = contentsOf(services);
  return {
    listLessons: ({ query, actor }) => lessons.list(actor, query),
    createLesson: async ({ body, ...by }) => ({ data: await lessons.create(by, body) }),
    getLesson: async ({ params, actor }) => ({ data: await lessons.get(actor, params.id) }),
    updateLesson: async ({ params, body, ...by }) => ({ data: await lessons.update(by, params.id, body) }),
    deleteLesson: ({ params, ...by }) => lessons.remove(by, params.id),
    changeLessonTopics: async ({ params, body, ...by }) => ({
      data: await lessons.topics(by, params.lessonId, orderChange(body, 'topic_id'), partLimits.topics),
    }),
    listTopics: ({ query, actor }) => topics.list(actor, query),
    createTopic: async ({ body, ...by }) => ({ data: await topics.create(by, body) }),
    getTopic: async ({ params, actor }) => ({ data: await topics.get(actor, params.id) }),
    updateTopic: async ({ params, body, ...by }) => ({ data: await topics.update(by, params.id, body) }),
    deleteTopic: ({ params, ...by }) => topics.remove(by, params.id),
    renewActivity: ({ params, body, ...by }) => topics.renewActivity(by, params.id, body.topic_ids),
    listQuizzes: ({ query, actor }) => quizzes.list(actor, query),
    createQuiz: async ({ body, ...by }) => ({ data: await quizzes.create(by, body) }),
    getQuiz: async ({ params, actor }) => ({ data: await quizzes.get(actor, params.id) }),
    updateQuiz: async ({ params, body, ...by }) => ({ data: await quizzes.update(by, params.id, body) }),
    deleteQuiz: ({ params, ...by }) => quizzes.remove(by, params.id),
    quizOfContent: async ({ params, body, ...by }) => {
      await contents.quantity(by, params.contentId, params.quizId, body.question_qty);
      return { data: await quizzes.get(by.actor, params.quizId) };
    },
    changeQuestionOrder: async ({ body, ...by }) => ({ data: await quizzes.order(by, body.quiz_id, body.questions) }),
    quizStatistics: async ({ params, query, actor }) => ({ data: await quizzes.statistics(actor, params.id, query) }),
    questionBank: ({ query, actor }) => quizzes.bank(actor, query),
  };
};
