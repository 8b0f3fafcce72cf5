import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type HistoricalCertificate, NewHistoricalCertificate } from '#contract/entities/historical-certificate.ts';
import { call } from '#src/api/call.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';

type Props = { certificate: HistoricalCertificate | null; onSaved: () => void; beside: ReactNode; more?: ReactNode };

/** A care certificate from elsewhere: added for a person, or changed. */
export const HistoricalForm = ({ certificate, onSaved, beside, more }: Props) => {
  const fields = useForm({
    schema: NewHistoricalCertificate,
    begin: {
      user_id: certificate && { id: certificate.user.id, name: certificate.user.name },
      ...{ achieved_on: certificate?.achieved_on ?? '', issuer: certificate?.issuer ?? '', note: certificate?.note ?? '' },
    },
    toInput: ({ user_id, ...typed }) => ({ ...typed, user_id: user_id?.id }),
    save: (data) =>
      certificate
        ? call('PATCH /historical-care-certificates/{id}', { params: { id: certificate.id }, body: data })
        : call('POST /historical-care-certificates', { body: data }),
    success: 'Saved.',
    onSaved,
  });
  return (
    <Form form={fields} beside={beside} more={more}>
      <FormSection>
        {!certificate && <Picker from="people" label="Who" {...fields.field('user_id')} />}
        <div className={form.pair}>
          <DateField label="Achieved on" {...fields.field('achieved_on')} />
          <TextInput label="Signed off by" description="The employer, and who there." maxLength={200} {...fields.field('issuer')} />
        </div>
        <Textarea
          label="What you have seen of it"
          description="Such as: the original, on 3 May; a call to the employer."
          autosize
          minRows={2}
          maxLength={2000}
          {...fields.field('note')}
        />
      </FormSection>
    </Form>
  );
};
