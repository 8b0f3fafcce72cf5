import type { permissionEndpoints } from '#contract/api/permissions.ts';
import { permissionOf, permissions as all } from '#contract/permissions.ts';
import { existing } from '#server/db/rows.ts';
import { permissionRow, permissionsOf } from '#server/features/permissions/permissions.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const permissionHandlers = (services: Services): HandlersOf<typeof permissionEndpoints> => {
  const permissions = permissionsOf(services);
  const answer = async <T>(result: Promise<T>) => ({ data: await result });
  return {
    listPermissions: async () => ({ data: all.map((p) => ({ ...p })) }),
    getPermission: async ({ params }) => ({ data: existing(permissionRow(permissionOf(params.id)?.id ?? 0)[0]) }),
    entityPermissions: ({ params, actor }) => answer(permissions.of(actor, 'entity', params.slug)),
    grantEntityPermissions: ({ body, ...by }) => answer(permissions.change(by, 'entity', body.slug, body.permission_ids, true)),
    revokeEntityPermissions: ({ params, body, ...by }) => answer(permissions.change(by, 'entity', params.slug, body.permission_ids, false)),
    typePermissions: ({ params, actor }) => answer(permissions.of(actor, 'type', params.typeId)),
    grantTypePermissions: ({ params, body, ...by }) => answer(permissions.change(by, 'type', params.typeId, body.permission_ids, true)),
    revokeTypePermissions: ({ params, body, ...by }) => answer(permissions.change(by, 'type', params.typeId, body.permission_ids, false)),
    userPermissions: ({ params, actor }) => answer(permissions.ofPerson(actor, params.id)),
    grantUserPermissions: ({ params, body, ...by }) => answer(permissions.changeOfPerson(by, params.id, body.permission_ids, true)),
    revokeUserPermissions: ({ params, body, ...by }) => answer(permissions.changeOfPerson(by, params.id, body.permission_ids, false)),
  };
};
