import { type Amounts, lineAmounts, moneyWords, totalOf } from '#contract/rules/money.ts';

/** The basis of the cost of a session's places: how many people have one, how many were bought before, and the price of the others. */
export type Places = {
  people: number;
  bought: number;
  price: { per_person_pence: number | null; per_session_pence: number | null; vat_rate: number } | null;
  /** Whether this booking pays the session price: the client's first booking on it does. */
  paysSession: boolean;
};
export type PlacesLine = { of: 'person' | 'session'; quantity: number; price_pence: number; vat_rate: number } & Pick<
  Amounts,
  'net_pence' | 'vat_pence' | 'gross_pence'
>;

/**
 * The cost of places on a session, by line: each person at the price per person, and the session once at its price. Places that
 * were bought before cost nothing; a session with only such places costs nothing either. In pence.
 */
export const placesLines = ({ people, bought, price, paysSession }: Places): PlacesLine[] => {
  const charged = people - bought;
  if (price === null || charged <= 0) return [];
  const line = (priced: PlacesLine['of'], quantity: number, price_pence: number): PlacesLine => {
    const { vat_rate } = price;
    const { net_pence, vat_pence, gross_pence } = lineAmounts({ price_pence, quantity, vat_rate, platform_share: 0 });
    return { of: priced, quantity, price_pence, vat_rate, net_pence, vat_pence, gross_pence };
  };
  return [
    ...(price.per_person_pence === null ? [] : [line('person', charged, price.per_person_pence)]),
    ...(price.per_session_pence === null || !paysSession ? [] : [line('session', 1, price.per_session_pence)]),
  ];
};

/** How many people have a place without a price. */
export const unpricedPlaces = ({ people, bought, price }: Pick<Places, 'people' | 'bought' | 'price'>): number =>
  price === null ? Math.max(0, people - bought) : 0;

/** The total of lines of places. */
export const placesTotal = (lines: readonly PlacesLine[]) => {
  const { net_pence, vat_pence, gross_pence } = totalOf(lines.map((line) => ({ ...line, platform_pence: 0, provider_pence: line.net_pence })));
  return { net_pence, vat_pence, gross_pence };
};

type Sums = Pick<Amounts, 'net_pence' | 'vat_pence' | 'gross_pence'>;
type Counted = readonly { places: number }[];
const placesIn = (counted: Counted = []) => counted.reduce((sum, { places }) => sum + places, 0);
type Shown = Sums & { unpriced: number; bought?: number | undefined };
/** The cost that a form displays: the sums, how many places have no price, and how many were bought before. Null if nothing is charged. */
export const shownOf = (cost: (Sums & { unpriced: Counted; bought: Counted }) | null): Shown & { bought: number } => ({
  net_pence: cost?.net_pence ?? 0,
  vat_pence: cost?.vat_pence ?? 0,
  gross_pence: cost?.gross_pence ?? 0,
  unpriced: placesIn(cost?.unpriced),
  bought: placesIn(cost?.bought),
});
const countWords = (places: number, what: string) => (places > 0 ? [`${places === 1 ? '1 place' : `${places} places`} ${what}`] : []);
/** Callers who may not see bought places (`bought` is absent) are told of none. */
const boughtOther = (from: Shown, to: Shown) => from.bought !== undefined && from.bought !== (to.bought ?? 0);
/** The message if a price changed before somebody booked or approved; null if it is as displayed. */
export const priceChange = (from: Shown, to: Shown, again: 'book' | 'approve' = 'book'): string | null => {
  const other = boughtOther(from, to);
  if (!other && (['net_pence', 'vat_pence', 'gross_pence', 'unpriced'] as const).every((sum) => from[sum] === to[sum])) return null;
  const words = ({ gross_pence, unpriced, bought = 0 }: Shown) =>
    [moneyWords(gross_pence), ...countWords(unpriced, 'without a price'), ...(other ? countWords(bought, 'bought before') : [])].join(' and ');
  return `The price has changed from ${words(from)} to ${words(to)}, with VAT. Nothing is booked yet: ${again} again if you agree.`;
};
/**
 * Whether the actual places cost more than displayed. They may cost less if a place was assigned to somebody by hand: a form that estimates
 * for a number of people cannot know.
 */
export const costsMore = (shown: Shown, charge: Shown): boolean =>
  charge.gross_pence > shown.gross_pence || charge.unpriced > shown.unpriced || (shown.bought !== undefined && (charge.bought ?? 0) < shown.bought);
