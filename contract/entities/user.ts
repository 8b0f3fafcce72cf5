import * as z from 'zod/mini';
import type { PermissionSlug } from '#contract/permissions.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Choice, Email, Id, Instant, isInCalendar, Name, Ref } from '#contract/entities/fields.ts';

/** The signed-in person: what /auth/user answers and what the device keeps under `authUser`. */
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
  /** Ours: where course packages run. */
  content_origin: z.string(),
  /** Ours: what one is shown after signing in, where the organisation or one above it has something to show. */
  login_popup: z.nullable(z.object({ title: z.string(), link: z.string(), always: z.boolean() })),
  /** Ours: the time zone of their organisation. */
  time_zone: z.string(),
  permissions: z.array(z.object({ id: z.number(), slug: z.string() })),
});
export type AuthUser = z.infer<typeof AuthUser>;

/** What can be changed of a person. `started_on` as YYYY-MM-DD; what must be done, and by when, hangs on it. */
export const userFields = {
  name: Name,
  email: Email,
  primary_entity_id: Choice('Choose where they belong.'),
  role_id: z.nullable(Id),
  /** Ours: job roles that they hold beside it. */
  more_role_ids: z.array(Id).check(z.maxLength(20, 'Choose no more than 20 job roles.')),
  type_id: z.nullable(Id),
  is_trainer: z.boolean(),
  started_on: z
    .string()
    .check(
      z.regex(/^(19|20)\d\d-\d\d-\d\d$/, { error: 'Enter a date, for example 21/11/2026.', abort: true }),
      z.refine(isInCalendar, 'This date does not exist.'),
    ),
  /** Who has left can do nothing; what they have done stays. */
  disabled: z.boolean(),
};
export type UserField = keyof typeof userFields;
/** Which permission each of them needs, where it is another person. Of oneself one may change the name, with 127. */
export const userFieldNeeds: Record<UserField, PermissionSlug> = {
  name: 'user.update',
  email: 'user.update',
  primary_entity_id: 'entity.belongs_to',
  role_id: 'user.role',
  more_role_ids: 'user.role',
  type_id: 'user.type',
  is_trainer: 'trainer.create',
  started_on: 'user.update',
  disabled: 'user.update',
};

/** Where a leaver's training record is on its way: not at all, waiting to be taken over until a time, or taken over. */
export const Transfer = z.object({ state: z.enum(['none', 'waiting', 'taken']), expires_at: z.nullable(Instant), taken_at: z.nullable(Instant) });
export type Transfer = z.infer<typeof Transfer>;
/** How long a code waits for the new organisation. */
export const transferDays = 30;

/** Whoever changes a person, or gives people their job roles, looks after them. */
export const notesNeed: readonly PermissionSlug[] = ['user.update', 'user.role'];

/** What those who look after somebody have written about them. */
export const PersonNote = z.object({
  id: Id,
  author: Ref,
  body: z.string().check(z.trim(), z.minLength(1, 'Enter a note.'), z.maxLength(5000, 'Use no more than 5,000 characters.')),
  created_at: Instant,
  /** Whether the caller wrote it, and can take it away. */
  own: z.boolean(),
});
export type PersonNote = z.infer<typeof PersonNote>;

/** A person in the list of people. */
export const UserRow = z.object({
  id: Id,
  uuid: Id,
  name: Name,
  email: Email,
  primary_entity: EntityRef,
  role: z.nullable(Ref),
  /** Ours: the job roles beside it. */
  more_roles: z.array(Ref),
  type: z.nullable(Ref),
  is_trainer: z.boolean(),
  disabled_at: z.nullable(Instant),
  /** Ours: when they began, and whether they have a password yet. */
  started_on: z.string(),
  has_password: z.boolean(),
  courses: z.object({ current: z.number(), overdue: z.number(), completed: z.number() }),
});
export type UserRow = z.infer<typeof UserRow>;
