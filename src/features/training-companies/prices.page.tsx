import { NumberInput } from '@mantine/core';
import { TrainingPriceFields } from '#contract/entities/training-price.ts';
import { formatDay } from '#src/lib/format.ts';
import { FormSection } from '#src/screens/form.tsx';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import { resourcePages } from '#src/screens/resource-pages.tsx';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { IconTag } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

const pounds = (pence: number | null) => (pence === null ? '' : (pence / 100).toLocaleString('en-GB', { style: 'currency', currency: 'GBP' }));
const penceOf = (typed: string | number) => (typed === '' ? null : Math.round(Number(typed) * 100));
const typedOf = (pence: number | null | undefined): string | number => (pence === null || pence === undefined ? '' : pence / 100);
const money = {
  min: 0,
  decimalScale: 2,
  fixedDecimalScale: true,
  allowNegative: false,
  hideControls: true,
  prefix: '£',
  thousandSeparator: ',',
} as const;

/** The price list of a training company, and one of its prices. */
export const { List, One } = resourcePages('/training-prices', {
  routes: { list: 'training-prices', one: 'training-prices-by-id' },
  write: 'training_company.update',
  icon: <IconTag size={36} />,
  words: () => ({
    ...{ title: 'Price list', one: 'a price', many: 'prices', looksAt: 'Course', none: 'There are no prices yet' },
    first: 'Say what training in a course costs, and from which day on. A later price takes the place of an earlier one on its day.',
    failed: 'The prices could not be loaded.',
    ...{ add: 'Add a price', heading: 'Price', headingOf: (price) => price.course.name },
    question: 'Delete this price? What has been ordered keeps it.',
  }),
  columns: [
    { id: 'course', header: 'Course', sort: 'course', width: 220, grow: 1.4, keep: true, value: (p) => p.course.name },
    { id: 'person', header: 'Per person', width: 120, value: (p) => pounds(p.per_person_pence) },
    { id: 'session', header: 'Per session', width: 120, value: (p) => pounds(p.per_session_pence) },
    { id: 'vat', header: 'VAT', width: 90, value: (p) => `${p.vat_rate} %` },
    { id: 'from', header: 'Valid from', sort: 'valid_from', width: 120, value: (p) => formatDay(p.valid_from) },
    { id: 'entity', header: 'Of', width: 160, value: (p) => p.entity.name, optional: true },
  ],
  schema: TrainingPriceFields,
  begin: (price) => ({
    course_id: (price?.course ?? null) as Option | null,
    per_person_pence: typedOf(price?.per_person_pence),
    per_session_pence: typedOf(price?.per_session_pence),
    vat_rate: (price?.vat_rate ?? 20) as string | number,
    valid_from: price?.valid_from ?? '',
  }),
  toInput: ({ course_id, per_person_pence, per_session_pence, vat_rate, valid_from }) => ({
    ...{ course_id: course_id?.id, valid_from, vat_rate: vat_rate === '' ? Number.NaN : Number(vat_rate) },
    ...{ per_person_pence: penceOf(per_person_pence), per_session_pence: penceOf(per_session_pence) },
  }),
  Fields: ({ form: price }) => (
    <>
      <FormSection title="What for">
        <Picker from="courses" label="Course" {...price.field('course_id')} />
        <DateField label="Valid from" description="Until the day from which the next price of this course is valid." {...price.field('valid_from')} />
      </FormSection>
      <FormSection title="Price">
        <p className={layout.count}>
          In pounds, without VAT. Enter one of the two, or both: a client then pays for the session once, and for each person.
        </p>
        <div className={form.pair}>
          <NumberInput label="Per person" {...money} {...price.field('per_person_pence')} />
          <NumberInput label="Per session" {...money} {...price.field('per_session_pence')} />
        </div>
        <NumberInput
          label="VAT rate in per cent"
          description="0 where training is exempt."
          {...{ min: 0, max: 100, decimalScale: 2, allowNegative: false, hideControls: true, clampBehavior: 'none' }}
          {...price.field('vat_rate')}
        />
      </FormSection>
    </>
  ),
});
