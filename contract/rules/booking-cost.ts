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
/** What a form shows of a cost: the sums, and how many places have no price. Nothing where nothing is paid. */
export const shownOf = (cost: (Sums & { unpriced: readonly { places: number }[] }) | null): Sums & { unpriced: number } => ({
  net_pence: cost?.net_pence ?? 0,
  vat_pence: cost?.vat_pence ?? 0,
  gross_pence: cost?.gross_pence ?? 0,
  unpriced: (cost?.unpriced ?? []).reduce((sum, { places }) => sum + places, 0),
});
const shownWords = ({ gross_pence, unpriced }: ReturnType<typeof shownOf>) =>
  [moneyWords(gross_pence), ...(unpriced > 0 ? [`${unpriced === 1 ? '1 place' : `${unpriced} places`} without a price`] : [])].join(' and ');
/** What is said where a price has changed before somebody booked; null where it is as it was shown. */
export const priceChange = (from: ReturnType<typeof shownOf>, to: ReturnType<typeof shownOf>): string | null =>
  (['net_pence', 'vat_pence', 'gross_pence', 'unpriced'] as const).every((sum) => from[sum] === to[sum])
    ? null
    : `The price has changed from ${shownWords(from)} to ${shownWords(to)}, with VAT. Nothing is booked yet: book again if you agree.`;
