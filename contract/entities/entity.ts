import * as z from 'zod/mini';
import { Count, Email, Id, Instant, Line, Name, Slug } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { isTimeZone } from '#contract/rules/days.ts';

/** What an organisation asks of a password. Lengths in characters. */
export const PasswordRequirements = z.object({
  min_length: z.int().check(z.gte(8, 'Enter 8 or more.'), z.lte(128, 'Enter 128 or less.')),
  mixed_case: z.boolean(),
  number: z.boolean(),
  symbol: z.boolean(),
});
export type PasswordRequirements = z.infer<typeof PasswordRequirements>;

/** An organisation as others see it in a list or a reference. */
export const EntityRef = z.object({ id: Id, name: z.string(), slug: Slug });
export type EntityRef = z.infer<typeof EntityRef>;

export const entityLevels = ['A', 'B'] as const;

const words = (most: number) =>
  z.nullable(z.string().check(z.trim(), z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`)));
const WebAddress = z.string().check(z.trim(), z.maxLength(500), z.regex(/^https?:\/\/\S+$/, 'Enter a web address that starts with https://.'));
const days = (most: number) =>
  z
    .number()
    .check(
      z.int('Enter a whole number of days.'),
      z.gte(0, 'Enter 0 days or more.'),
      z.lte(most, `Enter no more than ${most.toLocaleString('en-GB')} days.`),
    );

/** What can be changed of an organisation. `starter_period` and `expiry_warning` in days. Specification section 3. */
export const entityFields = {
  name: Name,
  level: z.enum(entityLevels),
  parent_id: z.nullable(Id),
  code: z.nullable(Line(50)),
  is_training_company: z.boolean(),
  email: z.nullable(Email),
  telephone: z.nullable(Line(50)),
  website: z.nullable(WebAddress),
  address: words(500),
  notes: words(5000),
  expiry_warning: days(366),
  starter_period: days(1000),
  password_expire_period_in_months: z.nullable(
    z.number().check(z.int('Enter a whole number of months.'), z.gte(1, 'Enter at least 1 month.'), z.lte(60, 'Enter no more than 60 months.')),
  ),
  password_requirements: z.nullable(PasswordRequirements),
  compromised_passwords: z.enum(['enforce_change', 'off']),
  /** Whose days and clock count here and below: of the organisation at the top. Ours. */
  time_zone: z.string().check(z.refine(isTimeZone, 'Choose a time zone.')),
  /** People are told by e-mail, on Mondays, what of theirs is overdue or due soon. */
  events_reminder: z.boolean(),
  /** Who may approve a care certificate is told by e-mail when every standard of it is met. There and below. */
  notify_all_standards_selected: z.boolean(),
  /** Training that is recorded by hand needs a file that proves it. There and below. */
  require_training_record_evidence: z.boolean(),
  /** Courses that its people, there and below, see to first. Sent as ids. */
  focused_courses: z.array(Id).check(z.maxLength(10, 'Choose no more than 10.')),
  /** Microsoft and Google may say who its people are. */
  allow_ms_sign_in: z.boolean(),
  allow_google_sign_in: z.boolean(),
  /** From when only those who know the access password get in. With no access password nobody does. */
  restricted_access_at: z.nullable(Instant),
  restricted_access_message: words(1000),
  /** Written and never read. */
  restricted_access_password: z.nullable(
    z.string().check(z.minLength(8, 'Use at least 8 characters.'), z.maxLength(128, 'Use no more than 128 characters.')),
  ),
  /** What people are shown after they have signed in: where it leads, what it is called, and whether each time or once. */
  popup_link: z.nullable(WebAddress),
  login_popup_alt_name: words(100),
  always_show_popup_on_login: z.boolean(),
};
/** What is asked of its people's passwords. */
export const PasswordRules = z.pick(z.object(entityFields), {
  password_requirements: true,
  password_expire_period_in_months: true,
  compromised_passwords: true,
});
export type EntityField = keyof typeof entityFields;

/** Which permission each of them needs. */
export const entityFieldNeeds: Record<EntityField, PermissionSlug> = {
  name: 'entity.update',
  level: 'entity.update',
  parent_id: 'entity.parent',
  code: 'entity.update',
  is_training_company: 'entity.update',
  email: 'entity.contact',
  telephone: 'entity.contact',
  website: 'entity.contact',
  address: 'entity.contact',
  notes: 'entity.notes_update',
  expiry_warning: 'entity.expiry_warning',
  starter_period: 'entity.starter_period',
  password_expire_period_in_months: 'entity.update',
  password_requirements: 'entity.update',
  compromised_passwords: 'entity.update',
  time_zone: 'entity.update',
  events_reminder: 'entity.update',
  notify_all_standards_selected: 'entity.update',
  require_training_record_evidence: 'entity.update',
  focused_courses: 'entity.update',
  allow_ms_sign_in: 'entity.update',
  allow_google_sign_in: 'entity.update',
  restricted_access_at: 'entity.access',
  restricted_access_message: 'entity.access',
  restricted_access_password: 'entity.access',
  popup_link: 'entity.update',
  login_popup_alt_name: 'entity.update',
  always_show_popup_on_login: 'entity.update',
};
/** What lets one read the notes about an organisation. */
export const readsEntityNotes: PermissionSlug[] = ['entity.notes_update', 'entity.notes_view'];

/** An organisation in the list. `depth` is 0 at the top of what the caller can see. What stands after `parent` is ours. */
export const EntityRow = z.object({
  id: Id,
  name: z.string(),
  slug: Slug,
  level: z.enum(entityLevels),
  is_training_company: z.boolean(),
  parent: z.nullable(EntityRef),
  depth: Count,
  people: Count,
});
export type EntityRow = z.infer<typeof EntityRow>;

/** What is asked of people: what everybody must do, and what is asked beside it. */
export const scoreKinds = ['primary', 'secondary'] as const;
/** How much of it is in date: of `required` things of `people`, `in_date`. Not `ready` while it is counted; then the numbers are 0. */
export const EntityScore = z.object({
  ready: z.boolean(),
  /** In percent; null where nothing is asked of anybody. */
  score: z.nullable(Count),
  required: Count,
  in_date: Count,
  people: Count,
  counted_at: z.nullable(Instant),
});
export type EntityScore = z.infer<typeof EntityScore>;

const { restricted_access_password: _written, parent_id: _sent, focused_courses: _ids, ...readFields } = entityFields;
/** An organisation whole. `notes` are null for who may not read them. What stands after `children` is ours. */
export const Entity = z.object({
  ...readFields,
  id: Id,
  slug: Slug,
  parent: z.nullable(EntityRef),
  children: z.array(EntityRef),
  above: z.array(EntityRef),
  focused_courses: z.array(z.object({ id: Id, name: z.string() })),
  people: Count,
  has_access_password: z.boolean(),
  created_at: Instant,
});
export type Entity = z.infer<typeof Entity>;
