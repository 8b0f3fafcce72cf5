/** What is noted of an assessor: standards by their codes, each with the last day on which it holds (null: no end). */
export type Noted = { standard: string; until: string | null };

/**
 * Whether somebody may decide that a criterion of this standard is met. `unknown` where nothing at all is noted of them: an
 * organisation that keeps no such notes is not stopped by their absence. `day`: YYYY-MM-DD.
 */
export const competentIn = (noted: readonly Noted[], standard: string, day: string): 'yes' | 'no' | 'unknown' => {
  if (noted.length === 0) return 'unknown';
  return noted.some((n) => n.standard === standard && (n.until === null || n.until >= day)) ? 'yes' : 'no';
};

/** The standard that a criterion belongs to, by its code: that of `9.1a` is `9`. */
export const standardOf = (criterion: string): string => criterion.slice(0, criterion.indexOf('.'));
