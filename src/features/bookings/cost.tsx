import type { ReactNode } from 'react';
import type { BookingCost, CostLine } from '#contract/entities/booking.ts';
import { dayWords } from '#contract/rules/days.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { countOf } from '#src/lib/format.ts';
import { Facts } from '#src/screens/detail-page.tsx';
import layout from '#src/ui/page.module.css';

type Sums = Pick<BookingCost, 'net_pence' | 'vat_pence' | 'gross_pence'>;
const sumWords = ({ net_pence, vat_pence, gross_pence }: Sums, rate = '') =>
  `${moneyWords(net_pence)} + ${moneyWords(vat_pence)} VAT${rate} = ${moneyWords(gross_pence)}`;
const lineWords = ({ of, quantity, price_pence, vat_rate, ...sums }: CostLine) =>
  `${of === 'session' ? `The session, ${moneyWords(price_pence)}` : `${countOf(quantity, 'person', 'people')} at ${moneyWords(price_pence)}`}: ${sumWords(sums, ` (${vat_rate} %)`)}`;

/** Places that were bought before, and places without a known price. */
const uncharged = ({ bought, unpriced }: BookingCost) => [
  ...bought.map((b) => ({ ...b, words: `${countOf(b.places, 'place')} bought before${b.number ? `, with ${b.number}` : ''}` })),
  ...unpriced.map((u) => ({ ...u, words: `${countOf(u.places, 'place')} without a price: ask the provider what it costs` })),
];

type Props = { cost: BookingCost; title: string; note: string };
/** The cost of a booking, by session. Renders nothing if there is nothing to show. */
export const Cost = ({ cost, title, note }: Props) => {
  const items = [...cost.lines.map((line) => ({ ...line, words: lineWords(line) })), ...uncharged(cost)];
  const sessions = Map.groupBy(items, (part) => `${part.title}, ${dayWords(part.on)}`);
  if (items.length === 0) return null;
  return (
    <Facts
      title={title}
      facts={[
        ...[...sessions].map(([name, parts]): [string, ReactNode] => [name, parts.map(({ words }) => <div key={words}>{words}</div>)]),
        ['Total', cost.lines.length > 1 && <strong>{sumWords(cost)}</strong>],
        ['', cost.lines.length > 0 && <span className={layout.soft}>{note}</span>],
      ]}
    />
  );
};

/** The estimated cost, in a sentence. */
export const CostEstimate = ({ cost }: { cost: BookingCost }) => (
  <>
    {cost.lines.length > 0 && (
      <p>
        Costs <strong>{sumWords(cost)}</strong>, if everyone gets a place.
      </p>
    )}
    {cost.lines.length === 0 && cost.unpriced.length === 0 && <p>Costs nothing more: the places were bought before.</p>}
    {uncharged(cost).map(({ session_id, title, on, words }) => (
      <p key={`${session_id} ${words}`} className={layout.notice} data-tone="plain">
        {`${title}, ${dayWords(on)}: ${words}.`}
      </p>
    ))}
  </>
);
