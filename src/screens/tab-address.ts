/** A tab of a page as its address knows it. `places`: the ids of what stands in it, to which a link may lead (#…). */
export type TabAddress = { id: string; places?: readonly string[] };

/** The tab that the query of an address names. */
export const tabNamed = (search: string): string | null => new URLSearchParams(search).get('tab');

/** The tab that an address opens: the one that holds the place it names, else the one it names, else the first. */
export const openTab = <T extends TabAddress>(tabs: readonly [T, ...T[]], { search, hash }: { search: string; hash: string }): T => {
  const place = hash.slice(1);
  const named = tabNamed(search);
  return tabs.find((tab) => tab.places?.includes(place)) ?? tabs.find((tab) => tab.id === named) ?? tabs[0];
};

/** The query of an address with another tab open; `null` is the first, which is not named. What else it says stays. */
export const withTab = (search: string, tab: string | null): string => {
  const query = new URLSearchParams(search);
  if (tab === null) query.delete('tab');
  else query.set('tab', tab);
  return query.size > 0 ? `?${query}` : '';
};
