import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Ids, pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Content, ContentType, contentFields, Course } from '#contract/entities/authored-content.ts';
import { Choice, Id } from '#contract/entities/fields.ts';

const byId = z.object({ id: Id });

export const listCourses = endpoint({
  id: 'listCourses',
  method: 'GET',
  path: '/courses',
  summary: 'Lists the courses of the caller’s organisation, by title, in pages.',
  /** `ids`, our addition: these courses. */
  query: z.object({ ...pageQuery, ids: z.optional(Ids) }),
  response: z.array(Course),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'content.create', 'content.update', 'entity.courses', 'user.bulk_attempts', 'record.create'],
  offline: 'online-only',
});
export const listContent = endpoint({
  id: 'listContent',
  method: 'GET',
  path: '/content',
  summary: 'Lists the contents of one type that the caller’s organisation has created or been assigned, newest first, in pages.',
  query: z.object({ ...pageQuery, ...sortQuery(sorts.contents), type: ContentType }),
  response: z.array(Content),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['content.creator'],
  offline: 'online-only',
});
export const createContent = endpoint({
  id: 'createContent',
  method: 'POST',
  path: '/content',
  summary:
    'Adds a content to a course. A SCORM content plays a package uploaded earlier (POST /packages), for the caller’s organisation and those below it.',
  body: z.object({
    type: z.literal('scorm'),
    course_id: Choice('Choose the course that this is for.'),
    package_id: Choice('Choose the file of the course first.'),
    ...contentFields,
    aims: z._default(contentFields.aims, ''),
    outcomes: z._default(contentFields.outcomes, []),
    estimated_duration: z._default(contentFields.estimated_duration, 0),
    cpd_accredited: z._default(z.boolean(), false),
    published: z._default(z.boolean(), false),
    completion: z._default(contentFields.completion, 'reported'),
  }),
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
export const updateContent = endpoint({
  id: 'updateContent',
  method: 'PATCH',
  path: '/content/{id}',
  summary:
    'Changes a content of the caller’s organisation. A change visible to learners creates a new version; people who have started an earlier version finish that one.',
  params: byId,
  body: z.partial(z.object({ package_id: Id, ...contentFields })),
  response: Content,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.update'],
  offline: 'online-only',
});
export const deleteContent = endpoint({
  id: 'deleteContent',
  method: 'DELETE',
  path: '/content/{id}',
  summary: 'Deletes a content. People who have started it can finish it; results and certificates are kept.',
  params: byId,
  status: 204,
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.update'],
  offline: 'online-only',
});

export const contentEndpoints = [listCourses, listContent, createContent, getContent, updateContent, deleteContent] as const;
