import type { TrainingOrder } from '#contract/entities/training-order.ts';
import { type Cell, csvLines, csvStart } from '#contract/rules/csv.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { moneyWords, plainAmount } from '#contract/rules/money.ts';
import { existing } from '#server/db/rows.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { orderAt } from '#server/features/training-orders/orders.rows.ts';
import { pdfPages } from '#server/pdf/pages.ts';
import { dayInPdf } from '#server/pdf/typeface.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

type Order = TrainingOrder & { zone: string };
type Shares = { provider_pence: number | null; platform_pence: number | null };

/** The lines of an order for accounts, with its sum as the last. The shares are for the provider and the platform: the client’s has none. */
export const invoiceCsv = (order: Order): string => {
  const approved = order.approved_at ? dayWords(dayIn(order.approved_at, order.zone)) : '';
  const head = ['Order', 'Approved', 'Client', 'Reference', 'Provider', 'Item', 'Quantity', 'Price', 'Net', 'VAT rate', 'VAT', 'Gross'];
  const shares = order.provider_pence !== null;
  const sharesOf = ({ provider_pence, platform_pence }: Shares): Cell[] =>
    shares ? [plainAmount(provider_pence ?? 0), plainAmount(platform_pence ?? 0)] : [];
  const about: Cell[] = [order.number, approved, order.entity.name, order.reference, order.provider.name];
  const amounts = (of: { net_pence: number; vat_pence: number; gross_pence: number }, rate: Cell): Cell[] => [
    ...[plainAmount(of.net_pence), rate, plainAmount(of.vat_pence), plainAmount(of.gross_pence)],
  ];
  return `${csvStart}${csvLines([
    [...head, ...(shares ? ['Provider share', 'Platform share'] : [])],
    ...order.lines.map((l) => [...about, l.title, l.quantity, plainAmount(l.price_pence), ...amounts(l, l.vat_rate), ...sharesOf(l)]),
    [...about, 'Total', '', '', ...amounts(order, ''), ...sharesOf(order)],
  ])}`;
};

/** What is to be paid for an order, line by line. It is paid outside of the product (docs/payments.md). */
export const invoicesOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const pdf = async (order: Order): Promise<Buffer> => {
    const { whitelabel: brand } = await brandOf(db, order.provider.id);
    const approved = order.approved_at ? dayInPdf(order.approved_at, order.zone) : '';
    return pdfPages(
      {
        ...{
          title: 'Invoice lines',
          name: `Order ${order.number}`,
          organisation: order.provider.name,
          at: now(),
          zone: order.zone,
          brand,
          logo: null,
        },
        about: [`For ${order.entity.name}`, order.reference && `Your reference: ${order.reference}`].filter(Boolean).join(' · '),
        made: `Approved on ${approved}`,
      },
      [
        { word: 'Item', from: 0 },
        { word: 'Quantity', from: 0.4 },
        { word: 'Net', from: 0.53 },
        { word: 'VAT', from: 0.67 },
        { word: 'Gross', from: 0.85 },
      ],
      ({ row, paragraph }) => {
        for (const l of order.lines)
          row([
            { text: l.title },
            { text: `${l.quantity} × ${moneyWords(l.price_pence)}` },
            { text: moneyWords(l.net_pence) },
            { text: `${moneyWords(l.vat_pence)} (${l.vat_rate} %)` },
            { text: moneyWords(l.gross_pence) },
          ]);
        row([
          { text: 'Total' },
          { text: '' },
          { text: moneyWords(order.net_pence) },
          { text: moneyWords(order.vat_pence) },
          { text: moneyWords(order.gross_pence) },
        ]);
        if (order.provider_pence !== null && order.platform_pence !== null)
          paragraph(`Of the net sum, ${moneyWords(order.provider_pence)} is the provider’s and ${moneyWords(order.platform_pence)} the platform’s.`);
        paragraph('VAT is worked out for each line and rounded to the penny; the total is the sum of the lines.');
      },
    );
  };
  return {
    file: async (actor: Actor, id: string, format: 'pdf' | 'csv') => {
      const order = await orderAt(db, actor, id, now());
      existing(order.approved_at !== null);
      const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''${order.number}.${format}` };
      return format === 'pdf'
        ? { file: await pdf(order), type: 'application/pdf', headers }
        : { file: Buffer.from(invoiceCsv(order)), type: 'text/csv; charset=utf-8', headers };
    },
  };
};
