import { permissionEndpoints } from '#contract/api/permissions.ts';
import { feature } from '#server/feature.ts';
import { permissionHandlers } from '#server/features/permissions/permissions.rest.ts';

export const permissions = feature(permissionEndpoints, permissionHandlers);
