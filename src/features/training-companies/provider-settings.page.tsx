import { Checkbox, TextInput } from '@mantine/core';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { bookingReference } from '#contract/rules/booking-reference.ts';
import { companyMessageKinds, companyMessages, preferenceOf } from '#contract/rules/company-messages.ts';
import { MessageSetting, type MessageValues } from '#src/features/training-companies/message-settings.tsx';
import { SettingsPage } from '#src/features/training-companies/settings-page.tsx';
import { differingSettings } from '#src/features/training-companies/settings-words.ts';
import classes from '#src/features/training-companies/training-companies.module.css';
import { useCompanyForm } from '#src/features/training-companies/use-company-form.ts';
import { ConflictSection, type useRevised } from '#src/screens/revised.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { type Picture, PictureChoice } from '#src/screens/picture-choice.tsx';
import layout from '#src/ui/page.module.css';

const switches = [
  {
    name: 'allow_multiple_days_per_booking',
    label: 'Several days in one booking',
    about: 'People who book can put sessions on different days into one booking.',
  },
  {
    name: 'allow_multiple_sessions_per_booking',
    label: 'Several sessions in one booking',
    about: 'People who book can put more than one session into a booking. Otherwise each session is a booking of its own.',
  },
  {
    name: 'allow_virtual_training_sessions',
    label: 'Virtual sessions',
    about: 'Sessions can be planned as virtual, with a link to join. Those that are planned already stay.',
  },
] as const;
type Values = Record<(typeof switches)[number]['name'] | 'auto_release_certificates', boolean> & {
  bookings_organiser_reference_prefix: string;
  communication_preferences_json: MessageValues[];
  logo: Picture;
};
const toInput = ({ communication_preferences_json: messages, logo, ...plain }: Values) => ({
  ...plain,
  ...(logo && 'file' in logo ? {} : { logo: logo?.address ?? null }),
  communication_preferences_json: messages.map(({ text, ...message }) => ({
    ...message,
    text: text.trim() === companyMessages[message.kind].text ? null : text,
  })),
});
const begin = (settings: CompanySettings): Values => ({
  allow_multiple_days_per_booking: settings.allow_multiple_days_per_booking,
  allow_multiple_sessions_per_booking: settings.allow_multiple_sessions_per_booking,
  allow_virtual_training_sessions: settings.allow_virtual_training_sessions,
  auto_release_certificates: settings.auto_release_certificates,
  bookings_organiser_reference_prefix: settings.bookings_organiser_reference_prefix,
  communication_preferences_json: companyMessageKinds.map((kind) => {
    const { email, text } = preferenceOf(settings.communication_preferences_json, kind);
    return { kind, email, text: text ?? companyMessages[kind].text };
  }),
  logo: settings.logo ? { address: settings.logo } : null,
});

const Fields = ({ slug, revised }: { slug: string; revised: ReturnType<typeof useRevised<CompanySettings>> }) => {
  const fields = useCompanyForm<Values>(slug, 'company', revised, () => begin(revised.thing), toInput);
  const { conflict } = revised;
  const { bookings_organiser_reference_prefix: prefix, communication_preferences_json: messages } = fields.values;
  return (
    <Form form={fields} save={conflict ? false : 'Save'}>
      {conflict && (
        <ConflictSection
          conflict={conflict}
          sides={differingSettings(toInput(fields.values) as Partial<CompanySettings>, conflict.theirs)}
          busy={fields.busy}
        />
      )}
      <FormSection title="Bookings">
        {switches.map(({ name, label, about }) => (
          <Checkbox key={name} label={label} description={about} {...fields.checkbox(name)} />
        ))}
        <TextInput
          label="References begin with"
          description="Up to 10 letters, digits and hyphens. What is booked before keeps its reference."
          maxLength={10}
          {...fields.field('bookings_organiser_reference_prefix')}
        />
        <p className={layout.count} role="status">
          For example {bookingReference(prefix.trim().toUpperCase(), 1024)}
        </p>
      </FormSection>
      <FormSection title="Certificates and logo">
        <Checkbox
          label="Release certificates automatically"
          description="Delegates can download their certificate as soon as the register is complete. Otherwise you release the certificates of each session."
          {...fields.checkbox('auto_release_certificates')}
        />
        <PictureChoice label="Logo" description="Your clients see it beside your name. Up to 2.5 MB." above={null} {...fields.field('logo')} />
      </FormSection>
      <FormSection title="Messages to delegates" wide>
        <p className={layout.count}>
          Most are messages in Lantern, and an e-mail says that one is there. Reminders and joining links are e-mails alone. Words in braces are
          filled in for each person.
        </p>
        <ul className={`${layout.plain} ${classes.messages}`}>
          {messages.map((message, i) => (
            <MessageSetting
              key={message.kind}
              value={message}
              provider={revised.thing.entity.name}
              field={fields.part(`communication_preferences_json.${i}.text`)}
              onChange={(to) => fields.setPart(`communication_preferences_json.${i}`, to)}
            />
          ))}
        </ul>
      </FormSection>
    </Form>
  );
};

/** How a training company takes bookings, releases certificates and writes to delegates. */
export const Component = () => (
  <SettingsPage
    title="Training company"
    about="How you take bookings, and what you write to people."
    other={{ route: 'entities-one-delegate-settings', label: 'Rules for delegates' }}
    Body={Fields}
  />
);
