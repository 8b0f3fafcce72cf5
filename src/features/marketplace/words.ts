import type { MarketplaceItem } from '#contract/entities/marketplace.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { countOf } from '#src/lib/format.ts';

export const typeWords = { elearning: 'E-learning', face2face: 'Face to face' } as const;
export const audienceWords = { all: 'All organisations', clients: 'Clients only' } as const;

type Sold = Pick<MarketplaceItem, 'type' | 'seats' | 'licence_months'>;
/** The contents of one item: “10 licences, 12 months”. */
export const soldWords = ({ type, seats, licence_months }: Sold): string => {
  const people = seats === null ? 'Everybody' : type === 'elearning' ? countOf(seats, 'licence', 'licences') : countOf(seats, 'place', 'places');
  return [people, licence_months && countOf(licence_months, 'month', 'months')].filter(Boolean).join(', ');
};
/** £25.00 + VAT. */
export const priceWords = ({ price_pence, vat_rate }: Pick<MarketplaceItem, 'price_pence' | 'vat_rate'>): string =>
  price_pence === 0 ? 'Free' : `${moneyWords(price_pence)}${vat_rate === 0 ? '' : ' + VAT'}`;
