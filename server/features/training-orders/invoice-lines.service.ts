import { type Cell, csvLines, csvStart } from '#contract/rules/csv.ts';
import { moneyWords, plainAmount } from '#contract/rules/money.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { pdfPages } from '#server/pdf/pages.ts';
import type { Services } from '#server/services.ts';

type Sums = { net_pence: number; vat_pence: number; gross_pence: number };
type Shares = { provider_pence: number; platform_pence: number };
/** `on`: the date in words on which it became due. `shares`: for the provider and the platform; the client’s version has none. */
type Line = Sums & { title: string; on: string; quantity: number; price_pence: number; vat_rate: number; shares: Shares | null };

/** The invoice lines of an order or a booking. Payment happens outside the product (docs/payments.md). */
export type InvoiceLines = {
  kind: 'Order' | 'Booking';
  number: string;
  /** The meaning of the date: when it was approved, or held. */
  dated: 'Approved' | 'Held';
  client: string;
  reference: string;
  provider: { id: string; name: string };
  zone: string;
  lines: readonly Line[];
  total: Sums & { on: string; shares: Shares | null };
};

/** The lines for accounting, with their sum as the last. */
const invoiceCsv = ({ kind, number, dated, client, reference, provider, lines, total }: InvoiceLines): string => {
  const head = [kind, dated, 'Client', 'Reference', 'Provider', 'Item', 'Quantity', 'Price', 'Net', 'VAT rate', 'VAT', 'Gross'];
  const sharesOf = (shares: Shares | null): Cell[] => (shares ? [plainAmount(shares.provider_pence), plainAmount(shares.platform_pence)] : []);
  const about = (on: string): Cell[] => [number, on, client, reference, provider.name];
  const amounts = (sums: Sums, rate: Cell): Cell[] => [plainAmount(sums.net_pence), rate, plainAmount(sums.vat_pence), plainAmount(sums.gross_pence)];
  return `${csvStart}${csvLines([
    [...head, ...(total.shares ? ['Provider share', 'Platform share'] : [])],
    ...lines.map((l) => [...about(l.on), l.title, l.quantity, plainAmount(l.price_pence), ...amounts(l, l.vat_rate), ...sharesOf(l.shares)]),
    [...about(total.on), 'Total', '', '', ...amounts(total, ''), ...sharesOf(total.shares)],
  ])}`;
};

const invoicePdf = async (
  { db, now }: Pick<Services, 'db' | 'now'>,
  { kind, number, dated, client, reference, provider, zone, lines, total }: InvoiceLines,
): Promise<Buffer> => {
  const { whitelabel: brand } = await brandOf(db, provider.id);
  return pdfPages(
    {
      ...{ title: 'Invoice lines', name: `${kind} ${number}`, organisation: provider.name, at: now(), zone, brand, logo: null },
      about: [`For ${client}`, reference && `Your reference: ${reference}`].filter(Boolean).join(' · '),
      made: kind === 'Order' ? `${dated} on ${total.on}` : `${dated} until ${total.on}`,
    },
    [
      { word: 'Item', from: 0 },
      { word: 'Quantity', from: 0.4 },
      { word: 'Net', from: 0.53 },
      { word: 'VAT', from: 0.67 },
      { word: 'Gross', from: 0.85 },
    ],
    ({ row, paragraph }) => {
      for (const l of lines)
        row([
          { text: kind === 'Booking' ? `${l.title}, ${l.on}` : l.title },
          { text: `${l.quantity} × ${moneyWords(l.price_pence)}` },
          { text: moneyWords(l.net_pence) },
          { text: `${moneyWords(l.vat_pence)} (${l.vat_rate} %)` },
          { text: moneyWords(l.gross_pence) },
        ]);
      row([
        { text: 'Total' },
        { text: '' },
        { text: moneyWords(total.net_pence) },
        { text: moneyWords(total.vat_pence) },
        { text: moneyWords(total.gross_pence) },
      ]);
      if (total.shares)
        paragraph(
          `Of the net sum, ${moneyWords(total.shares.provider_pence)} is the provider’s and ${moneyWords(total.shares.platform_pence)} the platform’s.`,
        );
      paragraph('VAT is worked out for each line and rounded to the penny; the total is the sum of the lines.');
    },
  );
};

/** The lines in the requested format, named by the number of the order or booking. */
export const invoiceFile = async (services: Pick<Services, 'db' | 'now'>, lines: InvoiceLines, format: 'pdf' | 'csv') => {
  const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(lines.number)}.${format}` };
  return format === 'pdf'
    ? { file: await invoicePdf(services, lines), type: 'application/pdf', headers }
    : { file: Buffer.from(invoiceCsv(lines)), type: 'text/csv; charset=utf-8', headers };
};
