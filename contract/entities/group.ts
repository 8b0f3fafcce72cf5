import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Id, NeededLine } from '#contract/entities/fields.ts';

/** Fields shared by job roles and user types. An organisation uses its own and those of the organisations above it. */
const shared = {
  id: Id,
  name: z.string(),
  /** Ours: the owning organisation, and whether the caller may change it there. */
  entity: EntityRef,
  editable: z.boolean(),
  /** Ours: people in the requested organisation and below. */
  people: Count,
};

/** A job role; it determines the required training. `inspectable`: shown to inspectors in reports. */
export const roleFields = { name: NeededLine(200, 'Give the job role a name.'), inspectable: z.boolean() };
/** `courses` (ours): number of required courses. */
export const Role = z.object({ ...shared, inspectable: z.boolean(), courses: Count });
export type Role = z.infer<typeof Role>;
export const RoleDetails = z.object({
  ...Role.shape,
  required: z.array(z.object({ id: Id, title: z.string(), type: z.enum(['primary', 'secondary']) })),
});
export type RoleDetails = z.infer<typeof RoleDetails>;

/** A user type; it determines permissions. */
export const typeFields = { name: NeededLine(200, 'Give the user type a name.') };
/** `permissions` (ours) by id. */
export const UserType = z.object({ ...shared, permissions: z.array(Count) });
export type UserType = z.infer<typeof UserType>;

/** Number of people in each. */
export const GroupStat = z.object({ id: Id, name: z.string(), people: Count });
