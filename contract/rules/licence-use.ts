/** How near licences are to being used up: a few are left, or none. Null where there is no need to say anything. */
export const licenceShortages = ['few', 'none'] as const;
export type LicenceShortage = (typeof licenceShortages)[number];
const usedShare = 0.8;
const fewLeft = 2;

/**
 * Few are left from four fifths used on, or where two or fewer are left of more: so that more can be ordered before the last one goes. What
 * nobody has used yet is no shortage, however little it is.
 */
export const licenceShortage = ({ total, used }: { total: number; used: number }): LicenceShortage | null => {
  if (total === 0 || used === 0) return null;
  if (used >= total) return 'none';
  return used / total >= usedShare || total - used <= fewLeft ? 'few' : null;
};
