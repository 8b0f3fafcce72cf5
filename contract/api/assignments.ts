import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Ids, pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import {
  AvailableCourse,
  AvailableTraining,
  assignmentFields,
  CourseCategory,
  categoryFields,
  EntityContent,
  EntityCourse,
  Tag,
  tagFields,
} from '#contract/entities/assignment.ts';
import { Choice, Id, Slug, someOf } from '#contract/entities/fields.ts';

const bySlug = z.object({ slug: Slug });
const readErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'] as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const online = { offline: 'online-only' } as const;
const forWhom = z.partial(z.object(assignmentFields)).shape;
const many = z.array(Id).check(z.minLength(1, 'Choose at least one.'), z.maxLength(500, 'Choose no more than 500.'));

export const listEntityCourses = endpoint({
  ...{
    id: 'listEntityCourses',
    method: 'GET',
    path: '/entities/{slug}/courses',
    params: bySlug,
    query: z.object({ ...pageQuery, ...sortQuery(sorts.courses) }),
    errors: readErrors,
    access: ['entity.courses'],
  },
  response: z.array(EntityCourse),
  ...{ summary: 'Lists the courses of an organisation: its own, and those assigned to it or to an organisation above it, by title.', ...online },
});
export const giveCourse = endpoint({
  ...{
    id: 'giveCourse',
    method: 'POST',
    path: '/entities/{slug}/courses',
    params: bySlug,
    status: 201,
    errors: writeErrors,
    access: ['entity.courses'],
  },
  ...{ body: z.object({ course_id: Choice('Choose a course.'), ...forWhom }), response: EntityCourse },
  ...{ summary: 'Assigns a course to an organisation and those below it: to everyone, or to selected job roles and user types.', ...online },
});
const oneCourse = z.object({ slug: Slug, courseId: Id });
export const updateGivenCourse = endpoint({
  ...{
    id: 'updateGivenCourse',
    method: 'PATCH',
    path: '/entities/{slug}/courses/{courseId}',
    params: oneCourse,
    errors: writeErrors,
    access: ['entity.courses'],
  },
  ...{ body: someOf({ ...assignmentFields, category_ids: z.array(Id).check(z.maxLength(100)) }), response: EntityCourse },
  ...{ summary: 'Changes who a course is assigned to, and its categories in the organisation.', ...online },
});
export const takeCourse = endpoint({
  ...{ id: 'takeCourse', method: 'DELETE', path: '/entities/{slug}/courses/{courseId}', params: oneCourse, status: 204, access: ['entity.courses'] },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], ...online },
  summary: 'Unassigns a course. People who have started it can finish it; results are kept.',
});
export const coursesOfEntities = endpoint({
  ...{ id: 'coursesOfEntities', method: 'GET', path: '/entity-courses', errors: readErrors, access: ['entity.courses'] },
  query: z.object({ entityIds: Ids }),
  response: z.array(z.object({ entity_id: Id, courses: z.array(z.object({ id: Id, title: z.string() })) })),
  ...{ summary: 'Lists the courses of each of several organisations.', ...online },
});

export const giveCourses = endpoint({
  ...{ id: 'giveCourses', method: 'POST', path: '/entity-courses', ours: true, errors: writeErrors, access: ['entity.courses'], status: 201 },
  ...{ body: z.object({ entity_ids: many, course_ids: many, ...forWhom }), response: z.object({ given: z.number() }) },
  ...{ summary: 'Assigns several courses to several organisations: all of them or none.', ...online },
});

export const listEntityContents = endpoint({
  ...{
    id: 'listEntityContents',
    method: 'GET',
    path: '/entities/{slug}/content',
    params: bySlug,
    query: z.object({ ...pageQuery, ...sortQuery(sorts.courses) }),
    errors: readErrors,
    access: ['entity.content'],
  },
  response: z.array(EntityContent),
  ...{ summary: 'Lists the contents assigned to an organisation, or to one above it, individually rather than with their course.', ...online },
});
export const giveContent = endpoint({
  ...{
    id: 'giveContent',
    method: 'POST',
    path: '/entities/{slug}/content',
    params: bySlug,
    status: 201,
    errors: writeErrors,
    access: ['entity.content'],
  },
  ...{ body: z.object({ content_id: Choice('Choose a content.'), ...forWhom }), response: EntityContent },
  ...{ summary: 'Assigns a content to an organisation and those below it: to everyone, or to selected job roles and user types.', ...online },
});
export const updateGivenContents = endpoint({
  ...{
    id: 'updateGivenContents',
    method: 'PATCH',
    path: '/entities/{slug}/content/updateMultiple',
    params: bySlug,
    errors: writeErrors,
    access: ['entity.content'],
  },
  ...{ body: z.object({ content_ids: many, ...forWhom }), response: z.array(EntityContent) },
  ...{ summary: 'Changes who several contents are assigned to: all of them or none.', ...online },
});
const oneContent = z.object({ slug: Slug, contentId: Id });
export const updateGivenContent = endpoint({
  ...{
    id: 'updateGivenContent',
    method: 'PATCH',
    path: '/entities/{slug}/content/{contentId}',
    params: oneContent,
    errors: writeErrors,
    access: ['entity.content'],
  },
  ...{ body: someOf(assignmentFields), response: EntityContent },
  ...{ summary: 'Changes who a content is assigned to.', ...online },
});
export const takeContent = endpoint({
  ...{
    id: 'takeContent',
    method: 'DELETE',
    path: '/entities/{slug}/content/{contentId}',
    params: oneContent,
    status: 204,
    access: ['entity.content'],
  },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], ...online },
  summary: 'Unassigns a content. People who have started it can finish it.',
});
export const giveContents = endpoint({
  ...{ id: 'giveContents', method: 'POST', path: '/entity-content', errors: writeErrors, access: ['entity.content'], status: 201 },
  ...{ body: z.object({ entity_ids: many, content_ids: many, ...forWhom }), response: z.object({ given: z.number() }) },
  ...{ summary: 'Assigns several contents to several organisations: all of them or none.', ...online },
});

