import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
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
import { Id, Slug, someOf } from '#contract/entities/fields.ts';

const of = z.object({ slug: Slug });
const reading = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'] as const;
const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const online = { offline: 'online-only' } as const;
const forWhom = z.partial(z.object(assignmentFields)).shape;
const many = z.array(Id).check(z.minLength(1, 'Choose at least one.'), z.maxLength(500, 'Choose 500 at most.'));

export const listEntityCourses = endpoint({
  ...{
    id: 'listEntityCourses',
    method: 'GET',
    path: '/entities/{slug}/courses',
    params: of,
    query: z.object(pageQuery),
    errors: reading,
    access: ['entity.courses'],
  },
  response: z.array(EntityCourse),
  ...{ summary: 'The courses that an organisation has: its own, and those that it or one above it was given, by title.', ...online },
});
export const giveCourse = endpoint({
  ...{ id: 'giveCourse', method: 'POST', path: '/entities/{slug}/courses', params: of, status: 201, errors: changing, access: ['entity.courses'] },
  ...{ body: z.object({ course_id: Id, ...forWhom }), response: EntityCourse },
  ...{ summary: 'Gives a course to an organisation and those below it: to everybody, or to some job roles and user types.', ...online },
});
const oneCourse = z.object({ slug: Slug, courseId: Id });
export const updateGivenCourse = endpoint({
  ...{
    id: 'updateGivenCourse',
    method: 'PATCH',
    path: '/entities/{slug}/courses/{courseId}',
    params: oneCourse,
    errors: changing,
    access: ['entity.courses'],
  },
  ...{ body: someOf({ ...assignmentFields, category_ids: z.array(Id).check(z.maxLength(100)) }), response: EntityCourse },
  ...{ summary: 'Changes for whom a course is, and under which categories of the organisation it stands.', ...online },
});
export const takeCourse = endpoint({
  ...{ id: 'takeCourse', method: 'DELETE', path: '/entities/{slug}/courses/{courseId}', params: oneCourse, status: 204, access: ['entity.courses'] },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], ...online },
  summary: 'Takes a course away that was given. Who has begun it can finish it; results stay.',
});
export const coursesOfEntities = endpoint({
  ...{ id: 'coursesOfEntities', method: 'GET', path: '/entity-courses', errors: reading, access: ['entity.courses'] },
  query: z.object({ entityIds: z.string().check(z.regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,199}$/, 'Give ids, parted by commas; 200 at most.')) }),
  response: z.array(z.object({ entity_id: Id, courses: z.array(z.object({ id: Id, title: z.string() })) })),
  ...{ summary: 'The courses that each of some organisations has.', ...online },
});

export const listEntityContents = endpoint({
  ...{
    id: 'listEntityContents',
    method: 'GET',
    path: '/entities/{slug}/content',
    params: of,
    query: z.object(pageQuery),
    errors: reading,
    access: ['entity.content'],
  },
  response: z.array(EntityContent),
  ...{ summary: 'The contents that were given to an organisation, or one above it, without the rest of their courses.', ...online },
});
export const giveContent = endpoint({
  ...{ id: 'giveContent', method: 'POST', path: '/entities/{slug}/content', params: of, status: 201, errors: changing, access: ['entity.content'] },
  ...{ body: z.object({ content_id: Id, ...forWhom }), response: EntityContent },
  ...{ summary: 'Gives a content to an organisation and those below it: to everybody, or to some job roles and user types.', ...online },
});
export const updateGivenContents = endpoint({
  ...{
    id: 'updateGivenContents',
    method: 'PATCH',
    path: '/entities/{slug}/content/updateMultiple',
    params: of,
    errors: changing,
    access: ['entity.content'],
  },
  ...{ body: z.object({ content_ids: many, ...forWhom }), response: z.array(EntityContent) },
  ...{ summary: 'Changes for whom several contents are, all of them or none.', ...online },
});
const oneContent = z.object({ slug: Slug, contentId: Id });
export const updateGivenContent = endpoint({
  ...{
    id: 'updateGivenContent',
    method: 'PATCH',
    path: '/entities/{slug}/content/{contentId}',
    params: oneContent,
    errors: changing,
    access: ['entity.content'],
  },
  ...{ body: someOf(assignmentFields), response: EntityContent },
  ...{ summary: 'Changes for whom a content is.', ...online },
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
  summary: 'Takes a content away that was given. Who has begun it can finish it.',
});
export const giveContents = endpoint({
  ...{ id: 'giveContents', method: 'POST', path: '/entity-content', errors: changing, access: ['entity.content'], status: 201 },
  ...{ body: z.object({ entity_ids: many, content_ids: many, ...forWhom }), response: z.object({ given: z.number() }) },
  ...{ summary: 'Gives several contents to several organisations at once, all of them or none.', ...online },
});

