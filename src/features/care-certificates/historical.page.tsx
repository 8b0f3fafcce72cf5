import { Textarea, TextInput } from '@mantine/core';
import { NewHistoricalCertificate } from '#contract/entities/historical-certificate.ts';
import { formatDay, formatMoment } from '#src/lib/format.ts';
import { FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { resourcePages } from '#src/screens/resource-pages.tsx';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { IconCertificate } from '#src/ui/icons.tsx';

/** Care certificates that people achieved elsewhere. */
export const { List, One } = resourcePages('/historical-care-certificates', {
  routes: { list: 'care-certificate-historical', one: 'care-certificate-historical-update-by-uuid' },
  write: 'care_certificate.historical',
  icon: <IconCertificate size={36} />,
  words: (brand) => ({
    ...{ title: `${brand.certificateGroupMenuName}: from elsewhere`, one: 'a person', many: 'people', looksAt: 'Name' },
    ...{ none: 'No certificates from elsewhere yet', first: 'Record it for people who achieved theirs with another employer.' },
    ...{ failed: 'The list could not be loaded.', add: 'Add one', question: 'Delete it?' },
    heading: 'Care certificate from elsewhere',
    headingOf: ({ user }) => `${user.name}: care certificate from elsewhere`,
  }),
  columns: [
    { id: 'name', header: 'Name', sort: 'name', width: 180, grow: 1.4, value: (h) => h.user.name },
    { id: 'place', header: 'Workplace', value: (h) => h.place },
    { id: 'achieved', header: 'Achieved', sort: 'achieved_on', width: 120, grow: 0.4, value: (h) => formatDay(h.achieved_on) },
    { id: 'issuer', header: 'Signed off by', value: (h) => h.issuer },
    { id: 'note', header: 'Note', value: (h) => h.note, optional: true },
    { id: 'added', header: 'Added by', value: (h) => `${h.added_by.name}, ${formatDay(h.added_at)}`, optional: true },
  ],
  schema: NewHistoricalCertificate,
  begin: (certificate) => ({
    user_id: certificate && { id: certificate.user.id, name: certificate.user.name },
    ...{ achieved_on: certificate?.achieved_on ?? '', issuer: certificate?.issuer ?? '', note: certificate?.note ?? '' },
  }),
  toInput: ({ user_id, ...typed }) => ({ ...typed, user_id: user_id?.id }),
  about: ({ place, added_by, added_at }) => `${place} · noted by ${added_by.name}, ${formatMoment(added_at)}`,
  Fields: ({ form: fields, row }) => (
    <FormSection>
      {!row && <Picker from="people" label="Who" {...fields.field('user_id')} />}
      <div className={form.pair}>
        <DateField label="Achieved on" {...fields.field('achieved_on')} />
        <TextInput label="Signed off by" description="The employer, and the person there." maxLength={200} {...fields.field('issuer')} />
      </div>
      <Textarea
        label="How you checked it"
        description="For example: the original, on 3 May; a call to the employer."
        autosize
        minRows={2}
        maxLength={2000}
        {...fields.field('note')}
      />
    </FormSection>
  ),
});
