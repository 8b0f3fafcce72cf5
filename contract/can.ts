import type { PermissionId, PermissionSlug } from '#contract/permissions.ts';

/**
 * Who may do what. Apart from the table of permissions, so that a screen that only asks does not load their names.
 */

/** Whoever asks: a signed-in person as the server and the screens know them. */
export type Holder = { super_admin: boolean; permissions: readonly { id: number; slug: string }[] };

/** What is needed: any one of a list, or one permission. Specification section 6. */
export type Need = PermissionId | PermissionSlug | readonly (PermissionId | PermissionSlug)[];

/** True when the holder has what is needed. A super administrator passes every check. */
export const can = (holder: Holder | null | undefined, need: Need, mode: 'all' | 'any' = 'any'): boolean => {
  if (!holder) return false;
  if (holder.super_admin) return true;
  const wanted = (Array.isArray(need) ? need : [need]) as readonly (number | string)[];
  const holds = (p: number | string) => holder.permissions.some(({ id, slug }) => slug === p || String(id) === String(p));
  return mode === 'all' ? wanted.every(holds) : wanted.some(holds);
};
