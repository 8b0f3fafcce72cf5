import * as z from 'zod/mini';
import type { PermissionSlug } from '#contract/permissions.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { PersonCounts } from '#contract/entities/learner-event.ts';
import { Choice, Day, Email, Id, Instant, isInCalendar, Name, Ref } from '#contract/entities/fields.ts';

/** The signed-in person: the answer of /auth/user, stored on the device as `authUser`. */
export const AuthUser = z.object({
  uuid: Id,
  name: Name,
  email: Email,
  emailVerified: z.boolean(),
  super_admin: z.boolean(),
  is_trainer: z.boolean(),
  password_expired: z.boolean(),
  primary_entity: EntityRef,
  a_entity: z.object({
    can_view_internal_bookings: z.boolean(),
    can_view_external_bookings: z.boolean(),
    can_manage_bookings: z.boolean(),
    can_see_new_dashboards: z.boolean(),
  }),
  role: z.nullable(Ref),
  type: z.nullable(Ref),
  client_entity: z.nullable(Ref),
  user_preferences: z.record(z.string(), z.unknown()),
  /** Ours: the origin on which course packages run. */
  content_origin: z.string(),
  /** Ours: what is shown after sign-in, if the organisation or one above it has set it. */
  login_popup: z.nullable(z.object({ title: z.string(), link: z.string(), always: z.boolean() })),
  /** Ours: their organisation's time zone. */
  time_zone: z.string(),
  /** Ours: this server has no mail server yet, so what it is to send is kept. */
  mail_waits: z.optional(z.literal(true)),
  permissions: z.array(z.object({ id: z.number(), slug: z.string() })),
});
export type AuthUser = z.infer<typeof AuthUser>;

/** Editable fields of a person. `started_on` as YYYY-MM-DD; due dates of required training depend on it. */
export const userFields = {
  name: Name,
  email: Email,
  primary_entity_id: Choice('Choose where they belong.'),
  role_id: z.nullable(Id),
  /** Ours: additional job roles. */
  more_role_ids: z.array(Id).check(z.maxLength(20, 'Choose no more than 20 job roles.')),
  type_id: z.nullable(Id),
  is_trainer: z.boolean(),
  started_on: z
    .string()
    .check(
      z.regex(/^(19|20)\d\d-\d\d-\d\d$/, { error: 'Enter a date, for example 21/11/2026.', abort: true }),
      z.refine(isInCalendar, 'This date does not exist.'),
    ),
  /** Ours: days on which they are not at work; without a last day, until further notice. Shown on the form that books training. */
  leave_from: z.nullable(Day),
  leave_until: z.nullable(Day),
  /** A leaver cannot do anything; their records remain. */
  disabled: z.boolean(),
};
export type UserField = keyof typeof userFields;
/** The permission each field needs for another person. One's own name can be changed with permission 127. */
export const userFieldNeeds: Record<UserField, PermissionSlug> = {
  name: 'user.update',
  email: 'user.update',
  primary_entity_id: 'entity.belongs_to',
  role_id: 'user.role',
  more_role_ids: 'user.role',
  type_id: 'user.type',
  is_trainer: 'trainer.create',
  started_on: 'user.update',
  leave_from: 'user.update',
  leave_until: 'user.update',
  disabled: 'user.update',
};

/** Transfer of a leaver's training record: none, waiting until `expires_at`, or accepted. */
export const Transfer = z.object({ state: z.enum(['none', 'waiting', 'taken']), expires_at: z.nullable(Instant), taken_at: z.nullable(Instant) });
export type Transfer = z.infer<typeof Transfer>;
/** Days for which a transfer code is valid. */
export const transferDays = 30;

/** Any one of these makes someone a manager of the person, who may read notes. */
export const notesNeed: readonly PermissionSlug[] = ['user.update', 'user.role'];

/** A manager's note about a person. */
export const PersonNote = z.object({
  id: Id,
  author: Ref,
  body: z.string().check(z.trim(), z.minLength(1, 'Enter a note.'), z.maxLength(5000, 'Use no more than 5,000 characters.')),
  created_at: Instant,
  /** Whether the caller wrote it and can remove it. */
  own: z.boolean(),
});
export type PersonNote = z.infer<typeof PersonNote>;

export const UserRow = z.object({
  id: Id,
  uuid: Id,
  name: Name,
  email: Email,
  primary_entity: EntityRef,
  role: z.nullable(Ref),
  /** Ours: additional job roles. */
  more_roles: z.array(Ref),
  type: z.nullable(Ref),
  is_trainer: z.boolean(),
  disabled_at: z.nullable(Instant),
  /** Ours: start date, and whether they have a password. */
  started_on: z.string(),
  leave_from: z.optional(z.nullable(Day)),
  leave_until: z.optional(z.nullable(Day)),
  has_password: z.boolean(),
  courses: PersonCounts,
});
export type UserRow = z.infer<typeof UserRow>;
