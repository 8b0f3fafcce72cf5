import * as z from 'zod/mini';
import { Count, Email, Id, Instant, Line, Name, Ref, Slug, WebAddress } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { isTimeZone } from '#contract/rules/days.ts';

/** An organisation's password policy. Lengths in characters. */
export const PasswordRequirements = z.object({
  min_length: z.int().check(z.gte(8, 'Enter 8 or more.'), z.lte(128, 'Enter 128 or less.')),
  mixed_case: z.boolean(),
  number: z.boolean(),
  symbol: z.boolean(),
});
export type PasswordRequirements = z.infer<typeof PasswordRequirements>;

export const EntityRef = z.object({ id: Id, name: z.string(), slug: Slug });
export type EntityRef = z.infer<typeof EntityRef>;

export const entityLevels = ['A', 'B'] as const;

const words = (most: number) =>
  z.nullable(z.string().check(z.trim(), z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`)));
const Domain = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(253),
    z.regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'Enter domains, for example example.org.'),
  );
const days = (most: number) =>
  z
    .number()
    .check(
      z.int('Enter a whole number of days.'),
      z.gte(0, 'Enter 0 days or more.'),
      z.lte(most, `Enter no more than ${most.toLocaleString('en-GB')} days.`),
    );

/** Editable fields of an organisation. `starter_period` and `expiry_warning` in days. Specification section 3. */
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
  /** The time zone here and below, set by the top organisation. Ours. */
  time_zone: z.string().check(z.refine(isTimeZone, 'Choose a time zone.')),
  /** People are e-mailed on Mondays about overdue and soon due courses. */
  events_reminder: z.boolean(),
  /** The domains of its e-mail addresses, here and below: reports can be sent to them. Ours. */
  email_domains: z.array(Domain).check(z.maxLength(20, 'Enter no more than 20.')),
  /** Approvers, here and below, are e-mailed when every standard of a care certificate is met. */
  notify_all_standards_selected: z.boolean(),
  /** Training recorded by hand, here and below, requires an evidence file. */
  require_training_record_evidence: z.boolean(),
  /** Prioritised courses, here and below. Sent as ids. */
  focused_courses: z.array(Id).check(z.maxLength(10, 'Choose no more than 10.')),
  /** Sign-in with Microsoft and Google is allowed. */
  allow_ms_sign_in: z.boolean(),
  allow_google_sign_in: z.boolean(),
  /** From then on only people who know the access password can sign in; without an access password nobody can. */
  restricted_access_at: z.nullable(Instant),
  restricted_access_message: words(1000),
  /** Write-only. */
  restricted_access_password: z.nullable(
    z.string().check(z.minLength(8, 'Use at least 8 characters.'), z.maxLength(128, 'Use no more than 128 characters.')),
  ),
  /** What people are shown after sign-in: link, title, and whether every time or once. */
  popup_link: z.nullable(WebAddress),
  login_popup_alt_name: words(100),
  always_show_popup_on_login: z.boolean(),
};
export const PasswordRules = z.pick(z.object(entityFields), {
  password_requirements: true,
  password_expire_period_in_months: true,
  compromised_passwords: true,
});
export type EntityField = keyof typeof entityFields;

/** The permission each field needs. */
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
  email_domains: 'entity.update',
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
/** Any one of these allows someone to read the notes about an organisation. */
export const readsEntityNotes: PermissionSlug[] = ['entity.notes_update', 'entity.notes_view'];

/** An organisation in a list. `depth` is 0 at the top of what the caller can see. Fields after `parent` are ours. */
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

/** Mandatory and other required training. */
export const scoreKinds = ['primary', 'secondary'] as const;
/** Compliance of an organisation's people: `in_date` of `required`. While not `ready`, it is being calculated and the numbers are 0. */
export const EntityScore = z.object({
  ready: z.boolean(),
  /** In percent; null if nothing is required of anyone. */
  score: z.nullable(Count),
  required: Count,
  in_date: Count,
  people: Count,
  counted_at: z.nullable(Instant),
});
export type EntityScore = z.infer<typeof EntityScore>;

const { restricted_access_password: _written, parent_id: _sent, focused_courses: _ids, ...readFields } = entityFields;
/** `notes` are null for callers who may not read them. Fields after `children` are ours. */
export const Entity = z.object({
  ...readFields,
  id: Id,
  slug: Slug,
  parent: z.nullable(EntityRef),
  children: z.array(EntityRef),
  above: z.array(EntityRef),
  focused_courses: z.array(Ref),
  people: Count,
  has_access_password: z.boolean(),
  created_at: Instant,
});
export type Entity = z.infer<typeof Entity>;
