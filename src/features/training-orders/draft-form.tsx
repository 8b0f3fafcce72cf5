import { ActionIcon, Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { OrderDraft } from '#contract/api/training-orders.ts';
import type { TrainingOrder } from '#contract/entities/training-order.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import form from '#src/ui/form.module.css';
import { IconClose } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

type Line = { item_id: string; quantity: number | string };
type Props = { order: TrainingOrder; onSaved: () => void; onDirty: (dirty: boolean) => void };

/** The items of a draft with their quantities, the reference for the invoice and a note for those who approve it. */
export const DraftForm = ({ order, onSaved, onDirty }: Props) => {
  const fields = useForm({
    schema: OrderDraft,
    begin: {
      ...{ reference: order.reference, note: order.note ?? '', rev: order.rev },
      lines: order.lines.map(({ item_id, quantity }) => ({ item_id, quantity })) as Line[],
    },
    toInput: ({ lines, ...typed }) => ({
      ...typed,
      lines: lines.map(({ item_id, quantity }) => ({ item_id, quantity: quantity === '' ? Number.NaN : Number(quantity) })),
    }),
    save: (body) => call('PATCH /training-orders/{id}', { params: { id: order.id }, body }),
    success: 'Saved.',
    onSaved,
  });
  const { dirty } = fields;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const { lines } = fields.values;
  const { error } = fields.field('lines');
  return (
    <Form
      form={fields}
      label="Draft"
      beside={
        <Button variant="default" component={Link} to={pathTo('marketplace')}>
          Find more
        </Button>
      }
    >
      <FormSection title="What is ordered" data-field="lines" wide>
        {error && <p role="alert">{error}</p>}
        {lines.length === 0 && <p className={layout.count}>There is nothing in this order yet.</p>}
        <ul className={form.lines}>
          {lines.map(({ item_id }, i) => {
            const line = order.lines.find((l) => l.item_id === item_id);
            return (
              <li key={item_id}>
                <span>
                  <strong>{line?.title}</strong>
                  <small className={layout.soft}>
                    {line?.withdrawn ? 'No longer offered. Remove it.' : line && `${moneyWords(line.price_pence)} each + ${line.vat_rate} % VAT`}
                  </small>
                </span>
                <NumberInput
                  label="How many"
                  aria-label={`How many of ${line?.title ?? 'it'}`}
                  {...{ min: 1, max: 500, clampBehavior: 'strict', allowDecimal: false, allowNegative: false, hideControls: true }}
                  {...fields.part(`lines.${i}.quantity`)}
                />
                <ActionIcon
                  size={44}
                  variant="default"
                  aria-label={`Remove ${line?.title ?? 'it'}`}
                  onClick={() =>
                    fields.set(
                      'lines',
                      lines.filter((l) => l.item_id !== item_id),
                    )
                  }
                >
                  <IconClose size={20} />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      </FormSection>
      <FormSection title="About this order">
        <TextInput
          label="Your reference"
          description="Stands on the invoice, for example your order number."
          maxLength={100}
          {...fields.field('reference')}
        />
        <Textarea
          label="Note"
          description="For the person who approves it. The provider does not see it."
          autosize
          minRows={2}
          maxLength={1000}
          {...fields.field('note')}
        />
      </FormSection>
    </Form>
  );
};
