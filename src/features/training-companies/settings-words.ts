import type { CompanySettings } from '#contract/entities/training-company.ts';
import { companyMessageKinds, companyMessages, preferenceOf } from '#contract/rules/company-messages.ts';
import { countOf } from '#src/lib/format.ts';

const yes = (is: boolean) => (is ? 'yes' : 'no');
const limit = (least: number | null, most: number | null) => `${least ?? 'no minimum'} to ${most ?? 'no maximum'}`;
/** All settings, a line each, to compare typed values with a version that somebody else saved. */
const lines = (s: Omit<CompanySettings, 'entity' | 'inherited_from' | 'rev'>): string[] => [
  `Several days in one booking: ${yes(s.allow_multiple_days_per_booking)}`,
  `Several sessions in one booking: ${yes(s.allow_multiple_sessions_per_booking)}`,
  `Virtual sessions: ${yes(s.allow_virtual_training_sessions)}`,
  `Certificates at once: ${yes(s.auto_release_certificates)}`,
  `Counts as coming after: ${s.delegate_auto_accept_period === null ? 'never' : countOf(s.delegate_auto_accept_period, 'hour')}`,
  `Moving up accepted within: ${countOf(s.waiting_list_accept_hours, 'hour')}`,
  `Given up until: ${countOf(s.delegate_removal_cutoff_hours, 'hour')} before`,
  `Practical: ${limit(s.practical_min_delegates, s.practical_max_delegates)} delegates`,
  `Theory: ${limit(s.theory_min_delegates, s.theory_max_delegates)} delegates`,
  `References begin with: ${s.bookings_organiser_reference_prefix || 'nothing'}`,
  `Logo: ${s.logo ? s.logo.slice(-12, -4) : 'none'}`,
  ...companyMessageKinds.map((kind) => {
    const { email, text } = preferenceOf(s.communication_preferences_json, kind);
    return `${companyMessages[kind].label}: ${email ? 'by e-mail too' : 'no e-mail'}, ${text ?? 'standard text'}`;
  }),
];
/** The differences between two versions of the settings. */
export const differingSettings = (mine: Partial<CompanySettings>, theirs: CompanySettings) => {
  const [a, b] = [lines({ ...theirs, ...mine }), lines(theirs)];
  const differ = a.flatMap((line, i) => (line === b[i] ? [] : [[line, b[i] ?? '']]));
  const join = (side: 0 | 1) => differ.map((pair) => pair[side]).join('. ') || 'The same.';
  return { mine: join(0), theirs: join(1) };
};
