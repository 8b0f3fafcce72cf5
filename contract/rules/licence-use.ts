/** Whether licences are running out: few are left, or none. Null if there is nothing to report. */
export const licenceShortages = ['few', 'none'] as const;
export type LicenceShortage = (typeof licenceShortages)[number];
const usedShare = 0.8;
const fewLeft = 2;

/**
 * Few are left once four fifths are used, or if two or fewer of more are left, so that more can be ordered in time. Unused licences
 * are no shortage, however few there are.
 */
export const licenceShortage = ({ total, used }: { total: number; used: number }): LicenceShortage | null => {
  if (total === 0 || used === 0) return null;
  if (used >= total) return 'none';
  return used / total >= usedShare || total - used <= fewLeft ? 'few' : null;
};
