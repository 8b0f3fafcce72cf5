import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Id, Ref } from '#contract/entities/fields.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';

export const complianceTypes = ['primary', 'secondary'] as const;
const whole = (unit: string, most: number) =>
  z.nullable(
    z
      .number()
      .check(z.int(`Enter a whole number of ${unit}.`), z.gte(0, `Enter 0 ${unit} or more.`), z.lte(most, `Enter no more than ${most} ${unit}.`)),
  );

/** What a job role requires of a course. Null: inherited from the course (`renewal_months`; 0 means no expiry) or the organisation (days). */
export const complianceFields = {
  type: z.enum(complianceTypes),
  renewal_months: whole('months', 240),
  expiry_warning: whole('days', 366),
  starter_period: whole('days', 1000),
};
/** Ours except `role_id`, `course_id` and `entity`. */
export const Compliance = z.object({ id: Id, role_id: Id, course_id: Id, entity: EntityRef, role: Ref, ...complianceFields });
export type Compliance = z.infer<typeof Compliance>;

/** A course of an organisation and what a job role requires of it; `defaults` apply where the role sets nothing. */
export const RoleCourse = z.object({
  id: Id,
  title: z.string(),
  compliance: z.nullable(Compliance),
  defaults: z.object({ renewal_months: z.nullable(z.number()), expiry_warning: z.number(), starter_period: z.number() }),
});
export type RoleCourse = z.infer<typeof RoleCourse>;

/** Ours: a person's compliance status for one course, with the reason. */
export const PersonCompliance = z.object({
  course_id: Id,
  course_title: z.string(),
  type: z.nullable(z.enum(complianceTypes)),
  status: z.enum(complianceStatuses),
  due_at: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  reason: z.string(),
});
export type PersonCompliance = z.infer<typeof PersonCompliance>;

/** A member of the caller's team, as stored on a device for offline use. */
export const TeamMember = z.object({
  id: Id,
  name: z.string(),
  role: z.nullable(z.string()),
  place: z.string(),
  must: z.array(PersonCompliance),
});
export type TeamMember = z.infer<typeof TeamMember>;
/** Maximum number stored on a device. */
export const teamLimit = 500;
