import { NumberInput, Select } from '@mantine/core';
import type { Compliance } from '#contract/entities/compliance.ts';
import { DayOfYear } from '#src/features/compliance/day-of-year.tsx';
import { renewalWords } from '#src/features/compliance/rule-words.ts';

/** For a job role: as the course. */
export const asTheCourse = 'course';
export type RenewalValues = { renewal_kind: string; renewal_on: string; renewal_window: string | number };
export const whole = { allowDecimal: false, allowNegative: false, hideControls: true };
export const numberOf = (typed: string | number) => (typed === '' ? null : Number(typed));

/** The renewal in the fields. Fields that its kind does not use are not sent. */
export const renewalOf = ({ renewal_kind: kind, renewal_window, renewal_on }: RenewalValues) => ({
  renewal_kind: kind === asTheCourse ? null : (kind as Compliance['renewal_kind']),
  renewal_window: kind === 'window' || kind === 'fixed' ? (numberOf(renewal_window) ?? 0) : null,
  renewal_on: kind === 'fixed' && renewal_on.length > 1 ? renewal_on : null,
});

// biome-ignore lint/suspicious/noExplicitAny: the props of any form that has these fields
type Fields = (name: 'renewal_kind' | 'renewal_window' | 'renewal_on') => any;
/** The renewal: a number of months from completion, keeping its day, or on a fixed day of the year. */
export const RenewalFields = ({ kind, field, inherited }: { kind: string; field: Fields; inherited?: string }) => (
  <>
    <Select
      label="Renewed"
      allowDeselect={false}
      data={[
        ...(inherited === undefined ? [] : [{ value: asTheCourse, label: `As the course says: ${inherited}` }]),
        { value: 'rolling', label: renewalWords({ renewal_kind: 'rolling' }) },
        { value: 'window', label: renewalWords({ renewal_kind: 'window' }) },
        { value: 'fixed', label: renewalWords({ renewal_kind: 'fixed' }) },
      ]}
      {...field('renewal_kind')}
    />
    {kind === 'fixed' && <DayOfYear label="Valid until this day, the same for everyone" {...field('renewal_on')} />}
    {(kind === 'fixed' || kind === 'window') && (
      <NumberInput
        label={kind === 'fixed' ? 'Early completions, in days before that day' : 'Days before the end in which the old date is kept'}
        description={
          kind === 'fixed'
            ? 'A completion within this many days before that day is valid until the following one.'
            : 'An earlier renewal starts a new period on the day of completion.'
        }
        {...whole}
        {...field('renewal_window')}
      />
    )}
  </>
);
