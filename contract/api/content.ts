import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import {
  Content,
  ContentLine,
  ContentOverview,
  ContentType,
  ContentUses,
  ContentVersion,
  contentFields,
} from '#contract/entities/authored-content.ts';
import { partLimits } from '#contract/entities/authored-parts.ts';
import { CompletionRule, Media } from '#contract/entities/content.ts';
import { Choice, Count, Hash, Id } from '#contract/entities/fields.ts';
import { orderAction } from '#contract/api/order-action.ts';

const byId = z.object({ id: Id });

export const listContent = endpoint({
  id: 'listContent',
  method: 'GET',
  path: '/content',
  summary:
    'Lists the contents of one type that the caller’s organisation has created or been assigned, newest first, in pages. Our addition: without `type`, those of every type that authors make.',
  query: z.object({ ...pageQuery, ...sortQuery(sorts.contents), type: z.optional(ContentType) }),
  response: z.array(ContentLine),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['content.creator'],
  offline: 'online-only',
});
export const contentOverview = endpoint({
  id: 'contentOverview',
  method: 'GET',
  path: '/content/overview',
  ours: true,
  summary: 'Counts what the caller’s organisation has to learn with, and names what it has changed and not published.',
  response: ContentOverview,
  errors: ['forbidden', 'unauthenticated'],
  access: ['content.creator'],
  offline: 'online-only',
});
const common = {
  course_id: Choice('Choose the course that this is for.'),
  ...contentFields,
  aims: z._default(contentFields.aims, ''),
  outcomes: z._default(contentFields.outcomes, []),
  estimated_duration: z._default(contentFields.estimated_duration, 0),
  cpd_accredited: z._default(z.boolean(), false),
  admin_only: z._default(z.boolean(), false),
  published: z._default(z.boolean(), false),
  image: z._default(contentFields.image, null),
  image_alt: z._default(contentFields.image_alt, ''),
  prerequisites: z._default(contentFields.prerequisites, []),
};
export const createContent = endpoint({
  id: 'createContent',
  method: 'POST',
  path: '/content',
  summary:
    'Adds a content to a course, for the caller’s organisation and those below it. A SCORM content plays a package uploaded earlier (POST /packages). An e-learning content begins empty, and is published once it has something to learn.',
  body: z.discriminatedUnion('type', [
    z.object({
      ...{ ...common, type: z.literal('scorm') },
      package_id: Choice('Choose the file of the course first.'),
      completion: z._default(CompletionRule, 'reported'),
    }),
    z.object({ ...common, type: z.enum(['elearning', 'face2face', 'historical']) }),
  ]),
  response: Content,
  status: 201,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.create'],
  offline: 'online-only',
});
export const getContent = endpoint({
  id: 'getContent',
  method: 'GET',
  path: '/content/{id}',
  summary: 'Returns a content in the author’s view.',
  params: byId,
  response: Content,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'content.update'],
  offline: 'online-only',
});
export const contentUses = endpoint({
  id: 'contentUses',
  method: 'GET',
  path: '/content/{id}/uses',
  ours: true,
  summary: 'Returns where a content is used, within the organisations and people that the caller can see.',
  params: byId,
  response: ContentUses,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'content.update'],
  offline: 'online-only',
});
/** Of its lessons and quizzes those that need not be done to complete it. */
const uncounted = z.array(Id).check(z.maxLength(partLimits.lessons + partLimits.quizzes));
export const updateContent = endpoint({
  id: 'updateContent',
  method: 'PATCH',
  path: '/content/{id}',
  summary:
    'Changes a content of the caller’s organisation. Of a SCORM content a change visible to learners creates a new version; an e-learning content is changed in its working copy until POST /content/{id}/publish. `published: true` for one that was withdrawn offers its last version again; changes since wait to be published. People who have started an earlier version finish that one. Our addition: if `rev` is sent and is not the current one, answers 409 with `current`.',
  params: byId,
  body: z.partial(z.object({ package_id: Id, completion: CompletionRule, uncounted, rev: Count, ...contentFields })),
  response: Content,
  errors: ['rev_mismatch', 'invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.update'],
  offline: 'online-only',
});
export const deleteContent = endpoint({
  id: 'deleteContent',
  method: 'DELETE',
  path: '/content/{id}',
  summary:
    'Deletes a content. People who have started it can finish it; results and certificates are kept. The last one of a course that is sold stays while it is offered or licences run.',
  params: byId,
  status: 204,
  errors: ['in_use', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.update'],
  offline: 'online-only',
});

const changeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
export const changeContentLessons = endpoint({
  id: 'changeContentLessons',
  method: 'POST',
  path: '/content/{contentId}/lessons',
  summary: 'Adds a lesson to the end of an e-learning content, removes it, or puts all its lessons in order.',
  params: z.object({ contentId: Id }),
  body: orderAction('lesson_id', partLimits.lessons),
  response: Content,
  errors: changeErrors,
  access: ['content.update'],
  offline: 'online-only',
});
export const changeContentQuizzes = endpoint({
  id: 'changeContentQuizzes',
  method: 'POST',
  path: '/content/{contentId}/quizzes',
  summary: 'Adds a quiz to the end of an e-learning content, removes it, or puts all its quizzes in order.',
  params: z.object({ contentId: Id }),
  body: orderAction('quiz_id', partLimits.quizzes),
  response: Content,
  errors: changeErrors,
  access: ['content.update'],
  offline: 'online-only',
});
const askDays = 'Use between 1 and 365 days.';
const takeWithinDays = z.int('Enter a whole number of days.').check(z.gte(1, askDays), z.lte(365, askDays));
export const publishContent = endpoint({
  id: 'publishContent',
  method: 'POST',
  path: '/content/{id}/publish',
  ours: true,
  summary:
    'Publishes the working copy of an e-learning content as its next version. People who have started an earlier version finish that one. Without a change there is no new version. With `material`, those who are in date on an older version are asked to take this one within `take_within_days`; how they stand stays as it is.',
  params: byId,
  body: z.object({
    note: z._default(z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.')), ''),
    material: z._default(z.boolean(), false),
    take_within_days: z._default(takeWithinDays, 28),
    rev: z.optional(Count),
  }),
  response: Content,
  errors: ['rev_mismatch', ...changeErrors],
  access: ['content.update'],
  offline: 'online-only',
});
export const contentVersions = endpoint({
  id: 'contentVersions',
  method: 'GET',
  path: '/content/{id}/versions',
  ours: true,
  summary: 'Lists the published versions of a content, newest first, and how many people are on each.',
  params: byId,
  response: z.array(ContentVersion),
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'content.update'],
  offline: 'online-only',
});
export const copyContent = endpoint({
  id: 'copyContent',
  method: 'POST',
  path: '/content/{id}/copy',
  ours: true,
  summary:
    'Copies a content with its lessons, topics and quizzes, as a draft of the caller’s organisation. Quizzes of another organisation are not copied: their answers are its own.',
  params: byId,
  body: z.object({ title: contentFields.title, course_id: Choice('Choose the course that this is for.') }),
  response: Content,
  status: 201,
  errors: changeErrors,
  access: ['content.create'],
  offline: 'online-only',
});
/** Pictures of up to 20 MB; they are scaled, and their metadata is removed. */
export const uploadContentImage = endpoint({
  id: 'uploadContentImage',
  method: 'POST',
  path: '/content/images',
  summary: 'Stores a picture for contents and topics, sent as the part `file` of a multipart form. It is scaled to 1,600 pixels and re-encoded.',
  upload: { types: ['multipart/form-data'], limitBytes: 20_000_000 },
  response: Media,
  status: 201,
  errors: ['body_too_large', 'unsupported_media', ...changeErrors],
  access: ['content.create', 'content.update', 'content.creator'],
  offline: 'online-only',
});
export const deleteContentImage = endpoint({
  id: 'deleteContentImage',
  method: 'POST',
  path: '/content/images/delete',
  summary: 'Removes a picture from the organisation’s pictures. Contents and topics that use it keep it.',
  body: z.object({ hash: Hash }),
  status: 204,
  errors: changeErrors,
  access: ['content.create', 'content.update', 'content.creator'],
  offline: 'online-only',
});

export const contentEndpoints = [
  ...[listContent, contentOverview, createContent, getContent, contentUses, updateContent, deleteContent, changeContentLessons, changeContentQuizzes],
  ...[publishContent, contentVersions, copyContent, uploadContentImage, deleteContentImage],
] as const;
