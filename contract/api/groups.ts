import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id, Slug, someOf } from '#contract/entities/fields.ts';
import { GroupStat, Role, RoleDetails, roleFields, typeFields, UserType } from '#contract/entities/group.ts';

const of = z.object({ slug: Slug });
const one = z.object({ slug: Slug, id: Id });
const reading = ['not_found', 'forbidden', 'unauthenticated'] as const;
const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const online = { offline: 'online-only' } as const;

export const listRoles = endpoint({
  ...{
    id: 'listRoles',
    method: 'GET',
    path: '/entities/{slug}/roles',
    params: of,
    response: z.array(Role),
    errors: reading,
    access: ['role.view', 'role.view_read_only', 'user.role'],
  },
  ...{ summary: 'The job roles that an organisation uses: its own and those of the organisations above it, by name.', ...online },
});
export const createRole = endpoint({
  ...{
    id: 'createRole',
    method: 'POST',
    path: '/entities/{slug}/roles',
    params: of,
    response: Role,
    status: 201,
    errors: changing,
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
    params: of,
    response: z.array(GroupStat),
    errors: reading,
    access: ['role.view', 'role.view_read_only'],
  },
  ...{ summary: 'How many people of an organisation and those below it have each job role.', ...online },
});
export const getRole = endpoint({
  ...{
    id: 'getRole',
    method: 'GET',
    path: '/entities/{slug}/roles/{id}',
    params: one,
    response: Role,
    errors: reading,
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
    errors: changing,
    access: ['role.update'],
  },
  ...{ summary: 'Changes a job role, for everybody who has it.', ...online },
  body: someOf(roleFields),
});
export const deleteRole = endpoint({
  ...{ id: 'deleteRole', method: 'DELETE', path: '/entities/{slug}/roles/{id}', params: one, status: 204, access: ['role.delete'] },
  ...{ errors: ['in_use', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  ...{ summary: 'Deletes a job role that nobody has, with what it has to do.', ...online },
});
export const roleDetails = endpoint({
  ...{
    id: 'roleDetails',
    method: 'GET',
    path: '/entities/{slug}/roles/{id}/details',
    params: one,
    response: RoleDetails,
    errors: reading,
    access: ['role.view', 'role.view_read_only'],
  },
  ...{ summary: 'A job role with the courses that must be done in it.', ...online },
});

export const listTypes = endpoint({
  ...{
    id: 'listTypes',
    method: 'GET',
    path: '/entities/{slug}/types',
    params: of,
    response: z.array(UserType),
    errors: reading,
    access: ['type.view', 'permission.update', 'permission.view', 'user.type'],
  },
  ...{ summary: 'The user types that an organisation uses: its own and those of the organisations above it, by name.', ...online },
});
export const createType = endpoint({
  ...{
    id: 'createType',
    method: 'POST',
    path: '/entities/{slug}/types',
    params: of,
    response: UserType,
    status: 201,
    errors: changing,
    access: ['type.create'],
  },
  ...{ summary: 'Adds a user type to an organisation. It gives no permissions yet.', ...online },
  body: z.object(typeFields),
});
export const typeStats = endpoint({
  ...{
    id: 'typeStats',
    method: 'GET',
    path: '/entities/{slug}/types/stats',
    params: of,
    response: z.array(GroupStat),
    errors: reading,
    access: ['type.view'],
  },
  ...{ summary: 'How many people of an organisation and those below it have each user type.', ...online },
});
export const getType = endpoint({
  ...{ id: 'getType', method: 'GET', path: '/entities/{slug}/types/{id}', params: one, response: UserType, errors: reading, access: ['type.view'] },
  ...{ summary: 'A user type.', ...online },
});
export const updateType = endpoint({
  ...{
    id: 'updateType',
    method: 'PATCH',
    path: '/entities/{slug}/types/{id}',
    params: one,
    response: UserType,
    errors: changing,
    access: ['type.update'],
  },
  ...{ summary: 'Changes a user type, for everybody who has it.', ...online },
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
    errors: reading,
    access: ['type.view'],
  },
  ...{ summary: 'A user type with the permissions that it gives.', ...online },
});

export const roleEndpoints = [listRoles, createRole, roleStats, getRole, updateRole, deleteRole, roleDetails] as const;
export const typeEndpoints = [listTypes, createType, typeStats, getType, updateType, deleteType, typeDetails] as const;
