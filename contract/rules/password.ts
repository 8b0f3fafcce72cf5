import { addMonthsToDay, dayIn } from '#contract/rules/days.ts';
import type { PasswordRequirements } from '#contract/entities/entity.ts';

/** The default password policy. */
export const defaultPasswordRequirements: PasswordRequirements = { min_length: 10, mixed_case: true, number: true, symbol: false };

/** A password's problems as sentences; empty if it is acceptable. */
export const passwordProblems = (password: string, rules: PasswordRequirements): string[] => {
  const problems: string[] = [];
  if ([...password].length < rules.min_length) problems.push(`Use at least ${rules.min_length} characters.`);
  if (password.length > 128) problems.push('Use no more than 128 characters.');
  if (rules.mixed_case && !(/\p{Lu}/u.test(password) && /\p{Ll}/u.test(password))) problems.push('Use both lower-case and capital letters.');
  if (rules.number && !/\d/.test(password)) problems.push('Use at least one number.');
  if (rules.symbol && !/[^\p{L}\p{N}\s]/u.test(password)) problems.push('Use at least one symbol, for example ! or -.');
  return problems;
};

/**
 * Whether a password that must be changed every so many months is too old: once the same day of a later month, or the last of a shorter one, is
 * over in the time zone of the organisation. One of 31 January is good for the whole of 28 February.
 */
export const isPasswordOld = (changed_at: string, months: number, now: Date, zone: string): boolean =>
  dayIn(now, zone) > addMonthsToDay(dayIn(changed_at, zone), months);
