import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Id, Name, Ref } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { stepStates } from '#contract/rules/pathway-steps.ts';

export const pathwayLimits = { steps: 50, withinDays: 1000, atOnce: 500 };

export const PathwayStep = z.object({ course_id: Id, course_title: z.string(), within_days: z.nullable(z.int()) });
export type PathwayStep = z.infer<typeof PathwayStep>;
export const PathwayStepState = z.enum(stepStates);
/** A person's progress on a step. `due_on` as YYYY-MM-DD. */
export const stepStanding = { state: PathwayStepState, done_at: z.nullable(z.string()), due_on: z.nullable(z.string()) };
export const WalkedStep = z.object({ course_id: Id, course_title: z.string(), ...stepStanding });
/** A person on a pathway. `since` as YYYY-MM-DD; `allocation_id` if it was allocated to the person directly. */
export const PathwayPerson = z.object({
  user_id: Id,
  name: z.string(),
  place: z.string(),
  since: z.string(),
  allocation_id: z.nullable(Id),
  steps: z.array(WalkedStep),
});
export type PathwayPerson = z.infer<typeof PathwayPerson>;
export const PathwayAllocation = z.object({ id: Id, user: z.nullable(Ref), role: z.nullable(Ref), allocated_on: z.string() });
export type PathwayAllocation = z.infer<typeof PathwayAllocation>;
export const PathwayProgress = z.object({ people: z.int(), finished: z.int(), done: z.int(), steps: z.int() });
export type PathwayProgress = z.infer<typeof PathwayProgress>;
/** A sequence of courses. */
export const Pathway = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  entity: EntityRef,
  /** Whether the caller may change it: they may change courses, and can see the organisation that owns it. */
  editable: z.boolean(),
  /** Whether the caller may allocate it to a whole job role. */
  for_roles: z.boolean(),
  steps: z.array(PathwayStep),
});
export type Pathway = z.infer<typeof Pathway>;

const withinDays = z
  .number()
  .check(
    z.int('Enter a whole number of days.'),
    z.gte(1, 'Enter at least 1 day.'),
    z.lte(pathwayLimits.withinDays, `Enter no more than ${pathwayLimits.withinDays.toLocaleString('en-GB')} days.`),
  );
export const PathwayStepInput = z.object({ course_id: Id, within_days: z.nullish(withinDays) });
/**
 * Input for a pathway: courses in order, each due within a number of days after allocation (null: no limit). Without `id` a
 * pathway is created for the organisation `entity` (a slug; default: the caller's).
 */
export const PathwayInput = z.object({
  id: z.nullish(Id),
  entity: z.nullish(z.string()),
  name: Name,
  description: z._default(z.string().check(z.trim(), z.maxLength(1000, 'Use no more than 1,000 characters.')), ''),
  steps: z.array(PathwayStepInput).check(
    z.minLength(1, 'Add at least one course.'),
    z.maxLength(pathwayLimits.steps, `Add no more than ${pathwayLimits.steps} courses.`),
    z.refine((steps) => new Set(steps.map((s) => s.course_id)).size === steps.length, 'Each course can be added only once.'),
  ),
});
export type PathwayInput = z.infer<typeof PathwayInput>;

/** Any one of these allows someone to see other people's pathways. */
export const seesPathways: readonly PermissionSlug[] = [
  'user.search',
  'course.update',
  'role.update',
  'event.create',
  'role.view',
  'role.view_read_only',
];

/** A pathway is allocated to people or job roles, by id. */
export const allocationKinds = ['user', 'role'] as const;
export const AllocationKind = z.enum(allocationKinds);
export type AllocationKind = z.infer<typeof AllocationKind>;
/** The permission that allocating needs. */
export const allocationNeeds: Record<AllocationKind, PermissionSlug> = { user: 'event.create', role: 'role.update' };
export const PathwayAllocationInput = z.object({
  pathway_id: Id,
  kind: AllocationKind,
  allocation_ids: z
    .array(Id)
    .check(z.minLength(1, 'Choose at least one.'), z.maxLength(pathwayLimits.atOnce, `Choose no more than ${pathwayLimits.atOnce} at a time.`)),
  /** False removes the allocation. */
  allocated: z._default(z.boolean(), true),
});
