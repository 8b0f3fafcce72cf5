import { dayIn, dayWords } from '#contract/rules/days.ts';
import { existing } from '#server/db/rows.ts';
import { invoiceFile, type InvoiceLines } from '#server/features/training-orders/invoice-lines.service.ts';
import { orderAt } from '#server/features/training-orders/orders.rows.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** The shares of platform and provider, where the caller sees them. */
const sharesOf = ({ provider_pence, platform_pence }: { provider_pence: number | null; platform_pence: number | null }) =>
  provider_pence === null || platform_pence === null ? null : { provider_pence, platform_pence };

/** The invoice lines of an approved order. */
export const invoicesOf = (services: Pick<Services, 'db' | 'now'>) => ({
  file: async (actor: Actor, id: string, format: 'pdf' | 'csv') => {
    const order = await orderAt(services.db, actor, id, services.now());
    existing(order.approved_at !== null);
    const on = order.approved_at ? dayWords(dayIn(order.approved_at, order.zone)) : '';
    const { number, reference, provider, zone } = order;
    const lines: InvoiceLines = {
      ...{ kind: 'Order', dated: 'Approved', number, reference, provider, zone, client: order.entity.name },
      lines: order.lines.map((l) => ({ ...l, on, shares: sharesOf(l) })),
      total: { ...order, on, shares: sharesOf(order) },
    };
    return invoiceFile(services, lines, format);
  },
});
