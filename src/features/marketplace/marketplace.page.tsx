import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { mayOffer } from '#contract/api/marketplace.ts';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { MarketplaceItem } from '#contract/entities/marketplace.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { ItemForm } from '#src/features/marketplace/item-form.tsx';
import { priceWords, soldWords, typeWords } from '#src/features/marketplace/words.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconTag } from '#src/ui/icons.tsx';

type Sort = (typeof sorts.marketplace)[number];
const types = { elearning: 'elearning', face2face: 'face2face' } as const;
const load: LoadPage<MarketplaceItem, Sort> = ({ filter, ...query }, signal) => {
  const type = types[filter as keyof typeof types];
  return call('GET /marketplace-items', { query: { ...query, ...(type ? { type } : {}), ...(filter === 'own' ? { own: 'true' } : {}) } }, { signal });
};

const columns: readonly Column<MarketplaceItem>[] = [
  { id: 'title', header: 'Title', sort: 'title', width: 220, grow: 1.4, value: (i) => i.title },
  { id: 'provider', header: 'Provider', sort: 'provider', width: 170, value: (i) => i.provider.name },
  { id: 'type', header: 'Type', width: 130, grow: 0.3, value: (i) => typeWords[i.type] },
  { id: 'sold', header: 'What you get', width: 170, grow: 0.5, value: soldWords },
  { id: 'price', header: 'Price', sort: 'price', width: 140, grow: 0.2, align: 'end', keep: true, value: priceWords },
];
/** For the organisation's own items. */
const ownColumns: readonly Column<MarketplaceItem>[] = [
  ...columns,
  {
    ...{ id: 'state', header: 'Status', width: 130, grow: 0.2, keep: true },
    value: (i) => (i.published ? '' : 'Not published'),
    cell: (i) => !i.published && <Badge tone="plain">Not published</Badge>,
  },
];

/** What providers offer, and what the user's own organisation offers. */
export const Component = () => {
  const user = useSession();
  const navigate = useNavigate();
  const offers = can(user, mayOffer);
  const list = useList(['marketplace'], load, { sortedBy: sorts.marketplace });
  const [adding, setAdding] = useState(false);
  return (
    <ListPage
      words={{
        ...{ title: 'Marketplace', one: 'an item', many: 'items', looksAt: 'Title, description or provider', none: 'Nothing is offered to you yet' },
        first: offers
          ? 'Training companies add what they offer: e-learning by licence, and places on face-to-face courses.'
          : 'What training companies offer to your organisation appears here.',
        failed: 'The marketplace could not be loaded.',
      }}
      list={list}
      icon={<IconTag size={36} />}
      filters={[
        { value: '', label: 'All' },
        { value: 'elearning', label: 'E-learning' },
        { value: 'face2face', label: 'Face to face' },
        ...(offers ? [{ value: 'own', label: 'Offered by us' }] : []),
      ]}
      add={offers && !adding && <Button onClick={() => setAdding(true)}>Add an item</Button>}
      form={
        adding && <ItemForm item={null} onSaved={({ id }) => void navigate(pathTo('marketplace-by-id', { id }))} onCancel={() => setAdding(false)} />
      }
      columns={offers ? ownColumns : columns}
      to={({ id }) => pathTo('marketplace-by-id', { id })}
    />
  );
};
