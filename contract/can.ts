import type { PermissionSlug } from '#contract/permissions.ts';

/**
 * Permission checks. Separate from the table of permissions, so that a screen that only checks does not load their names.
 */

/** The signed-in person whose permissions are checked, as the server and the screens know them. */
export type Holder = { super_admin: boolean; permissions: readonly { slug: string }[] };

/** What is needed: one permission, or any one of a list, by slug; ids are used only on the wire. Specification section 6. */
export type Need = PermissionSlug | readonly PermissionSlug[];

/** True when the holder has what is needed. A super administrator passes every check. */
export const can = (holder: Holder | null | undefined, need: Need, mode: 'all' | 'any' = 'any'): boolean => {
  if (!holder) return false;
  if (holder.super_admin) return true;
  const wanted = typeof need === 'string' ? [need] : need;
  const holds = (wantedSlug: PermissionSlug) => holder.permissions.some(({ slug }) => slug === wantedSlug);
  return mode === 'all' ? wanted.every(holds) : wanted.some(holds);
};
