import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import {
  Compliance,
  complianceFields,
  CourseRules,
  CourseStanding,
  courseLinkFields,
  courseRenewalFields,
  fixedDayIsSaid,
  partsDiffer,
  PersonCompliance,
  PersonEvent,
  RuleEffect,
  RoleCourse,
  TeamMember,
  teamLimit,
  untilIsAfterFrom,
} from '#contract/entities/compliance.ts';
import { Id, Slug, someOf } from '#contract/entities/fields.ts';

const readErrors = ['not_found', 'forbidden', 'unauthenticated'] as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const online = { offline: 'online-only' } as const;
const one = z.object({ id: Id });
const { type, ...periods } = complianceFields;
const { required_from, required_until } = complianceFields;

export const roleCourses = endpoint({
  ...{
    id: 'roleCourses',
    method: 'GET',
    path: '/compliance/{entity}/role/{roleId}',
    response: z.array(RoleCourse),
    errors: readErrors,
    access: ['role.view', 'role.view_read_only'],
  },
  params: z.object({ entity: Slug, roleId: Id }),
  ...{ summary: 'Lists every course of an organisation, by title, with a job role’s requirement for it.', ...online },
});
export const roleCourse = endpoint({
  ...{
    id: 'roleCourse',
    method: 'GET',
    path: '/compliance/role/{roleId}/course/{courseId}',
    response: RoleCourse,
    errors: readErrors,
    access: ['role.view', 'role.view_read_only'],
  },
  params: z.object({ roleId: Id, courseId: Id }),
  ...{ summary: 'Returns a course with a job role’s requirement for it.', ...online },
});
export const createCompliance = endpoint({
  ...{ id: 'createCompliance', method: 'POST', path: '/compliance', response: Compliance, status: 201, errors: writeErrors, access: ['role.update'] },
  body: z.object({ role_id: Id, course_id: Id, type, ...z.partial(z.object(periods)).shape }).check(fixedDayIsSaid, untilIsAfterFrom),
  ...{ summary: 'Makes a course a requirement of a job role.', ...online },
});
export const getCompliance = endpoint({
  ...{
    id: 'getCompliance',
    method: 'GET',
    path: '/compliance/{id}',
    params: one,
    response: Compliance,
    errors: readErrors,
    access: ['role.view', 'role.view_read_only'],
  },
  ...{ summary: 'Returns a job role’s requirement for a course.', ...online },
});
export const updateCompliance = endpoint({
  ...{
    id: 'updateCompliance',
    method: 'PATCH',
    path: '/compliance/{id}',
    params: one,
    response: Compliance,
    errors: writeErrors,
    access: ['role.update'],
  },
  body: someOf({ ...complianceFields, update_previous_results: z.boolean() }).check(fixedDayIsSaid, untilIsAfterFrom),
  summary:
    'Changes a job role’s requirement for a course. If the renewal period changes and there are results, the response’s `meta.existingResult` gives their number. Send the request again with `update_previous_results`: true to re-date them, false to leave them unchanged. `meta.datingAnew`, our addition, gives the number of results that are re-dated in the background.',
  ...online,
});
export const previewCompliance = endpoint({
  ...{ id: 'previewCompliance', method: 'POST', path: '/compliance/preview', ours: true, response: RuleEffect, errors: writeErrors },
  ...{ access: ['role.update'], ...online },
  body: z.object({
    role_id: Id,
    course_id: Id,
    /** The proposed requirement; null: it is removed. */
    rule: z.nullable(
      z
        .object({ ...complianceFields, ...z.partial(z.object({ required_from, required_until })).shape, update_previous_results: z.boolean() })
        .check(fixedDayIsSaid, untilIsAfterFrom),
    ),
  }),
  summary: 'Returns how many people a changed requirement would turn green, amber or red. Changes nothing.',
});
export const deleteCompliance = endpoint({
  ...{ id: 'deleteCompliance', method: 'DELETE', path: '/compliance/{id}', params: one, status: 204, access: ['role.update'] },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], ...online },
  summary: 'Removes a course from a job role’s requirements. Results are kept.',
});
export const compliantCourses = endpoint({
  ...{
    id: 'compliantCourses',
    method: 'GET',
    path: '/users/{id}/compliant-courses',
    params: one,
    response: z.array(PersonCompliance),
    errors: readErrors,
  },
  ...{
    access: 'signed-in',
    summary: 'Lists the courses a person is required to take, most urgent first, with compliance status and reason.',
    ...online,
  },
});

