import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id, Slug, someOf } from '#contract/entities/fields.ts';
import { GroupStat, Role, RoleDetails, roleFields, typeFields, UserType } from '#contract/entities/group.ts';

const bySlug = z.object({ slug: Slug });
const one = z.object({ slug: Slug, id: Id });
const readErrors = ['not_found', 'forbidden', 'unauthenticated'] as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const online = { offline: 'online-only' } as const;

export const listRoles = endpoint({
  ...{
    id: 'listRoles',
    method: 'GET',
    path: '/entities/{slug}/roles',
    params: bySlug,
    response: z.array(Role),
    errors: readErrors,
    access: ['role.view', 'role.view_read_only', 'user.role'],
  },
  ...{ summary: 'Lists the job roles available to an organisation: its own and those of the organisations above it, by name.', ...online },
});
export const createRole = endpoint({
  ...{
    id: 'createRole',
    method: 'POST',
    path: '/entities/{slug}/roles',
    params: bySlug,
    response: Role,
    status: 201,
    errors: writeErrors,
    access: ['role.create'],
  },
  ...{ summary: 'Adds a job role to an organisation.', ...online },
  body: z.object({ name: roleFields.name, inspectable: z._default(roleFields.inspectable, true) }),
});
export const roleStats = endpoint({
  ...{
    id: 'roleStats',
    method: 'GET',
    path: '/entities/{slug}/roles/stats',
    params: bySlug,
    response: z.array(GroupStat),
    errors: readErrors,
    access: ['role.view', 'role.view_read_only'],
  },
  ...{ summary: 'Counts the people with each job role in an organisation and those below it.', ...online },
});
export const getRole = endpoint({
  ...{
    id: 'getRole',
    method: 'GET',
    path: '/entities/{slug}/roles/{id}',
    params: one,
    response: Role,
    errors: readErrors,
    access: ['role.view', 'role.view_read_only'],
  },
  ...{ summary: 'A job role.', ...online },
});
export const updateRole = endpoint({
  ...{
    id: 'updateRole',
    method: 'PATCH',
    path: '/entities/{slug}/roles/{id}',
    params: one,
    response: Role,
    errors: writeErrors,
    access: ['role.update'],
  },
  ...{ summary: 'Changes a job role for everyone who has it.', ...online },
  body: someOf(roleFields),
});
export const deleteRole = endpoint({
  ...{ id: 'deleteRole', method: 'DELETE', path: '/entities/{slug}/roles/{id}', params: one, status: 204, access: ['role.delete'] },
  ...{ errors: ['in_use', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  ...{ summary: 'Deletes a job role that nobody has, and its required courses.', ...online },
});
export const roleDetails = endpoint({
  ...{
    id: 'roleDetails',
    method: 'GET',
    path: '/entities/{slug}/roles/{id}/details',
    params: one,
    response: RoleDetails,
    errors: readErrors,
    access: ['role.view', 'role.view_read_only'],
  },
  ...{ summary: 'Returns a job role with its required courses.', ...online },
});

export const listTypes = endpoint({
  ...{
    id: 'listTypes',
    method: 'GET',
    path: '/entities/{slug}/types',
    params: bySlug,
    response: z.array(UserType),
    errors: readErrors,
    access: ['type.view', 'permission.update', 'permission.view', 'user.type'],
  },
  ...{ summary: 'Lists the user types available to an organisation: its own and those of the organisations above it, by name.', ...online },
});
export const createType = endpoint({
  ...{
    id: 'createType',
    method: 'POST',
    path: '/entities/{slug}/types',
    params: bySlug,
    response: UserType,
    status: 201,
    errors: writeErrors,
    access: ['type.create'],
  },
  ...{ summary: 'Adds a user type to an organisation, without permissions.', ...online },
  body: z.object(typeFields),
});
export const typeStats = endpoint({
  ...{
    id: 'typeStats',
    method: 'GET',
    path: '/entities/{slug}/types/stats',
    params: bySlug,
    response: z.array(GroupStat),
    errors: readErrors,
    access: ['type.view'],
  },
  ...{ summary: 'Counts the people with each user type in an organisation and those below it.', ...online },
});
export const getType = endpoint({
  ...{
    id: 'getType',
    method: 'GET',
    path: '/entities/{slug}/types/{id}',
    params: one,
    response: UserType,
    errors: readErrors,
    access: ['type.view'],
  },
  ...{ summary: 'A user type.', ...online },
});
export const updateType = endpoint({
  ...{
    id: 'updateType',
    method: 'PATCH',
    path: '/entities/{slug}/types/{id}',
    params: one,
    response: UserType,
    errors: writeErrors,
    access: ['type.update'],
  },
  ...{ summary: 'Changes a user type for everyone who has it.', ...online },
  body: someOf(typeFields),
});
export const deleteType = endpoint({
  ...{ id: 'deleteType', method: 'DELETE', path: '/entities/{slug}/types/{id}', params: one, status: 204, access: ['type.delete'] },
  ...{ errors: ['in_use', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  ...{ summary: 'Deletes a user type that nobody has.', ...online },
});
export const typeDetails = endpoint({
  ...{
    id: 'typeDetails',
    method: 'GET',
    path: '/entities/{slug}/types/{id}/details',
    params: one,
    response: UserType,
    errors: readErrors,
    access: ['type.view'],
  },
  ...{ summary: 'Returns a user type with its permissions.', ...online },
});

export const roleEndpoints = [listRoles, createRole, roleStats, getRole, updateRole, deleteRole, roleDetails] as const;
export const typeEndpoints = [listTypes, createType, typeStats, getType, updateType, deleteType, typeDetails] as const;
