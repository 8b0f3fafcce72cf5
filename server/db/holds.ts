import { permissionIdOf, type PermissionSlug } from '#contract/permissions.ts';
import { type Statement, sql } from '#server/db/sql.ts';

/** True for rows of `users` (by their alias in the statement) that hold a permission: by user type, organisation or person. */
export const holds = (user: Statement, permission: PermissionSlug): Statement => {
  const id = permissionIdOf(permission);
  return sql`(exists (select 1 from type_permissions p where p.type_id = ${user}.type_id and p.permission_id = ${id})
    or exists (select 1 from entity_permissions p where p.entity_id = ${user}.primary_entity_id and p.permission_id = ${id})
    or exists (select 1 from user_permissions p where p.user_id = ${user}.id and p.permission_id = ${id}))`;
};
