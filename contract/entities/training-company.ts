import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { companyMessageKinds, messageProblem } from '#contract/rules/company-messages.ts';

const whole = { error: 'Enter a whole number.' };
/** At most thirty days. */
export const mostHours = 720;
const Hours = z
  .int(whole)
  .check(z.gte(0, 'Enter 0 or more hours.'), z.lte(mostHours, `Enter no more than ${mostHours} hours, which are thirty days.`));
const Delegates = z.nullable(z.int(whole).check(z.gte(1, 'Enter at least 1.'), z.lte(500, 'Enter no more than 500.')));
export const longestMessage = 1000;

/** How one kind of message is sent; `text` is null for the standard text. */
export const CommunicationPreference = z.object({ kind: z.enum(companyMessageKinds), email: z.boolean(), text: z.nullable(z.string()) });
/** The same as it is sent. */
export const CommunicationPreferenceInput = z
  .object({
    kind: z.enum(companyMessageKinds),
    email: z.boolean(),
    text: z.nullable(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Write a text, or go back to the standard one.'),
          z.maxLength(longestMessage, `Use no more than ${longestMessage.toLocaleString('en-GB')} characters.`),
        ),
    ),
  })
  .check((checked) => {
    const { kind, text } = checked.value;
    const message = text === null ? null : messageProblem(kind, text);
    if (message) checked.issues.push({ code: 'custom', message, path: ['text'], input: text });
  });

/** The settings of a training company; names: the specification’s. */
export const companySettingsFields = {
  allow_multiple_days_per_booking: z.boolean(),
  allow_multiple_sessions_per_booking: z.boolean(),
  allow_virtual_training_sessions: z.boolean(),
  auto_release_certificates: z.boolean(),
  /** Hours after which a delegate who has not answered counts as coming: 0 at once, so that nobody is asked; null never. */
  delegate_auto_accept_period: z.nullable(Hours),
  /** Ours: for how many hours somebody who moves up from a waiting list can accept the place; 0: they are booked immediately. */
  waiting_list_accept_hours: Hours,
  /** Hours before a session until which somebody can be taken off its list. */
  delegate_removal_cutoff_hours: Hours,
  practical_min_delegates: Delegates,
  practical_max_delegates: Delegates,
  theory_min_delegates: Delegates,
  theory_max_delegates: Delegates,
  bookings_organiser_reference_prefix: z
    .string()
    .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9-]{0,10}$/, 'Use up to 10 letters, digits and hyphens.')),
  /** By kind of message; a kind that is not listed is sent by e-mail with the standard text. */
  communication_preferences_json: z.array(CommunicationPreferenceInput).check(
    z.maxLength(companyMessageKinds.length),
    z.refine((all) => new Set(all.map((p) => p.kind)).size === all.length, 'Name each kind once.'),
  ),
};

/** The address of an uploaded picture. */
export const PictureAddress = z.string().check(z.regex(/^\/api\/whitelabel\/pictures\/[0-9a-f]{64}\.png$/, 'Choose a picture.'));
const pairs = ['practical', 'theory'] as const;
/** The error if a minimum of delegates exceeds its maximum. */
export const delegateProblem = (
  settings: {
    [K in `${(typeof pairs)[number]}_${'min' | 'max'}_delegates`]?: number | null | undefined;
  },
): { field: keyof typeof companySettingsFields; message: string } | null => {
  for (const pair of pairs) {
    const [least, most] = [settings[`${pair}_min_delegates`], settings[`${pair}_max_delegates`]];
    if (typeof least === 'number' && typeof most === 'number' && least > most)
      return { field: `${pair}_min_delegates`, message: `The minimum is more than the maximum, which is ${most}.` };
  }
  return null;
};
/** The settings that can be changed. */
export const CompanySettingsChange = z.partial(z.object({ ...companySettingsFields, logo: z.nullable(PictureAddress) }));
export type CompanySettingsChange = z.output<typeof CompanySettingsChange>;

/** The settings in effect for a training company. `rev` grows with every change. */
export const CompanySettings = z.object({
  ...companySettingsFields,
  bookings_organiser_reference_prefix: z.string(),
  communication_preferences_json: z.array(CommunicationPreference),
  entity: EntityRef,
  /** The organisation above whose settings these are; null if they are its own or the defaults. */
  inherited_from: z.nullable(EntityRef),
  logo: z.nullable(z.string()),
  rev: z.int(),
});
export type CompanySettings = z.infer<typeof CompanySettings>;
