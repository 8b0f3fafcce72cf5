import * as z from 'zod/mini';
import { Id, Name } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** As many steps as one pathway may have. */
export const pathwayLimits = { steps: 50, withinDays: 1000, atOnce: 500 };

/**
 * What is written of a pathway: courses in an order, each within so many days after it was allocated (null: no limit).
 * Without `id` a new one is made, for the organisation `entity` (its slug; without it, that of who makes it).
 */
export const PathwayInput = z.object({
  id: z.nullish(Id),
  entity: z.nullish(z.string()),
  name: Name,
  description: z._default(z.string().check(z.trim(), z.maxLength(1000, 'Use no more than 1,000 characters.')), ''),
  steps: z
    .array(
      z.object({
        course_id: Id,
        within_days: z.nullish(
          z
            .number()
            .check(
              z.int('Enter a whole number of days.'),
              z.gte(1, 'Enter at least 1 day.'),
              z.lte(pathwayLimits.withinDays, `Enter no more than ${pathwayLimits.withinDays.toLocaleString('en-GB')} days.`),
            ),
        ),
      }),
    )
    .check(
      z.minLength(1, 'Add at least one course.'),
      z.maxLength(pathwayLimits.steps, `Add no more than ${pathwayLimits.steps} courses.`),
      z.refine((steps) => new Set(steps.map((s) => s.course_id)).size === steps.length, 'Each course can be added only once.'),
    ),
});
export type PathwayInput = z.infer<typeof PathwayInput>;

/** Any one of these lets somebody see the pathways that others go through. */
export const seesPathways: readonly PermissionSlug[] = [
  'user.search',
  'course.update',
  'role.update',
  'event.create',
  'role.view',
  'role.view_read_only',
];

/** Who is given a pathway, or from whom it is taken: people by their ids, or job roles. */
export const allocationKinds = ['user', 'role'] as const;
export type AllocationKind = (typeof allocationKinds)[number];
/** What giving it to them needs. */
export const allocationNeeds: Record<AllocationKind, PermissionSlug> = { user: 'event.create', role: 'role.update' };
export const PathwayAllocationInput = z.object({
  pathway_id: Id,
  kind: z.enum(allocationKinds),
  allocation_ids: z
    .array(Id)
    .check(z.minLength(1, 'Choose at least one.'), z.maxLength(pathwayLimits.atOnce, `Choose no more than ${pathwayLimits.atOnce} at a time.`)),
  /** False takes it away. */
  allocated: z._default(z.boolean(), true),
});
