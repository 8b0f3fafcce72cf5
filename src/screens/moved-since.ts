/** Unsaved values of a form. `was`: the earlier values of the same fields, if the edited thing has no version. */
export type Typed<V> = { changed: Partial<V>; was?: Partial<V> };

/** The fields of a draft that somebody else changed after it was typed: their values now are neither the earlier ones nor the typed ones. */
export const movedSince = <V extends object>({ changed, was = {} }: Typed<V>, begin: V): (keyof V & string)[] => {
  const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  return (Object.keys(was) as (keyof V & string)[]).filter((field) => differ(begin[field], was[field]) && differ(begin[field], changed[field]));
};
