import * as z from 'zod/mini';

export const PermissionRow = z.object({ id: z.number(), slug: z.string(), name: z.string(), description: z.string(), category: z.string() });
export type PermissionRow = z.infer<typeof PermissionRow>;

/** The source of a permission: the user type, the organisation, the person's own grants, or being a super administrator. */
export const permissionSources = ['type', 'entity', 'user', 'super_administrator'] as const;
export const HeldPermission = z.object({ ...PermissionRow.shape, from: z.array(z.enum(permissionSources)) });
export type HeldPermission = z.infer<typeof HeldPermission>;
