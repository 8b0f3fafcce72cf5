/** An assessor's recorded competence: a standard by its code, and the last valid day (null: no end). */
export type CompetenceRecord = { standard: string; until: string | null };

/**
 * Whether someone may decide that a criterion of this standard is met. `unknown` if nothing is recorded for them: an organisation
 * that keeps no such records is not blocked. `day`: YYYY-MM-DD.
 */
export const competentIn = (noted: readonly CompetenceRecord[], standard: string, day: string): 'yes' | 'no' | 'unknown' => {
  if (noted.length === 0) return 'unknown';
  return noted.some((n) => n.standard === standard && (n.until === null || n.until >= day)) ? 'yes' : 'no';
};

/** The standard of a criterion code: `9` for `9.1a`. */
export const standardOf = (criterion: string): string => criterion.slice(0, criterion.indexOf('.'));
