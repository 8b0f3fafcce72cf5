import type { Entity } from '#contract/entities/entity.ts';
import { defaultPasswordRequirements } from '#contract/rules/password.ts';
import { countOf } from '#src/lib/format.ts';

type Rules = Pick<Entity, 'password_requirements' | 'password_expire_period_in_months' | 'compromised_passwords'>;

/** An organisation's password policy, in words. */
export const passwordSentence = ({ password_requirements, password_expire_period_in_months: months, compromised_passwords }: Rules): string => {
  const { min_length, mixed_case, number, symbol } = password_requirements ?? defaultPasswordRequirements;
  const parts = [mixed_case && 'lower-case and capital letters', number && 'a digit', symbol && 'a symbol'].filter((p) => p !== false);
  return [
    `At least ${min_length} characters${parts.length > 0 ? ` with ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}` : ''}.`,
    months ? `Changed every ${countOf(months, 'month')}.` : 'They do not expire.',
    compromised_passwords === 'enforce_change' ? 'Leaked passwords have to be changed.' : '',
  ]
    .filter(Boolean)
    .join(' ');
};
