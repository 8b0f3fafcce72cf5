import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { orderAction } from '#contract/api/order-action.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import {
  AuthoredLesson,
  AuthoredQuiz,
  AuthoredTopic,
  BankQuestion,
  LessonLine,
  lessonFields,
  partLimits,
  QuizLine,
  quizFields,
  TopicLine,
  topicFields,
} from '#contract/entities/authored-parts.ts';
import { Count, Day, Id } from '#contract/entities/fields.ts';
import { QuizStatistics } from '#contract/entities/quiz-statistics.ts';

/** Lessons, topics and quizzes: what e-learning contents are made of. */

const byId = z.object({ id: Id });
const readErrors = ['not_found', 'forbidden', 'unauthenticated'] as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const changeErrors = ['rev_mismatch', ...writeErrors] as const;
const reads = { access: ['content.creator'], offline: 'online-only' } as const;
const adds = { access: ['content.create'], offline: 'online-only', status: 201 } as const;
const writes = { access: ['content.update'], offline: 'online-only' } as const;
const rev = Count.check(z.describe('Our addition: the version that was seen; if it is not the current one, the answer is 409 with `current`.'));
const Version = z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000_000));
const available = z.optional(Id.check(z.describe('Our addition: leaves out what this already has.')));
const changed = 'Contents show the change when they are next published.';
const removed = 'Versions that are published keep it.';

export const listLessons = endpoint({
  ...{ id: 'listLessons', method: 'GET', path: '/lessons', ...reads, response: z.array(LessonLine), errors: ['invalid_input', ...readErrors] },
  query: z.object({ ...pageQuery, ...sortQuery(sorts.parts), available_to: available }),
  summary: 'Lists the lessons of the caller’s organisation and those above it, newest first, in pages.',
});
export const createLesson = endpoint({
  ...{ id: 'createLesson', method: 'POST', path: '/lessons', ...adds, response: AuthoredLesson, errors: writeErrors },
  body: z.object({ title: lessonFields.title, published: z._default(z.boolean(), true), question_qty: z._default(lessonFields.question_qty, 0) }),
  summary: 'Adds a lesson.',
});
export const getLesson = endpoint({
  ...{ id: 'getLesson', method: 'GET', path: '/lessons/{id}', ...reads, params: byId, response: AuthoredLesson, errors: readErrors },
  summary: 'Returns a lesson with its topics.',
});
export const updateLesson = endpoint({
  ...{ id: 'updateLesson', method: 'PATCH', path: '/lessons/{id}', ...writes, params: byId, response: AuthoredLesson, errors: changeErrors },
  body: z.partial(z.object({ ...lessonFields, rev })),
  summary: `Changes a lesson. ${changed}`,
});
export const deleteLesson = endpoint({
  ...{ id: 'deleteLesson', method: 'DELETE', path: '/lessons/{id}', ...writes, params: byId, status: 204, errors: writeErrors },
  summary: `Deletes a lesson and removes it from the contents that use it; its topics stay. ${removed}`,
});
export const changeLessonTopics = endpoint({
  ...{ id: 'changeLessonTopics', method: 'POST', path: '/lessons/{lessonId}/topics', ...writes, response: AuthoredLesson, errors: writeErrors },
  params: z.object({ lessonId: Id }),
  body: orderAction('topic_id', partLimits.topics),
  summary: 'Adds a topic to the end of a lesson, removes it, or puts all its topics in order.',
});

export const listTopics = endpoint({
  ...{ id: 'listTopics', method: 'GET', path: '/topics', ...reads, response: z.array(TopicLine), errors: ['invalid_input', ...readErrors] },
  query: z.object({ ...pageQuery, ...sortQuery(sorts.parts), available_to: available }),
  summary: 'Lists the topics of the caller’s organisation and those above it, newest first, in pages.',
});
const h5p_id = z.optional(z.nullable(Id));
export const createTopic = endpoint({
  ...{
    id: 'createTopic',
    method: 'POST',
    path: '/topics',
    ...adds,
    response: AuthoredTopic,
    errors: writeErrors,
    bodyLimitBytes: partLimits.bodyBytes,
  },
  body: z.object({
    ...{ title: topicFields.title, hidden: z._default(z.boolean(), false), skippable: z._default(z.boolean(), false) },
    ...{ is_child: z._default(z.boolean(), false), blocks: z._default(topicFields.blocks, []), h5p_id },
  }),
  summary: 'Adds a topic. With `h5p_id` it ends in that activity of the library.',
});
export const getTopic = endpoint({
  ...{ id: 'getTopic', method: 'GET', path: '/topics/{id}', ...reads, params: byId, response: AuthoredTopic, errors: readErrors },
  summary: 'Returns a topic with what is written in it.',
});
export const updateTopic = endpoint({
  ...{ id: 'updateTopic', method: 'PATCH', path: '/topics/{id}', ...writes, params: byId, response: AuthoredTopic, errors: changeErrors },
  bodyLimitBytes: partLimits.bodyBytes,
  body: z.partial(z.object({ ...topicFields, h5p_id: z.nullable(Id), rev })),
  summary: `Changes a topic. ${changed}`,
});
export const deleteTopic = endpoint({
  ...{ id: 'deleteTopic', method: 'DELETE', path: '/topics/{id}', ...writes, params: byId, status: 204, errors: writeErrors },
  summary: `Deletes a topic and removes it from the lessons that use it. ${removed}`,
});
export const renewActivity = endpoint({
  ...{ id: 'renewActivity', method: 'POST', path: '/h5ps/{id}/topics', ours: true, ...writes, params: byId, status: 204, errors: writeErrors },
  body: z.object({ topic_ids: z.array(Id).check(z.minLength(1, 'Choose topics first.'), z.maxLength(partLimits.topics)) }),
  summary: `Puts the present file of an H5P activity into topics that hold an older one of it. ${changed}`,
});