export const listCategories = endpoint({
  ...{
    id: 'listCategories',
    method: 'GET',
    path: '/entities/{slug}/course-categories',
    ours: true,
    params: of,
    access: ['entity.courses'],
    errors: reading,
  },
  ...{ response: z.array(CourseCategory), summary: 'The categories of courses that an organisation uses: its own and those above it.', ...online },
});
export const createCategory = endpoint({
  ...{
    id: 'createCategory',
    method: 'POST',
    path: '/entities/{slug}/course-categories',
    ours: true,
    params: of,
    access: ['entity.courses'],
    errors: changing,
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
    errors: changing,
  },
  ...{ body: someOf({ ...categoryFields, course_ids: z.array(Id).check(z.maxLength(2000)) }), response: CourseCategory },
  ...{ summary: 'Renames a category, or says which courses stand under it.', ...online },
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
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], summary: 'Deletes a category. Its courses stay.', ...online },
});

export const listTags = endpoint({
  ...{
    id: 'listTags',
    method: 'GET',
    path: '/entities/{slug}/tags',
    ours: true,
    params: of,
    access: ['tag.view', 'tag.manage', 'tag.link', 'tag.use'],
    errors: reading,
  },
  ...{
    response: z.array(Tag),
    summary: 'The tags that an organisation uses: its own and those above it, with what they mark here and below.',
    ...online,
  },
});
export const createTag = endpoint({
  ...{
    id: 'createTag',
    method: 'POST',
    path: '/entities/{slug}/tags',
    ours: true,
    params: of,
    access: ['tag.manage'],
    errors: changing,
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
    errors: changing,
  },
  ...{ body: someOf(tagFields), response: Tag },
  ...{
    summary:
      'Renames a tag (permission tag.manage), or says which organisations and people it marks (tag.link). What the caller cannot see stays marked.',
    ...online,
  },
});
export const deleteTag = endpoint({
  ...{ id: 'deleteTag', method: 'DELETE', path: '/entities/{slug}/tags/{id}', ours: true, params: oneThing, access: ['tag.manage'], status: 204 },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], summary: 'Deletes a tag. What it marked stays.', ...online },
});

const person = z.object({ id: Id });
export const availableTraining = endpoint({
  ...{ id: 'availableTraining', method: 'GET', path: '/users/{id}/available-training', params: person, access: 'signed-in', errors: reading },
  ...{ response: z.array(AvailableTraining), summary: 'The training in a room that somebody may come to, by title.', ...online },
});
export const availableCourses = endpoint({
  ...{
    id: 'availableCourses',
    method: 'GET',
    path: '/users/{id}/available-courses',
    params: person,
    access: ['content.available_courses'],
    errors: reading,
  },
  ...{ response: z.array(AvailableCourse), summary: 'The courses that somebody may take, by title; what they have to do is said.', ...online },
});
export const personalDevelopmentCourses = endpoint({
  ...{
    id: 'personalDevelopmentCourses',
    method: 'GET',
    path: '/users/{id}/personal-development-courses',
    params: person,
    access: ['content.available_courses'],
    errors: reading,
  },
  ...{ response: z.array(AvailableCourse), summary: 'The courses that somebody may take and does not have to.', ...online },
});

export const assignmentEndpoints = [
  listEntityCourses,
  giveCourse,
  updateGivenCourse,
  takeCourse,
  coursesOfEntities,
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
