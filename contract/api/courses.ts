import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Ids, pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { CourseDetail, CourseLine, CourseUses, courseFields } from '#contract/entities/authored-content.ts';
import { Count, Id, someOf } from '#contract/entities/fields.ts';

const byId = z.object({ id: Id });
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;

export const listCourses = endpoint({
  id: 'listCourses',
  method: 'GET',
  path: '/courses',
  summary: 'Lists the courses of the caller’s organisation, by title, in pages.',
  /** Our additions: `ids`, these courses; those of a category; those limited to a job role or user type where the caller is. */
  query: z.object({
    ...{ ...pageQuery, ...sortQuery(sorts.courses), ids: z.optional(Ids) },
    ...{ category_id: z.optional(Id), role_id: z.optional(Id), type_id: z.optional(Id) },
  }),
  response: z.array(CourseLine),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'content.create', 'content.update', 'entity.courses', 'user.bulk_attempts', 'record.create'],
  offline: 'online-only',
});
export const createCourse = endpoint({
  id: 'createCourse',
  method: 'POST',
  path: '/courses',
  summary: 'Adds a course to the caller’s organisation, for it and those below it.',
  body: z.object({ ...courseFields, published: z._default(z.boolean(), true) }),
  response: CourseDetail,
  status: 201,
  errors: writeErrors,
  access: ['course.create'],
  offline: 'online-only',
});
export const getCourse = endpoint({
  id: 'getCourse',
  method: 'GET',
  path: '/courses/{id}',
  summary: 'Returns a course with its contents, lessons and topics.',
  params: byId,
  response: CourseDetail,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'course.update'],
  offline: 'online-only',
});
export const courseUses = endpoint({
  id: 'courseUses',
  method: 'GET',
  path: '/courses/{id}/uses',
  ours: true,
  summary: 'Returns where a course is used, within the organisations and people that the caller can see.',
  params: byId,
  response: CourseUses,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'course.update'],
  offline: 'online-only',
});
export const updateCourse = endpoint({
  id: 'updateCourse',
  method: 'PATCH',
  path: '/courses/{id}',
  summary:
    'Changes a course of the caller’s organisation. One that is not published can no longer be chosen; what it is required for stays. Our addition: if `rev` is sent and is not the current one, answers 409 with `current`.',
  params: byId,
  body: someOf({ ...courseFields, rev: Count }),
  response: CourseDetail,
  errors: ['rev_mismatch', ...writeErrors],
  access: ['course.update'],
  offline: 'online-only',
});
export const deleteCourse = endpoint({
  id: 'deleteCourse',
  method: 'DELETE',
  path: '/courses/{id}',
  summary:
    'Deletes a course that nothing needs: it has no contents, nobody has a result of it, and no job role, pathway, session, rule, price list, order or item of the marketplace names it. Answers 409 with what needs it, counted of what the caller sees.',
  params: byId,
  status: 204,
  errors: ['in_use', ...writeErrors],
  access: ['course.update'],
  offline: 'online-only',
});

export const courseEndpoints = [listCourses, createCourse, getCourse, courseUses, updateCourse, deleteCourse] as const;
