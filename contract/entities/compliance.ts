import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Choice, Count, Day, Id, Ref } from '#contract/entities/fields.ts';
import { LearnerEvent } from '#contract/entities/learner-event.ts';
import { stepStanding } from '#contract/entities/pathway.ts';
import { resultTypes } from '#contract/entities/result.ts';
import { complianceColours, complianceStatuses } from '#contract/rules/compliance-status.ts';
import { coursePartNames } from '#contract/rules/counting-result.ts';
import { isDayOfYear, renewalKinds } from '#contract/rules/result-dates.ts';

export const complianceTypes = ['primary', 'secondary'] as const;
const whole = (unit: string, most: number) =>
  z.nullable(
    z
      .number()
      .check(z.int(`Enter a whole number of ${unit}.`), z.gte(0, `Enter 0 ${unit} or more.`), z.lte(most, `Enter no more than ${most} ${unit}.`)),
  );

/**
 * What a job role requires of a course. Null: inherited from the course (`renewal_months`; 0 means no expiry) or the organisation (days).
 * `renewal_kind`, `renewal_window` (days) and `renewal_on` (MM-DD) are inherited together; contract/rules/result-dates.ts says what they mean.
 */
export const complianceFields = {
  type: z.enum(complianceTypes),
  renewal_months: whole('months', 240),
  expiry_warning: whole('days', 366),
  starter_period: whole('days', 1000),
  renewal_kind: z.nullable(z.enum(renewalKinds)),
  renewal_window: whole('days', 366),
  renewal_on: z.nullable(z.string().check(z.refine(isDayOfYear, 'Enter a day of the year, for example 31 March.'))),
  /** The first and the last day on which the requirement applies. */
  required_from: z.nullable(Day),
  required_until: z.nullable(Day),
};
/** Ours except `role_id`, `course_id` and `entity`. */
export const Compliance = z.object({ id: Id, role_id: Id, course_id: Id, entity: EntityRef, role: Ref, ...complianceFields });
export type Compliance = z.infer<typeof Compliance>;

/** A course of an organisation and what a job role requires of it; `defaults` apply where the role sets nothing. */
export const RoleCourse = z.object({
  id: Id,
  title: z.string(),
  /** Whether the organisation of the job role has the course. Without it a requirement is kept, and asks nobody. */
  available: z.boolean(),
  compliance: z.nullable(Compliance),
  defaults: z.object({
    ...{ renewal_months: z.nullable(z.number()), expiry_warning: z.number(), starter_period: z.number() },
    ...{ renewal_kind: z.enum(renewalKinds), renewal_window: z.number(), renewal_on: z.nullable(z.string()) },
  }),
});
export type RoleCourse = z.infer<typeof RoleCourse>;

type Renewed = { renewal_kind?: string | null; renewal_on?: string | null };
/** A renewal on a fixed day of the year needs that day. */
export const fixedDayIsSaid = z.refine<Renewed>(({ renewal_kind, renewal_on }) => renewal_kind !== 'fixed' || !!renewal_on, {
  error: 'Choose the day of the year.',
  path: ['renewal_on'],
});

/** How long a course is valid unless the job role says otherwise. */
export const courseRenewalFields = {
  renewal_months: complianceFields.renewal_months,
  renewal_kind: z.enum(renewalKinds),
  renewal_window: z
    .number()
    .check(z.int('Enter a whole number of days.'), z.gte(0, 'Enter 0 days or more.'), z.lte(366, 'Enter no more than 366 days.')),
  renewal_on: complianceFields.renewal_on,
};
/** An organisation's equivalences for one of its courses: `alternatives` count as it; both `parts` (one may be the course itself) are needed. */
export const courseLinkFields = {
  alternative_ids: z.array(Id).check(z.maxLength(50, 'Choose no more than 50.')),
  parts: z.nullable(z.object({ theory_id: Choice('Choose the theory part.'), practical_id: Choice('Choose the practical part.') })),
};
/** Ours: the rules of a course that apply in an organisation, whatever the job role. */
export const CourseRules = z.object({
  id: Id,
  title: z.string(),
  owner: EntityRef,
  renewal: z.object(courseRenewalFields),
  /** Whether the caller may change how long it is valid: they may edit courses, and their organisation owns it. */
  renewal_editable: z.boolean(),
  alternatives: z.array(Ref),
  /** Alternatives defined by organisations above. */
  inherited_alternatives: z.array(z.object({ id: Id, name: z.string(), entity: EntityRef })),
  parts: z.nullable(z.object({ theory: Ref, practical: Ref })),
  /** What applies unless the organisation itself sets something. */
  inherited_parts: z.nullable(z.object({ theory: Ref, practical: Ref, entity: EntityRef })),
});
export type CourseRules = z.infer<typeof CourseRules>;

