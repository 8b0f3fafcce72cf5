import { NumberInput } from '@mantine/core';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { SettingsPage } from '#src/features/training-companies/settings-page.tsx';
import { differingSettings } from '#src/features/training-companies/settings-words.ts';
import { useCompanyForm } from '#src/features/training-companies/use-company-form.ts';
import { countOf } from '#src/lib/format.ts';
import { ConflictSection, type useRevised } from '#src/screens/revised.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';

const numbers = [
  'delegate_auto_accept_period',
  'waiting_list_accept_hours',
  'delegate_removal_cutoff_hours',
  'practical_min_delegates',
  'practical_max_delegates',
  'theory_min_delegates',
  'theory_max_delegates',
] as const;
/** These fields cannot be empty. */
const needed = ['waiting_list_accept_hours', 'delegate_removal_cutoff_hours'] as const;
type Values = Record<(typeof numbers)[number], string | number>;
const whole = { clampBehavior: 'none' as const, allowDecimal: false, allowNegative: false, hideControls: true };
const kinds = [
  { part: 'practical', title: 'Practical training', about: 'Sessions that are completed by passing a practical part.' },
  { part: 'theory', title: 'Theory', about: 'Sessions that are completed by attending, or without a practical part.' },
] as const;

const toInput = (values: Values) =>
  ({
    ...Object.fromEntries(numbers.map((name) => [name, values[name] === '' ? null : Number(values[name])])),
    ...Object.fromEntries(needed.map((name) => [name, values[name] === '' ? Number.NaN : Number(values[name])])),
  }) as Pick<CompanySettings, (typeof numbers)[number]>;

const Fields = ({ slug, revised }: { slug: string; revised: ReturnType<typeof useRevised<CompanySettings>> }) => {
  const fields = useCompanyForm<Values>(
    slug,
    'delegates',
    revised,
    () => Object.fromEntries(numbers.map((name) => [name, revised.thing[name] ?? ''])) as Values,
    toInput,
  );
  const { conflict } = revised;
  const { delegate_auto_accept_period: accept, waiting_list_accept_hours: moves, delegate_removal_cutoff_hours: cutoff } = fields.values;
  return (
    <Form form={fields} save={conflict ? false : 'Save'}>
      {conflict && <ConflictSection conflict={conflict} sides={differingSettings(toInput(fields.values), conflict.theirs)} busy={fields.busy} />}
      <FormSection title="Accepting a place">
        <NumberInput
          label="Counts as accepted after, in hours"
          description="0: at once, nobody is asked. Empty: never. At most 720 hours, which are thirty days."
          {...whole}
          {...fields.field('delegate_auto_accept_period')}
        />
        <p className={layout.count} role="status">
          {accept === ''
            ? 'A delegate is asked whether they can come, and keeps the place. Without an answer the list says that they have not answered.'
            : Number(accept) === 0
              ? 'A delegate who is booked is not asked whether they can come.'
              : `A delegate is asked whether they can come. Without an answer within ${countOf(Number(accept), 'hour')} they count as coming.`}
        </p>
      </FormSection>
      <FormSection title="Moving up from the waiting list">
        <NumberInput
          label="Time to accept the place, in hours"
          description="0: they are booked at once. At most 720 hours, which are thirty days."
          {...whole}
          {...fields.field('waiting_list_accept_hours')}
        />
        <p className={layout.count} role="status">
          {Number(moves) === 0
            ? 'People who move up are booked, and asked like everybody who is booked.'
            : `People who move up have ${countOf(Number(moves), 'hour')} to accept, and at most half of the time left until the session begins. Otherwise the place goes to the next person waiting.`}
        </p>
      </FormSection>
      <FormSection title="Giving up a place">
        <NumberInput
          label="Until how long before the session, in hours"
          description="0: until it begins. At most 720 hours, which are thirty days."
          {...whole}
          {...fields.field('delegate_removal_cutoff_hours')}
        />
        <p className={layout.count} role="status">
          {Number(cutoff) === 0
            ? 'Delegates can give up their place until the session begins.'
            : `From ${countOf(Number(cutoff), 'hour')} before the session on, only the training company takes delegates off the list.`}
        </p>
      </FormSection>
      {kinds.map(({ part, title, about }) => (
        <FormSection key={part} title={title}>
          <p className={layout.count}>{about} They hold for a session that is planned without numbers of its own. Empty means no limit.</p>
          <div className={form.pair}>
            <NumberInput
              label={`Minimum of delegates: ${title.toLowerCase()}`}
              description="A session with fewer is shown as at risk."
              {...whole}
              {...fields.field(`${part}_min_delegates`)}
            />
            <NumberInput
              label={`Maximum of delegates: ${title.toLowerCase()}`}
              description="Nobody else is booked once they are."
              {...whole}
              {...fields.field(`${part}_max_delegates`)}
            />
          </div>
        </FormSection>
      ))}
    </Form>
  );
};

/** A training company's rules for delegates: accepting and giving up a place, and the number of delegates per session. */
export const Component = () => (
  <SettingsPage
    title="Delegates"
    about="Rules for everybody who is booked on a session."
    other={{ route: 'entities-one-training-provider-settings', label: 'Bookings, references and messages' }}
    Body={Fields}
  />
);