export const listCategories = endpoint({
  ...{
    id: 'listCategories',
    method: 'GET',
    path: '/entities/{slug}/course-categories',
    ours: true,
    params: bySlug,
    access: ['entity.courses'],
    errors: readErrors,
  },
  ...{
    response: z.array(CourseCategory),
    summary: 'Lists the course categories available to an organisation: its own and those of the organisations above it.',
    ...online,
  },
});
export const createCategory = endpoint({
  ...{
    id: 'createCategory',
    method: 'POST',
    path: '/entities/{slug}/course-categories',
    ours: true,
    params: bySlug,
    access: ['entity.courses'],
    errors: writeErrors,
    status: 201,
  },
  ...{ body: z.object(categoryFields), response: CourseCategory, summary: 'Adds a category.', ...online },
});
const oneThing = z.object({ slug: Slug, id: Id });
export const updateCategory = endpoint({
  ...{
    id: 'updateCategory',
    method: 'PATCH',
    path: '/entities/{slug}/course-categories/{id}',
    ours: true,
    params: oneThing,
    access: ['entity.courses'],
    errors: writeErrors,
  },
  ...{ body: someOf({ ...categoryFields, course_ids: z.array(Id).check(z.maxLength(2000)) }), response: CourseCategory },
  ...{ summary: 'Renames a category, or sets its courses.', ...online },
});
export const deleteCategory = endpoint({
  ...{
    id: 'deleteCategory',
    method: 'DELETE',
    path: '/entities/{slug}/course-categories/{id}',
    ours: true,
    params: oneThing,
    access: ['entity.courses'],
    status: 204,
  },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], summary: 'Deletes a category. Its courses are kept.', ...online },
});

export const listTags = endpoint({
  ...{
    id: 'listTags',
    method: 'GET',
    path: '/entities/{slug}/tags',
    ours: true,
    params: bySlug,
    access: ['tag.view', 'tag.manage', 'tag.link', 'tag.use'],
    errors: readErrors,
  },
  ...{
    response: z.array(Tag),
    summary:
      'Lists the tags available to an organisation: its own and those of the organisations above it, with the organisations and people they mark here and below.',
    ...online,
  },
});
export const createTag = endpoint({
  ...{
    id: 'createTag',
    method: 'POST',
    path: '/entities/{slug}/tags',
    ours: true,
    params: bySlug,
    access: ['tag.manage'],
    errors: writeErrors,
    status: 201,
  },
  ...{ body: z.object({ name: tagFields.name }), response: Tag, summary: 'Adds a tag.', ...online },
});
export const updateTag = endpoint({
  ...{
    id: 'updateTag',
    method: 'PATCH',
    path: '/entities/{slug}/tags/{id}',
    ours: true,
    params: oneThing,
    access: ['tag.manage', 'tag.link'],
    errors: writeErrors,
  },
  ...{ body: someOf(tagFields), response: Tag },
  ...{
    summary:
      'Renames a tag (permission tag.manage), or sets the organisations and people it marks (tag.link). Those that the caller cannot see remain marked.',
    ...online,
  },
});
export const deleteTag = endpoint({
  ...{ id: 'deleteTag', method: 'DELETE', path: '/entities/{slug}/tags/{id}', ours: true, params: oneThing, access: ['tag.manage'], status: 204 },
  ...{
    errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
    summary: 'Deletes a tag. The organisations and people it marked are kept.',
    ...online,
  },
});

const person = z.object({ id: Id });
export const availableTraining = endpoint({
  ...{ id: 'availableTraining', method: 'GET', path: '/users/{id}/available-training', params: person, access: 'signed-in', errors: readErrors },
  ...{ response: z.array(AvailableTraining), summary: 'Lists the face-to-face training that a person can attend, by title.', ...online },
});
export const availableCourses = endpoint({
  ...{
    id: 'availableCourses',
    method: 'GET',
    path: '/users/{id}/available-courses',
    params: person,
    access: ['content.available_courses'],
    errors: readErrors,
  },
  ...{
    response: z.array(AvailableCourse),
    summary: 'Lists the courses that a person can take, by title, and marks those they must take.',
    ...online,
  },
});
export const personalDevelopmentCourses = endpoint({
  ...{
    id: 'personalDevelopmentCourses',
    method: 'GET',
    path: '/users/{id}/personal-development-courses',
    params: person,
    access: ['content.available_courses'],
    errors: readErrors,
  },
  ...{ response: z.array(AvailableCourse), summary: 'Lists the optional courses that a person can take.', ...online },
});

export const assignmentEndpoints = [
  listEntityCourses,
  giveCourse,
  updateGivenCourse,
  takeCourse,
  coursesOfEntities,
  giveCourses,
  listEntityContents,
  giveContent,
  updateGivenContents,
  updateGivenContent,
  takeContent,
  giveContents,
  listCategories,
  createCategory,
  updateCategory,
  deleteCategory,
  listTags,
  createTag,
  updateTag,
  deleteTag,
  availableCourses,
  availableTraining,
  personalDevelopmentCourses,
] as const;
