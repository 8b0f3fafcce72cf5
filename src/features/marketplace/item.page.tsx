import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { mayOffer } from '#contract/api/marketplace.ts';
import { can } from '#contract/can.ts';
import type { MarketplaceItem } from '#contract/entities/marketplace.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { AddToOrder } from '#src/features/marketplace/add-to-order.tsx';
import { ItemForm } from '#src/features/marketplace/item-form.tsx';
import { TryCourse } from '#src/features/marketplace/try-course.tsx';
import { audienceWords, priceWords, soldWords, typeWords } from '#src/features/marketplace/words.ts';
import { DetailPage, Facts } from '#src/screens/detail-page.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

const Price = ({ item }: { item: MarketplaceItem }) => (
  <Facts
    title="Price"
    facts={[
      ['For', soldWords(item)],
      ['Without VAT', moneyWords(item.price_pence)],
      ['VAT', `${item.vat_rate} %`],
      ['With VAT', moneyWords(item.gross_pence)],
      ['Platform’s share', item.platform_share !== null && `${item.platform_share} %`],
      ['Your share', item.platform_share !== null && `${100 - item.platform_share} %`],
      ['Offered to', item.own && audienceWords[item.available_to]],
    ]}
  />
);

const Item = ({ item, retry }: { item: MarketplaceItem; retry: () => void }) => {
  const navigate = useNavigate();
  const changes = can(useSession(), mayOffer) && item.own;
  const [editing, setEditing] = useState(false);
  const [trying, setTrying] = useState(false);
  const remove = useAction(() => call('DELETE /marketplace-items/{id}', { params: { id: item.id } }), {
    success: 'Deleted.',
    onDone: () => void navigate(pathTo('marketplace')),
  });
  if (editing)
    return (
      <DetailPage title={item.title}>
        <ItemForm
          item={item}
          onCancel={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            retry();
          }}
        />
      </DetailPage>
    );
  return (
    <DetailPage
      title={item.title}
      badge={!item.published && <Badge tone="plain">Not published</Badge>}
      about={[item.provider.name, typeWords[item.type], priceWords(item)]}
      actions={
        <>
          {item.can_be_tried && (
            <Button variant="default" aria-expanded={trying} onClick={() => setTrying(!trying)}>
              {trying ? 'Close the preview' : 'Try it'}
            </Button>
          )}
          {changes && (
            <Button variant="default" onClick={() => setEditing(true)}>
              Edit
            </Button>
          )}
          {changes && <DeleteButton question="Delete this item? It remains in the audit log." onDelete={() => void remove.run()} />}
        </>
      }
      aside={
        <>
          <Price item={item} />
          <AddToOrder item={item} />
        </>
      }
    >
      {trying && <TryCourse id={item.id} />}
      <Section title="About it">
        {item.description ? (
          <p style={{ whiteSpace: 'pre-line', margin: 0 }}>{item.description}</p>
        ) : (
          <p className={layout.count}>Nothing is written about it yet.</p>
        )}
        <p className={layout.count}>Goes into the training record as “{item.course.name}”.</p>
      </Section>
    </DetailPage>
  );
};

/** A marketplace item: what it is, its price, and a preview of e-learning. Its provider can change it here. */
export const Component = () => {
  const { id = '' } = useParams();
  const { state, retry } = useRead('GET /marketplace-items/{id}', { params: { id } });
  if (state.kind !== 'loaded')
    return (
      <DetailPage title="Marketplace item">
        <ReadPlaceholder state={state} retry={retry} loading="Loading the item" offline="The marketplace needs a connection." />
      </DetailPage>
    );
  return <Item key={state.data.id} item={state.data} retry={retry} />;
};