export const listQuizzes = endpoint({
  ...{ id: 'listQuizzes', method: 'GET', path: '/quizzes', ...reads, response: z.array(QuizLine), errors: ['invalid_input', ...readErrors] },
  query: z.object({ ...pageQuery, ...sortQuery(sorts.parts), available_to: available }),
  summary: 'Lists the quizzes of the caller’s organisation, newest first, in pages.',
});
export const createQuiz = endpoint({
  ...{
    id: 'createQuiz',
    method: 'POST',
    path: '/quizzes',
    ...adds,
    response: AuthoredQuiz,
    errors: writeErrors,
    bodyLimitBytes: partLimits.bodyBytes,
  },
  body: z.object({
    ...{ title: quizFields.title, published: z._default(z.boolean(), true), is_randomized: z._default(z.boolean(), false) },
    ...{ pass_percent: z._default(quizFields.pass_percent, 80), max_tries: z._default(quizFields.max_tries, 0) },
    questions: z._default(quizFields.questions, []),
  }),
  summary: 'Adds a quiz.',
});
export const getQuiz = endpoint({
  ...{ id: 'getQuiz', method: 'GET', path: '/quizzes/{id}', ...reads, params: byId, response: AuthoredQuiz, errors: readErrors },
  summary: 'Returns a quiz with its questions and their answers.',
});
export const updateQuiz = endpoint({
  ...{ id: 'updateQuiz', method: 'PATCH', path: '/quizzes/{id}', ...writes, params: byId, response: AuthoredQuiz, errors: changeErrors },
  bodyLimitBytes: partLimits.bodyBytes,
  body: z.partial(z.object({ ...quizFields, rev })),
  summary: `Changes a quiz; with \`questions\`, these are all its questions in their order. ${changed}`,
});
export const deleteQuiz = endpoint({
  ...{ id: 'deleteQuiz', method: 'DELETE', path: '/quizzes/{id}', ...writes, params: byId, status: 204, errors: writeErrors },
  summary: `Deletes a quiz with its questions and removes it from the contents that use it. ${removed}`,
});
export const quizOfContent = endpoint({
  ...{ id: 'quizOfContent', method: 'POST', path: '/quizzes/{quizId}/content/{contentId}', ...writes, errors: writeErrors, response: AuthoredQuiz },
  params: z.object({ quizId: Id, contentId: Id }),
  body: z.object({ question_qty: Count.check(z.lte(partLimits.questions, `Use no more than ${partLimits.questions} questions.`)) }),
  summary: 'Sets how many of its questions a quiz asks in a content; 0 means all.',
});
export const changeQuestionOrder = endpoint({
  ...{ id: 'changeQuestionOrder', method: 'POST', path: '/questions/changeOrder', ...writes, response: AuthoredQuiz, errors: writeErrors },
  body: z.object({ quiz_id: Id, questions: z.array(Id).check(z.maxLength(partLimits.questions)) }),
  summary: 'Puts all questions of a quiz in order.',
});
export const questionBank = endpoint({
  ...{ id: 'questionBank', method: 'GET', path: '/questions', ours: true, ...reads, response: z.array(BankQuestion), errors: readErrors },
  query: z.object({ ...pageQuery, available_to: available }),
  summary: 'Lists the questions of all quizzes of the caller’s organisation, in pages: to be used again in another one.',
});
export const quizStatistics = endpoint({
  ...{ id: 'quizStatistics', method: 'GET', path: '/quizzes/{id}/statistics', ours: true, ...reads, params: byId, response: QuizStatistics },
  errors: ['invalid_input', ...readErrors],
  /** Days in the time zone of the caller’s organisation, both included; `version` is one of `content_id`. */
  query: z.object({ from: z.optional(Day), to: z.optional(Day), content_id: z.optional(Id), version: z.optional(Version) }),
  summary:
    'Says how the questions of a quiz were answered at the first try of each attempt, by the people of the caller’s organisation and those below it: how many were right, and what was answered instead. Names nobody.',
});

export const contentPartEndpoints = [
  ...[listLessons, createLesson, getLesson, updateLesson, deleteLesson, changeLessonTopics],
  ...[listTopics, createTopic, getTopic, updateTopic, deleteTopic, renewActivity],
  ...[listQuizzes, createQuiz, getQuiz, updateQuiz, deleteQuiz, quizOfContent, changeQuestionOrder, questionBank, quizStatistics],
] as const;
