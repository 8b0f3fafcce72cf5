/** A cycle in the hierarchy, shared by all its members, and the index of one of them. */
type Ring<T> = { members: readonly T[]; at: number };
/** The number of ancestors of an item; and its cycle, if it is in one. */
export type PlaceInTree<T> = { depth: number; ring: Ring<T> | null };

/** The ancestors of a member of a cycle in order, back to itself: at most `most` of them, and the end. */
export const roundTheRing = <T>({ members, at }: Ring<T>, most: number): T[] => {
  const { length } = members;
  return Array.from({ length: Math.min(length, most) }, (_, i) => members[(at + i) % length] as T).concat(members[at] as T);
};

/** The place of each item, from its direct parent. Items below a cycle count from zero. Each item is visited once, however deep the tree is. */
export const placesInTree = <T>(things: readonly T[], above: (thing: T) => T | undefined): ((thing: T) => PlaceInTree<T>) => {
  const places = new Map<T, PlaceInTree<T>>();
  for (const thing of things) {
    const path = new Map<T, number>();
    let current: T | undefined = thing;
    while (current !== undefined && !places.has(current) && !path.has(current)) {
      path.set(current, path.size);
      current = above(current);
    }
    const way = [...path.keys()];
    const from = current === undefined || places.has(current) ? way.length : (path.get(current) as number);
    const ring = way.slice(from);
    for (const [at, member] of ring.entries()) places.set(member, { depth: 0, ring: { members: ring, at } });
    const start = ring.length > 0 ? 0 : current === undefined ? -1 : (places.get(current) as PlaceInTree<T>).depth;
    for (const [i, member] of way.slice(0, from).entries()) places.set(member, { depth: start + (from - i), ring: null });
  }
  return (thing) => places.get(thing) ?? { depth: 0, ring: null };
};
