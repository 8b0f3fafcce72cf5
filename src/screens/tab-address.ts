/** A tab as known to the address. `places`: the ids of elements in it, to which a link may lead (#…). */
export type TabAddress = { id: string; places?: readonly string[] };

/** The tab in the query of an address. */
export const tabNamed = (search: string): string | null => new URLSearchParams(search).get('tab');

/** The tab that an address opens: the one that contains its hash, otherwise the one in its query, otherwise the first. */
export const openTab = <T extends TabAddress>(tabs: readonly [T, ...T[]], { search, hash }: { search: string; hash: string }): T => {
  const place = hash.slice(1);
  const named = tabNamed(search);
  return tabs.find((tab) => tab.places?.includes(place)) ?? tabs.find((tab) => tab.id === named) ?? tabs[0];
};

/** The query of an address with another tab; `null` is the first, which is left out. Other parameters are kept. */
export const withTab = (search: string, tab: string | null): string => {
  const query = new URLSearchParams(search);
  if (tab === null) query.delete('tab');
  else query.set('tab', tab);
  return query.size > 0 ? `?${query}` : '';
};
