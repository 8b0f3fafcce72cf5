/** Unsaved values of a form. `was`: the earlier values of the same fields, if the edited thing has no version. */
export type Typed<V> = { changed: Partial<V>; was?: Partial<V> };

/** The fields of a draft that somebody else changed after it was typed: their values now are neither the earlier ones nor the typed ones. */
export const movedSince = <V extends object>({ changed, was = {} }: Typed<V>, begin: V): (keyof V & string)[] => {
  const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  return (Object.keys(was) as (keyof V & string)[]).filter((field) => differ(begin[field], was[field]) && differ(begin[field], changed[field]));
};

/**
 * What was typed into a form that began with `begin`, over the values as they are `now`; and the fields that both changed, each to something
 * else. A field that nobody typed into stays as somebody else left it.
 */
export const changesOver = <V extends object>(begin: V, values: V, now: V): { typed: V; both: (keyof V & string)[] } => {
  const own = (of: V) =>
    Object.fromEntries(
      Object.entries(of).filter(([field]) => JSON.stringify(values[field as keyof V]) !== JSON.stringify(begin[field as keyof V])),
    ) as Partial<V>;
  const changed = own(values);
  return { typed: { ...now, ...changed }, both: movedSince({ changed, was: own(begin) }, now) };
};
