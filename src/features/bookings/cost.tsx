import type { BookingCost, CostLine } from '#contract/entities/booking.ts';
import { dayWords } from '#contract/rules/days.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { countOf } from '#src/lib/format.ts';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import layout from '#src/ui/page.module.css';

type Row = CostLine & { id: string };
const columns: readonly Column<Row>[] = [
  {
    ...{ id: 'what', header: 'What', width: 240, grow: 1.5, keep: true },
    value: (l) => `${l.title}, ${dayWords(l.on)}${l.of === 'session' ? ': the session' : ''}`,
  },
  {
    id: 'quantity',
    header: 'How many',
    width: 100,
    grow: 0,
    align: 'end',
    value: (l) => (l.of === 'session' ? '1' : countOf(l.quantity, 'person', 'people')),
  },
  { id: 'each', header: 'Each', width: 110, grow: 0, align: 'end', value: (l) => moneyWords(l.price_pence) },
  { id: 'net', header: 'Net', width: 110, grow: 0, align: 'end', value: (l) => moneyWords(l.net_pence) },
  { id: 'vat', header: 'VAT', width: 120, grow: 0, align: 'end', value: (l) => `${moneyWords(l.vat_pence)} (${l.vat_rate} %)` },
  { id: 'gross', header: 'With VAT', width: 120, grow: 0, align: 'end', keep: true, value: (l) => moneyWords(l.gross_pence) },
];

const totalWords = ({ net_pence, vat_pence, gross_pence }: BookingCost) =>
  `${moneyWords(net_pence)} + ${moneyWords(vat_pence)} VAT = ${moneyWords(gross_pence)}`;

/** The places that cost nothing more, and those of which nobody knows what they cost. */
const Besides = ({ cost: { bought, unpriced } }: { cost: BookingCost }) => (
  <>
    {bought.map(({ session_id, title, on, number, places }) => (
      <p key={`${session_id} ${number}`} className={layout.count}>
        {`${title}, ${dayWords(on)}: ${countOf(places, 'place')} bought before${number ? `, with ${number}` : ''}.`}
      </p>
    ))}
    {unpriced.map(({ session_id, title, on, places }) => (
      <p key={session_id} className={layout.notice} data-tone="plain">
        {`${title}, ${dayWords(on)}: the provider has no price in its list for ${countOf(places, 'place')}. Ask what it costs.`}
      </p>
    ))}
  </>
);

/** What a booking costs, line by line. `name`: of the table. */
export const CostTable = ({ cost, name }: { cost: BookingCost; name: string }) => (
  <>
    {cost.lines.length > 0 && (
      <>
        <Table label={name} name="booking-cost" columns={columns} rows={cost.lines.map((l) => ({ ...l, id: `${l.session_id} ${l.of}` }))} />
        <p>
          <strong>{totalWords(cost)}</strong>
        </p>
      </>
    )}
    <Besides cost={cost} />
  </>
);

/** What it would cost, in a line. */
export const CostEstimate = ({ cost }: { cost: BookingCost }) => (
  <>
    {(cost.lines.length > 0 || cost.unpriced.length === 0) && (
      <p>
        {cost.lines.length > 0 ? 'Costs ' : 'Costs nothing more: '}
        {cost.lines.length > 0 && <strong>{totalWords(cost)}</strong>}
        {cost.lines.length > 0 ? ', if everybody gets a place.' : 'the places were bought before.'}
      </p>
    )}
    <Besides cost={cost} />
  </>
);
