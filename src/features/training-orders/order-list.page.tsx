import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { mayOffer, mayOrder } from '#contract/api/marketplace.ts';
import { orderFilters } from '#contract/api/training-orders.ts';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { OrderRow } from '#contract/entities/training-order.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { BudgetBar } from '#src/features/training-orders/budget-bar.tsx';
import { ShortageBadge, shortageWords, StateBadge, stateWords } from '#src/features/training-orders/words.tsx';
import { formatDay } from '#src/lib/format.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { IconBasket } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

const load: LoadPage<OrderRow, (typeof sorts.orders)[number]> = ({ filter: value, ...query }, signal) => {
  const filter = orderFilters.find((f) => f === value);
  return call('GET /training-orders', { query: { ...query, ...(filter ? { filter } : {}) } }, { signal });
};
const columns: readonly Column<OrderRow>[] = [
  { id: 'number', header: 'Order', width: 110, grow: 0, value: (o) => o.number },
  { id: 'about', header: 'What', width: 240, grow: 1.6, value: (o) => o.about },
  { id: 'entity', header: 'For', width: 170, value: (o) => o.entity.name },
  { id: 'provider', header: 'Provider', sort: 'provider', width: 170, value: (o) => o.provider.name },
  { id: 'created', header: 'Made', sort: 'created_at', width: 120, grow: 0, value: (o) => formatDay(o.created_at), order: (o) => o.created_at },
  { id: 'gross', header: 'With VAT', sort: 'gross', width: 120, grow: 0, align: 'end', value: (o) => moneyWords(o.gross_pence) },
  {
    ...{ id: 'state', header: 'Status', width: 190, grow: 0.3, keep: true },
    value: (o) => [stateWords[o.state], o.shortage && shortageWords[o.shortage]].filter(Boolean).join(', '),
    cell: (o) => (
      <div className={layout.tools}>
        <StateBadge state={o.state} />
        {o.shortage && <ShortageBadge shortage={o.shortage} />}
      </div>
    ),
  },
];

/** An organisation's orders in the marketplace, with its budget; and for a provider, its clients' orders. */
export const Component = () => {
  const user = useSession();
  const list = useList(['training orders'], load, { sortedBy: sorts.orders });
  return (
    <ListPage
      words={{
        ...{ title: 'Training orders', one: 'an order', many: 'orders', looksAt: 'Number, reference or provider', none: 'There are no orders yet' },
        first: 'Find something in the marketplace and add it to an order. It is ordered once it is approved.',
        failed: 'The orders could not be loaded.',
      }}
      list={list}
      icon={<IconBasket size={36} />}
      filters={[
        { value: '', label: 'All' },
        { value: 'open', label: 'Open' },
        { value: 'waiting', label: 'Waiting for approval' },
        { value: 'done', label: 'Decided' },
        { value: 'short', label: 'Licences running out' },
        ...(can(user, mayOffer) ? [{ value: 'clients', label: 'From clients' }] : []),
      ]}
      add={
        <Button component={Link} to={pathTo('marketplace')}>
          Find training
        </Button>
      }
      form={can(user, mayOrder) && <BudgetBar />}
      columns={columns}
      to={({ id }) => pathTo('training-orders-by-id', { id })}
    />
  );
};
