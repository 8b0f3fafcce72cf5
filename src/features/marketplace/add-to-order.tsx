import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { mayOrder } from '#contract/api/marketplace.ts';
import { can } from '#contract/can.ts';
import type { MarketplaceItem } from '#contract/entities/marketplace.ts';
import { lineAmounts, moneyWords } from '#contract/rules/money.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { FieldErrors } from '#src/api/field-errors.ts';
import { useAction } from '#src/screens/use-action.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

/** Adds an item to the draft order with its provider, and opens it. */
export const AddToOrder = ({ item }: { item: MarketplaceItem }) => {
  const navigate = useNavigate();
  const [quantity, setQuantity] = useState<string | number>(1);
  const [errors, setErrors] = useState<FieldErrors>({});
  const n = Number(quantity);
  const add = useAction(() => call('POST /training-orders', { body: { item_id: item.id, quantity: quantity === '' ? Number.NaN : n } }), {
    success: ({ number }) => `Added to order ${number}. Nothing is ordered until it is submitted and approved.`,
    onDone: ({ id }) => void navigate(pathTo('training-orders-by-id', { id })),
    onFailed: setErrors,
  });
  const ordersThis = can(useSession(), mayOrder) && item.published;
  if (!ordersThis || item.own) return null;
  const sum = quantity === '' ? null : lineAmounts({ ...item, quantity: n, platform_share: 0 });
  const { quantity: wrong, ...rest } = errors;
  return (
    <Section title="Order it">
      <NumberInput
        label="How many"
        {...{ min: 1, max: 500, clampBehavior: 'strict', allowDecimal: false, allowNegative: false }}
        value={quantity}
        onChange={(to) => {
          setQuantity(to);
          setErrors({});
        }}
        error={wrong ?? Object.values(rest)[0]}
      />
      {sum && <p className={layout.count}>{`${moneyWords(sum.net_pence)} + ${moneyWords(sum.vat_pence)} VAT = ${moneyWords(sum.gross_pence)}`}</p>}
      <Button loading={add.busy} onClick={() => void add.run()}>
        Add to an order
      </Button>
    </Section>
  );
};
