/** What was typed into a form and not saved. `was`: what the same fields held before, where what is changed has no version. */
export type Typed<V> = { changed: Partial<V>; was?: Partial<V> };

/** The fields of a draft that somebody else changed after it was typed: what they hold now is neither what was there nor what was typed. */
export const movedSince = <V extends object>({ changed, was = {} }: Typed<V>, begin: V): (keyof V & string)[] => {
  const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  return (Object.keys(was) as (keyof V & string)[]).filter((field) => differ(begin[field], was[field]) && differ(begin[field], changed[field]));
};