export const personEvents = endpoint({
  ...{ id: 'personEvents', method: 'GET', path: '/users/{id}/events', ours: true, params: one, response: z.array(PersonEvent) },
  ...{ errors: readErrors, access: 'signed-in', ...online },
  summary: 'Lists the courses on a person’s home page, most urgent first: what the numbers in the list of people count, with the reason of each.',
});
export const courseStanding = endpoint({
  ...{ id: 'courseStanding', method: 'GET', path: '/users/{id}/courses/{courseId}/standing', ours: true },
  ...{ params: z.object({ id: Id, courseId: Id }), response: CourseStanding, errors: readErrors, access: 'signed-in', ...online },
  summary: 'Explains a person’s compliance status in a course: the rule, the counting result, the dates, and what would fix it.',
});
const oneCourse = z.object({ slug: Slug, courseId: Id });
const courseRules = { ...courseRenewalFields, ...courseLinkFields };
export const getCourseRules = endpoint({
  ...{ id: 'getCourseRules', method: 'GET', path: '/entities/{slug}/courses/{courseId}/rules', ours: true, params: oneCourse },
  ...{ response: CourseRules, errors: readErrors, access: ['entity.courses'], ...online },
  summary: 'Returns how long a course is valid, which other courses count as well in an organisation, and which two parts it is made of there.',
});
export const updateCourseRules = endpoint({
  ...{ id: 'updateCourseRules', method: 'PATCH', path: '/entities/{slug}/courses/{courseId}/rules', ours: true, params: oneCourse },
  ...{ response: CourseRules, errors: writeErrors, access: ['entity.courses'], ...online },
  body: someOf({ ...courseRules, update_previous_results: z.boolean() }).check(fixedDayIsSaid, partsDiffer),
  summary:
    'Changes them, for the organisation and those below it. Only its owner, with the permission to edit courses, can change how long it is valid. If that changes and there are results, `meta.existingResult` gives their number: send the request again with `update_previous_results`. `meta.datingAnew` gives the number of results whose expiry dates are recalculated in the background.',
});
export const previewCourseRules = endpoint({
  ...{ id: 'previewCourseRules', method: 'POST', path: '/entities/{slug}/courses/{courseId}/rules/preview', ours: true, params: oneCourse },
  ...{ response: RuleEffect, errors: writeErrors, access: ['entity.courses'], ...online },
  body: z.object({ ...courseRules, update_previous_results: z.boolean() }).check(fixedDayIsSaid, partsDiffer),
  summary: 'Returns how many people of the organisation and those below it such a change would turn green, amber or red. Changes nothing.',
});

export const team = endpoint({
  ...{ id: 'team', method: 'GET', path: '/team', ours: true, response: z.array(TeamMember), errors: ['forbidden', 'unauthenticated'] },
  ...{ access: ['user.search'], offline: 'cached' },
  summary: `Lists the people the caller can see who have not left, by name, with their required courses and compliance status, for offline use on a device. At most ${teamLimit}; \`meta\` has the \`total\`.`,
});

export const complianceEndpoints = [
  roleCourses,
  roleCourse,
  createCompliance,
  getCompliance,
  updateCompliance,
  previewCompliance,
  deleteCompliance,
  compliantCourses,
  personEvents,
  courseStanding,
  getCourseRules,
  updateCourseRules,
  previewCourseRules,
  team,
] as const;
