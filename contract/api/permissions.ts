import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { HeldPermission, PermissionRow } from '#contract/entities/permission.ts';
import { Id, Slug } from '#contract/entities/fields.ts';

const reading = ['not_found', 'forbidden', 'unauthenticated'] as const;
const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const list = z.array(PermissionRow);
const online = { offline: 'online-only' } as const;
/** By id or by slug. */
const some = { permission_ids: z.array(z.union([z.number(), z.string()])).check(z.minLength(1, 'Choose one at least.'), z.maxLength(200)) };
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
  ...{ summary: 'Every permission that there is, with what it allows in words.', ...online },
});
export const getPermission = endpoint({
  ...{
    id: 'getPermission',
    method: 'GET',
    path: '/permissions/{id}',
    response: PermissionRow,
    errors: reading,
    access: ['permission.update', 'permission.view', 'user_permission.view', 'user_permission.update'],
  },
  params: z.object({ id: z.string().check(z.maxLength(60)) }),
  ...{ summary: 'A permission by its id or its slug.', ...online },
});
export const entityPermissions = endpoint({
  ...{
    id: 'entityPermissions',
    method: 'GET',
    path: '/entity-permissions/{slug}/permissions',
    response: list,
    errors: reading,
    access: ['permission.update', 'permission.view'],
  },
  params: z.object({ slug: Slug }),
  ...{ summary: 'The permissions that everybody who belongs to an organisation has.', ...online },
});
export const grantEntityPermissions = endpoint({
  ...{ id: 'grantEntityPermissions', method: 'POST', path: '/entity-permissions', response: list, errors: changing, access: ['permission.update'] },
  body: z.object({ slug: Slug, ...some }),
  ...{ summary: 'Gives everybody who belongs to an organisation permissions that the caller holds.', ...online },
});
export const revokeEntityPermissions = endpoint({
  ...{
    id: 'revokeEntityPermissions',
    method: 'POST',
    path: '/entity-permissions/{slug}/delete',
    response: list,
    errors: changing,
    access: ['permission.update'],
  },
  params: z.object({ slug: Slug }),
  body: z.object(some),
  ...{ summary: 'Takes permissions from everybody who belongs to an organisation, where they have them by that alone.', ...online },
});
export const typePermissions = endpoint({
  ...{
    id: 'typePermissions',
    method: 'GET',
    path: '/type-permissions/type/{typeId}',
    params: byType,
    response: list,
    errors: reading,
    access: ['permission.update', 'permission.view'],
  },
  ...{ summary: 'The permissions that a user type gives.', ...online },
});
export const grantTypePermissions = endpoint({
  ...{
    id: 'grantTypePermissions',
    method: 'POST',
    path: '/type-permissions/{typeId}',
    params: byType,
    response: list,
    errors: changing,
    access: ['permission.update'],
  },
  body: z.object(some),
  ...{ summary: 'Gives a user type permissions that the caller holds.', ...online },
});
export const revokeTypePermissions = endpoint({
  ...{ id: 'revokeTypePermissions', method: 'POST', path: '/type-permissions/{typeId}/delete', params: byType, response: list, errors: changing },
  ...{ access: ['permission.update'], body: z.object(some), summary: 'Takes permissions from a user type.', ...online },
});
export const userPermissions = endpoint({
  ...{
    id: 'userPermissions',
    method: 'GET',
    path: '/users/{id}/permissions',
    params: byUser,
    errors: reading,
    access: ['user_permission.view', 'user_permission.update'],
  },
  ...{ response: z.array(HeldPermission), summary: 'The permissions that a person has, and where each comes from.', ...online },
});
export const grantUserPermissions = endpoint({
  ...{
    id: 'grantUserPermissions',
    method: 'POST',
    path: '/users/{id}/permissions',
    ours: true,
    params: byUser,
    errors: changing,
    access: ['user_permission.update'],
  },
  ...{ body: z.object(some), response: z.array(HeldPermission), summary: 'Gives a person permissions that the caller holds.', ...online },
});
export const revokeUserPermissions = endpoint({
  ...{
    id: 'revokeUserPermissions',
    method: 'POST',
    path: '/users/{id}/permissions/delete',
    ours: true,
    params: byUser,
    errors: changing,
    access: ['user_permission.update'],
  },
  ...{ body: z.object(some), response: z.array(HeldPermission) },
  ...{ summary: 'Takes permissions from a person, where they have them for themselves.', ...online },
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
