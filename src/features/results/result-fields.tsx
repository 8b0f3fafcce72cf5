import { Checkbox, Input, NumberInput, Textarea } from '@mantine/core';
import type * as z from 'zod/mini';
import { expiryKinds } from '#contract/entities/result.ts';
import type { ResultValues } from '#src/features/results/result-values.ts';
import { EvidenceChoice } from '#src/screens/evidence-choice.tsx';
import { FormSection } from '#src/screens/form.tsx';
import type { useForm } from '#src/screens/use-form.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

type Fields = Pick<ReturnType<typeof useForm<z.ZodMiniType, ResultValues, unknown>>, 'field' | 'checkbox' | 'values' | 'busy'>;

const expiryWords = { rule: 'By the renewal rule', day: 'Until a day', never: 'Does not expire' };
const exemptionWords = { ...expiryWords, never: 'No end' };
const number = { hideControls: true, allowNegative: false } as const;

/** The fields of a result, for oneself or somebody else. `evidence` names the file that it has. */
export const ResultFields = ({
  form: { field, checkbox, values, busy },
  exempt,
  evidence,
}: {
  form: Fields;
  exempt: boolean;
  evidence: string | null;
}) => {
  const words = exempt ? exemptionWords : expiryWords;
  return (
    <>
      <FormSection title={exempt ? 'From when until when' : 'When'} disabled={busy}>
        <DateField label={exempt ? 'Exempt since' : 'Completed on'} {...field('completed_on')} />
        <Input.Wrapper label={exempt ? 'Exempt' : 'Valid'} size="md" labelElement="div">
          <Segmented
            size="md"
            mt={6}
            aria-label={exempt ? 'Exempt' : 'Valid'}
            {...field('expiry')}
            data={expiryKinds.flatMap((value) => (exempt && value === 'rule' ? [] : { value, label: words[value] }))}
          />
        </Input.Wrapper>
        {values.expiry === 'day' && <DateField label={exempt ? 'Exempt until' : 'Valid until'} {...field('expires_on')} />}
      </FormSection>
      <FormSection title={exempt ? 'Why' : 'Details'} disabled={busy}>
        <Textarea
          label={exempt ? 'Reason' : 'Where it is from'}
          description={
            exempt ? 'For example, a registration that covers the course.' : 'For example, the former employer, or who taught it and where.'
          }
          autosize
          minRows={2}
          maxLength={1000}
          {...field('note')}
        />
        {!exempt && (
          <div className={form.pair}>
            <NumberInput label="Score, in per cent" allowDecimal={false} {...number} {...field('score')} />
            <NumberInput label="Learning time, in minutes" allowDecimal={false} {...number} {...field('minutes')} />
            <NumberInput label="CPD hours" step={0.25} {...number} {...field('cpd_hours')} />
          </div>
        )}
      </FormSection>
      <FormSection disabled={busy}>
        {evidence && <p className={layout.count}>“{evidence}” is kept. Another file takes its place.</p>}
        <EvidenceChoice {...field('evidence_id')} />
        {evidence && !values.evidence_id && (
          <Checkbox label={`Remove “${evidence}”`} description="The versions in the history keep it." {...checkbox('remove_evidence')} />
        )}
      </FormSection>
    </>
  );
};
