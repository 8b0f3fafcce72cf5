/** A copy of a list with one item moved to another position. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const next = [...list];
  const [thing] = next.splice(from, 1);
  if (thing !== undefined) next.splice(to, 0, thing);
  return next;
};
