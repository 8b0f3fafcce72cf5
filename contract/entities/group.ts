import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Id, Name } from '#contract/entities/fields.ts';

/** What job roles and user types have in common. An organisation uses its own and those of the organisations above it. */
const shared = {
  id: Id,
  name: z.string(),
  /** Ours: the organisation that it belongs to, and whether the caller may change it there. */
  entity: EntityRef,
  editable: z.boolean(),
  /** Ours: people of the organisation that was asked about, and of those below it. */
  people: Count,
};

/** A job role: what must be done hangs on it. `inspectable`: shown to inspectors in reports. */
export const roleFields = { name: Name, inspectable: z.boolean() };
/** `courses` (ours) must be done in it. */
export const Role = z.object({ ...shared, inspectable: z.boolean(), courses: Count });
export type Role = z.infer<typeof Role>;
export const RoleDetails = z.object({
  ...Role.shape,
  required: z.array(z.object({ id: Id, title: z.string(), type: z.enum(['primary', 'secondary']) })),
});
export type RoleDetails = z.infer<typeof RoleDetails>;

/** A user type: permissions hang on it. */
export const typeFields = { name: Name };
/** `permissions` (ours) by id. */
export const UserType = z.object({ ...shared, permissions: z.array(z.number()) });
export type UserType = z.infer<typeof UserType>;

/** How many people are in each. */
export const GroupStat = z.object({ id: Id, name: z.string(), people: Count });
