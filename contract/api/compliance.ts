import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Compliance, complianceFields, PersonCompliance, RoleCourse, TeamMember, teamLimit } from '#contract/entities/compliance.ts';
import { Id, Slug, someOf } from '#contract/entities/fields.ts';

const reading = ['not_found', 'forbidden', 'unauthenticated'] as const;
const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const online = { offline: 'online-only' } as const;
const one = z.object({ id: Id });
const { type, ...periods } = complianceFields;

export const roleCourses = endpoint({
  ...{
    id: 'roleCourses',
    method: 'GET',
    path: '/compliance/{entity}/role/{roleId}',
    response: z.array(RoleCourse),
    errors: reading,
    access: ['role.view', 'role.view_read_only'],
  },
  params: z.object({ entity: Slug, roleId: Id }),
  ...{ summary: 'Every course of an organisation, by title, with what a job role asks of it.', ...online },
});
export const roleCourse = endpoint({
  ...{
    id: 'roleCourse',
    method: 'GET',
    path: '/compliance/role/{roleId}/course/{courseId}',
    response: RoleCourse,
    errors: reading,
    access: ['role.view', 'role.view_read_only'],
  },
  params: z.object({ roleId: Id, courseId: Id }),
  ...{ summary: 'A course with what a job role asks of it.', ...online },
});
export const createCompliance = endpoint({
  ...{ id: 'createCompliance', method: 'POST', path: '/compliance', response: Compliance, status: 201, errors: changing, access: ['role.update'] },
  body: z.object({ role_id: Id, course_id: Id, type, ...z.partial(z.object(periods)).shape }),
  ...{ summary: 'Makes a course something that a job role has to do.', ...online },
});
export const getCompliance = endpoint({
  ...{
    id: 'getCompliance',
    method: 'GET',
    path: '/compliance/{id}',
    params: one,
    response: Compliance,
    errors: reading,
    access: ['role.view', 'role.view_read_only'],
  },
  ...{ summary: 'What a job role asks of a course.', ...online },
});
export const updateCompliance = endpoint({
  ...{
    id: 'updateCompliance',
    method: 'PATCH',
    path: '/compliance/{id}',
    params: one,
    response: Compliance,
    errors: changing,
    access: ['role.update'],
  },
  body: someOf({ ...complianceFields, update_previous_results: z.boolean() }),
  summary:
    'Changes what a job role asks of a course. Where it changes how long a result lasts and there are results, the answer’s `meta.existingResult` says how many: sent again with `update_previous_results` true they last as long as new ones; with false they stay as they are.',
  ...online,
});
export const deleteCompliance = endpoint({
  ...{ id: 'deleteCompliance', method: 'DELETE', path: '/compliance/{id}', params: one, status: 204, access: ['role.update'] },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'], ...online },
  summary: 'A job role no longer has to do a course. Results stay.',
});
export const compliantCourses = endpoint({
  ...{
    id: 'compliantCourses',
    method: 'GET',
    path: '/users/{id}/compliant-courses',
    params: one,
    response: z.array(PersonCompliance),
    errors: reading,
  },
  ...{ access: 'signed-in', summary: 'The courses that a person has to do, the most urgent first: how each stands, and why.', ...online },
});

export const team = endpoint({
  ...{ id: 'team', method: 'GET', path: '/team', ours: true, response: z.array(TeamMember), errors: ['forbidden', 'unauthenticated'] },
  ...{ access: ['user.search'], offline: 'cached' },
  summary: `The people one sees who have not left, by name, with what each has to do and how it stands: what a tablet keeps. At most ${teamLimit}; \`meta\` has the \`total\`.`,
});

export const complianceEndpoints = [
  roleCourses,
  roleCourse,
  createCompliance,
  getCompliance,
  updateCompliance,
  deleteCompliance,
  compliantCourses,
  team,
] as const;
