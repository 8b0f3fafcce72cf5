/**
 * A share in whole per cent, rounded: 2 of 3 is 67. It is 100 only for all and 0 only for none. Null if there is nothing to share.
 */
export const percentOf = (part: number, whole: number): number | null => {
  if (whole <= 0) return null;
  if (part <= 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((100 * part) / whole)));
};
