import { type Amounts, lineAmounts, moneyWords, totalOf } from '#contract/rules/money.ts';

/** What places on one session are counted by: how many people have one, how many of those were bought before, and the price of the others. */
export type Places = {
  people: number;
  bought: number;
  price: { per_person_pence: number | null; per_session_pence: number | null; vat_rate: number } | null;
  /** Whether this booking pays the price of the session: the first of its client on it does. */
  paysSession: boolean;
};
export type PlacesLine = { of: 'person' | 'session'; quantity: number; price_pence: number; vat_rate: number } & Pick<
  Amounts,
  'net_pence' | 'vat_pence' | 'gross_pence'
>;

/**
 * What places on a session cost, line by line: each person by the price of a person, and the session once by that of a session. Places that
 * were bought before cost nothing; a session of which all were bought costs nothing either. In pence.
 */
export const placesLines = ({ people, bought, price, paysSession }: Places): PlacesLine[] => {
  const charged = people - bought;
  if (price === null || charged <= 0) return [];
  const line = (of: PlacesLine['of'], quantity: number, price_pence: number): PlacesLine => {
    const { vat_rate } = price;
    const { net_pence, vat_pence, gross_pence } = lineAmounts({ price_pence, quantity, vat_rate, platform_share: 0 });
    return { of, quantity, price_pence, vat_rate, net_pence, vat_pence, gross_pence };
  };
  return [
    ...(price.per_person_pence === null ? [] : [line('person', charged, price.per_person_pence)]),
    ...(price.per_session_pence === null || !paysSession ? [] : [line('session', 1, price.per_session_pence)]),
  ];
};

/** How many people have a place that nobody has named a price for. */
export const unpricedPlaces = ({ people, bought, price }: Pick<Places, 'people' | 'bought' | 'price'>): number =>
  price === null ? Math.max(0, people - bought) : 0;

/** What lines of places come to together. */
export const placesTotal = (lines: readonly PlacesLine[]) => {
  const { net_pence, vat_pence, gross_pence } = totalOf(lines.map((line) => ({ ...line, platform_pence: 0, provider_pence: line.net_pence })));
  return { net_pence, vat_pence, gross_pence };
};

type Sums = Pick<Amounts, 'net_pence' | 'vat_pence' | 'gross_pence'>;
type Counted = readonly { places: number }[];
const placesIn = (counted: Counted = []) => counted.reduce((sum, { places }) => sum + places, 0);
type Shown = Sums & { unpriced: number; bought?: number | undefined };
/** What a form shows of a cost: the sums, how many places have no price, and how many were bought before. Nothing where nothing is paid. */
export const shownOf = (cost: (Sums & { unpriced: Counted; bought: Counted }) | null): Shown & { bought: number } => ({
  net_pence: cost?.net_pence ?? 0,
  vat_pence: cost?.vat_pence ?? 0,
  gross_pence: cost?.gross_pence ?? 0,
  unpriced: placesIn(cost?.unpriced),
  bought: placesIn(cost?.bought),
});
const countWords = (places: number, what: string) => (places > 0 ? [`${places === 1 ? '1 place' : `${places} places`} ${what}`] : []);
/** Who shows no bought places (`bought` is not there) is told of none. */
const boughtOther = (from: Shown, to: Shown) => from.bought !== undefined && from.bought !== (to.bought ?? 0);
/** What is said where a price has changed before somebody booked or approved; null where it is as it was shown. */
export const priceChange = (from: Shown, to: Shown, again: 'book' | 'approve' = 'book'): string | null => {
  const other = boughtOther(from, to);
  if (!other && (['net_pence', 'vat_pence', 'gross_pence', 'unpriced'] as const).every((sum) => from[sum] === to[sum])) return null;
  const words = ({ gross_pence, unpriced, bought = 0 }: Shown) =>
    [moneyWords(gross_pence), ...countWords(unpriced, 'without a price'), ...(other ? countWords(bought, 'bought before') : [])].join(' and ');
  return `The price has changed from ${words(from)} to ${words(to)}, with VAT. Nothing is booked yet: ${again} again if you agree.`;
};
/**
 * Whether places that were given are worse than what was shown. Better is what somebody has whom a place was assigned to by hand: no form
 * that shows what a number of people cost can know of it.
 */
export const costsMore = (shown: Shown, given: Shown): boolean =>
  given.gross_pence > shown.gross_pence || given.unpriced > shown.unpriced || (shown.bought !== undefined && (given.bought ?? 0) < shown.bought);
