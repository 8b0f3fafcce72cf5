import { Button, Checkbox, Input, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { type MarketplaceItem, MarketplaceItemFields, usualPlatformShare, vatRates } from '#contract/entities/marketplace.ts';
import { lineAmounts, moneyWords, penceOf, plainAmount } from '#contract/rules/money.ts';
import { resultTypeWords } from '#contract/entities/result.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { findOffered } from '#src/api/find.ts';
import { audienceWords, typeWords } from '#src/features/marketplace/words.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

const whole = { allowDecimal: false, allowNegative: false, hideControls: true, clampBehavior: 'strict' } as const;
const numberOf = (typed: string | number): number | null => (typed === '' ? null : Number(typed));
const optionsOf = <T extends string>(words: Record<T, string>) => (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));

/** Courses that can be offered, each with its kinds of training. */
const offeredAs = (type: MarketplaceItem['type'], nothing: string) => ({
  find: findOffered(type, (types) => [...new Set(types.map((t) => resultTypeWords[t]))].join(', ')),
  ...{ placeholder: 'Choose a course', nothing },
});
const offered = {
  elearning: offeredAs('elearning', 'No matching course that your organisation has made'),
  face2face: offeredAs('face2face', 'No matching course'),
};

type Props = { item: MarketplaceItem | null; onSaved: (item: MarketplaceItem) => void; onCancel: () => void };
/** Adds or changes a marketplace item. */
export const ItemForm = ({ item, onSaved, onCancel }: Props) => {
  const user = useSession();
  const fields = useForm({
    schema: MarketplaceItemFields,
    begin: () => ({
      ...{
        type: item?.type ?? ('elearning' as const),
        course_id: item?.course ?? null,
        title: item?.title ?? '',
        description: item?.description ?? '',
      },
      ...{ price_pence: item ? plainAmount(item.price_pence) : '', vat_rate: String(item?.vat_rate ?? 20) },
      ...{
        seats: (item?.seats ?? (item ? '' : 1)) as string | number,
        licence_months: (item?.licence_months ?? (item ? '' : 12)) as string | number,
      },
      ...{ platform_share: (item?.platform_share ?? usualPlatformShare) as string | number, published: item?.published ?? false },
      available_to: item?.available_to ?? ('all' as const),
    }),
    toInput: ({ course_id, price_pence, vat_rate, seats, licence_months, platform_share, ...typed }) => ({
      ...typed,
      ...{ course_id: course_id?.id, price_pence: penceOf(price_pence) ?? Number.NaN, vat_rate: Number(vat_rate) as 20 },
      ...{ seats: numberOf(seats), licence_months: numberOf(licence_months), platform_share: numberOf(platform_share) ?? Number.NaN },
    }),
    save: (body) => (item ? call('PATCH /marketplace-items/{id}', { params: { id: item.id }, body }) : call('POST /marketplace-items', { body })),
    success: 'Saved.',
    onSaved,
    locked: (field) => field === 'platform_share' && !user?.super_admin && 'Set by the operator of the platform.',
    ...(item ? {} : { draft: 'marketplace item' }),
  });
  const { type, price_pence, vat_rate, platform_share } = fields.values;
  const price = penceOf(price_pence);
  const comes =
    price === null ? null : lineAmounts({ price_pence: price, quantity: 1, vat_rate: Number(vat_rate), platform_share: Number(platform_share) });
  return (
    <Form
      form={fields}
      label={item ? 'Edit this item' : 'Add an item'}
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <FormSection title="What is offered">
        <Input.Wrapper label="Type" size="md" labelElement="div">
          <Segmented fullWidth size="md" mt={6} aria-label="Type" {...fields.field('type')} data={optionsOf(typeWords)} />
        </Input.Wrapper>
        <Picker
          key={type}
          from={offered[type]}
          label="Course"
          description={type === 'elearning' ? 'One that your organisation has made, with published e-learning.' : 'One that your organisation has.'}
          {...fields.field('course_id')}
        />
        <TextInput label="Title" maxLength={200} {...fields.field('title')} />
        <Textarea
          label="Description"
          description="What people learn, who it is for, and what has to be ready."
          autosize
          minRows={3}
          maxLength={4000}
          {...fields.field('description')}
        />
      </FormSection>
      <FormSection title="Price and licences">
        <div className={form.pair}>
          <TextInput label="Price without VAT" leftSection="£" inputMode="decimal" maxLength={12} {...fields.field('price_pence')} />
          <NativeSelect
            label="VAT"
            data={vatRates.map((rate) => ({ value: String(rate), label: rate === 0 ? '0 %, or exempt' : `${rate} %` }))}
            {...fields.field('vat_rate')}
          />
        </div>
        <div className={form.pair}>
          <NumberInput
            label={type === 'elearning' ? 'People' : 'Places'}
            description={type === 'elearning' ? 'How many one of it is for. Empty: everybody.' : 'How many one of it has.'}
            {...{ ...whole, min: 1, max: 1000 }}
            {...fields.field('seats')}
          />
          <NumberInput
            label="Months"
            description="From the day of approval. Empty: without an end."
            {...{ ...whole, min: 1, max: 120 }}
            {...fields.field('licence_months')}
          />
        </div>
        <NumberInput label="Share of the platform" rightSection="%" {...{ ...whole, min: 0, max: 100 }} {...fields.field('platform_share')} />
        {comes && (
          <p className={layout.count} role="status">
            {`With VAT ${moneyWords(comes.gross_pence)}. Of ${moneyWords(comes.net_pence)}, ${moneyWords(comes.provider_pence)} is yours and ${moneyWords(comes.platform_pence)} the platform’s.`}
          </p>
        )}
      </FormSection>
      <FormSection title="Who sees it">
        <Input.Wrapper label="Offered to" size="md" labelElement="div">
          <Segmented fullWidth size="md" mt={6} aria-label="Offered to" {...fields.field('available_to')} data={optionsOf(audienceWords)} />
        </Input.Wrapper>
        <Checkbox label="Published" description="Without it, only your organisation sees it." {...fields.checkbox('published')} />
      </FormSection>
    </Form>
  );
};