type Parts = { parts?: { theory_id: string; practical_id: string } | null };
/** The two parts must be different courses. */
export const partsDiffer = z.refine<Parts>(({ parts }) => !parts || parts.theory_id !== parts.practical_id, {
  error: 'Choose another course than for the theory part.',
  path: ['parts', 'practical_id'],
});

type Asked = { required_from?: string | null; required_until?: string | null };
/** The last day of a requirement is not before its first. */
export const untilIsAfterFrom = z.refine<Asked>(({ required_from: from, required_until: until }) => !from || !until || from <= until, {
  error: 'Choose a day that is not before the first.',
  path: ['required_until'],
});

/** Ours: how many people a changed rule would turn into each colour, of how many who hold the job role. */
export const RuleEffect = z.object({
  people: Count,
  turns: z.object(Object.fromEntries(complianceColours.map((c) => [c, Count])) as Record<(typeof complianceColours)[number], typeof Count>),
});
export type RuleEffect = z.infer<typeof RuleEffect>;

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

/** Ours: a course on a person's home page, as their managers see it. */
export const PersonEvent = z.pick(LearnerEvent, { course_id: true, course_title: true, status: true, due_at: true, pathway: true, reason: true });
export type PersonEvent = z.infer<typeof PersonEvent>;

/** Ours: why somebody has their status in a course, and what would fix it. */
export const CourseStanding = z.object({
  user: Ref,
  /** The organisation to which they belong. */
  place: EntityRef,
  course: Ref,
  /** The time zone of their organisation, which determines days. */
  zone: z.string(),
  status: z.enum(complianceStatuses),
  due_at: z.nullable(z.string()),
  reason: z.string(),
  /** The rule that applies: its job role, and the organisation that made it. Periods are resolved; `renewal_months` null: no expiry. */
  rule: z.nullable(
    z.object({
      role: Ref,
      entity: EntityRef,
      type: z.enum(complianceTypes),
      renewal_months: z.nullable(z.number()),
      expiry_warning: z.number(),
      starter_period: z.number(),
      started_on: z.string(),
      required_from: z.nullable(z.string()),
      required_until: z.nullable(z.string()),
    }),
  ),
  /** The result that counts; null if there is none, or if both parts count. */
  result: z.nullable(
    z.object({
      id: Id,
      course: Ref,
      type: z.enum(resultTypes),
      completed_at: z.string(),
      expires_at: z.nullable(z.string()),
      /** For an exemption: its reason. */
      note: z.string(),
      recorded_by: z.nullable(Ref),
    }),
  ),
  /** The result is of another course: the organisation that defined it as an alternative, or null if it counts through a third course. */
  alternative: z.nullable(z.object({ entity: z.nullable(EntityRef) })),
  parts: z.nullable(
    z.array(z.object({ name: z.enum(coursePartNames), course: Ref, completed_at: z.nullable(z.string()), expires_at: z.nullable(z.string()) })),
  ),
  /** Their pathways of which it is a step. `since` and `due_on` as YYYY-MM-DD. */
  steps: z.array(z.object({ pathway: Ref, since: z.string(), ...stepStanding })),
  /** What has to be done now or soon: the course, or parts of it. */
  needs: z.array(Ref),
  /** Those of them that the caller can start or continue themselves. */
  contents: z.array(z.object({ course_id: Id, course_title: z.string(), content_id: Id, attempt_id: z.nullable(Id) })),
  /**
   * For each, the next session on which they are booked, otherwise the soonest with a free place, of their organisations or a training company
   * (`company`). `free` null: no limit. `register`: whether the caller can see its page.
   */
  sessions: z.array(
    z.object({
      id: Id,
      course_title: z.string(),
      on: z.string(),
      start: z.string(),
      venue: z.string(),
      free: z.nullable(Count),
      booked: z.boolean(),
      course_id: Id,
      register: z.boolean(),
      company: z.nullable(Ref),
    }),
  ),
});
export type CourseStanding = z.infer<typeof CourseStanding>;

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
