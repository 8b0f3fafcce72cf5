import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { HeldPermission, PermissionRow } from '#contract/entities/permission.ts';
import { Id, Slug } from '#contract/entities/fields.ts';

const readErrors = ['not_found', 'forbidden', 'unauthenticated'] as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
/** Of taking permissions away. */
const takeErrors = [...writeErrors, 'last_administrator'] as const;
const list = z.array(PermissionRow);
const online = { offline: 'online-only' } as const;
/** By id or by slug. */
const some = { permission_ids: z.array(z.union([z.number(), z.string()])).check(z.minLength(1, 'Choose at least one.'), z.maxLength(200)) };
const byType = z.object({ typeId: Id });
const byUser = z.object({ id: Id });

export const listPermissions = endpoint({
  ...{
    id: 'listPermissions',
    method: 'GET',
    path: '/permissions',
    response: list,
    errors: ['forbidden', 'unauthenticated'],
    access: ['permission.update', 'permission.view', 'user_permission.view', 'user_permission.update'],
  },
  ...{ summary: 'Lists all permissions with their descriptions.', ...online },
});
export const getPermission = endpoint({
  ...{
    id: 'getPermission',
    method: 'GET',
    path: '/permissions/{id}',
    response: PermissionRow,
    errors: readErrors,
    access: ['permission.update', 'permission.view', 'user_permission.view', 'user_permission.update'],
  },
  params: z.object({ id: z.string().check(z.maxLength(60)) }),
  ...{ summary: 'Returns a permission by its id or slug.', ...online },
});
export const entityPermissions = endpoint({
  ...{
    id: 'entityPermissions',
    method: 'GET',
    path: '/entity-permissions/{slug}/permissions',
    response: list,
    errors: readErrors,
    access: ['permission.update', 'permission.view'],
  },
  params: z.object({ slug: Slug }),
  ...{ summary: 'Lists the permissions granted to everyone who belongs to an organisation.', ...online },
});
export const grantEntityPermissions = endpoint({
  ...{
    id: 'grantEntityPermissions',
    method: 'POST',
    path: '/entity-permissions',
    response: list,
    errors: writeErrors,
    access: ['permission.update'],
  },
  body: z.object({ slug: Slug, ...some }),
  ...{ summary: 'Grants permissions that the caller has to everyone who belongs to an organisation.', ...online },
});
export const revokeEntityPermissions = endpoint({
  ...{
    id: 'revokeEntityPermissions',
    method: 'POST',
    path: '/entity-permissions/{slug}/delete',
    response: list,
    errors: takeErrors,
    access: ['permission.update'],
  },
  params: z.object({ slug: Slug }),
  body: z.object(some),
  ...{ summary: 'Revokes permissions granted to everyone who belongs to an organisation. Permissions from other sources remain.', ...online },
});
export const typePermissions = endpoint({
  ...{
    id: 'typePermissions',
    method: 'GET',
    path: '/type-permissions/type/{typeId}',
    params: byType,
    response: list,
    errors: readErrors,
    access: ['permission.update', 'permission.view'],
  },
  ...{ summary: 'Lists the permissions of a user type.', ...online },
});
export const grantTypePermissions = endpoint({
  ...{
    id: 'grantTypePermissions',
    method: 'POST',
    path: '/type-permissions/{typeId}',
    params: byType,
    response: list,
    errors: writeErrors,
    access: ['permission.update'],
  },
  body: z.object(some),
  ...{ summary: 'Adds permissions that the caller has to a user type.', ...online },
});
export const revokeTypePermissions = endpoint({
  ...{ id: 'revokeTypePermissions', method: 'POST', path: '/type-permissions/{typeId}/delete', params: byType, response: list, errors: takeErrors },
  ...{ access: ['permission.update'], body: z.object(some), summary: 'Removes permissions from a user type.', ...online },
});
export const userPermissions = endpoint({
  ...{
    id: 'userPermissions',
    method: 'GET',
    path: '/users/{id}/permissions',
    params: byUser,
    errors: readErrors,
    access: ['user_permission.view', 'user_permission.update'],
  },
  ...{ response: z.array(HeldPermission), summary: 'Lists a person’s permissions and their sources.', ...online },
});
export const grantUserPermissions = endpoint({
  ...{
    id: 'grantUserPermissions',
    method: 'POST',
    path: '/users/{id}/permissions',
    ours: true,
    params: byUser,
    errors: writeErrors,
    access: ['user_permission.update'],
  },
  ...{ body: z.object(some), response: z.array(HeldPermission), summary: 'Grants a person permissions that the caller has.', ...online },
});
export const revokeUserPermissions = endpoint({
  ...{
    id: 'revokeUserPermissions',
    method: 'POST',
    path: '/users/{id}/permissions/delete',
    ours: true,
    params: byUser,
    errors: takeErrors,
    access: ['user_permission.update'],
  },
  ...{ body: z.object(some), response: z.array(HeldPermission) },
  ...{ summary: 'Revokes permissions granted to a person individually.', ...online },
});

export const permissionEndpoints = [
  listPermissions,
  getPermission,
  entityPermissions,
  grantEntityPermissions,
  revokeEntityPermissions,
  typePermissions,
  grantTypePermissions,
  revokeTypePermissions,
  userPermissions,
  grantUserPermissions,
  revokeUserPermissions,
] as const;
