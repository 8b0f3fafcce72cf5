import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button, Textarea, TextInput } from '@mantine/core';
import type { Witness } from '#contract/entities/care-certificate.ts';
import { FormSection } from '#src/screens/form.tsx';
import form from '#src/ui/form.module.css';

const nobody: Witness = { name: '', role: '', relationship: '', contact: '', statement: '' };
const witnessFields = [
  ['name', 'Name of the witness', 200],
  ['role', 'Their role', 200],
  ['relationship', 'How they know the person', 200],
  ['contact', 'How to reach them', 200],
] as const;
type WitnessProps = { witness: Witness | null; errors: Partial<Record<string, string>>; onChange: (witness: Witness | null) => void };
/** A witness without an account. */
export const WitnessInput = ({ witness, errors, onChange }: WitnessProps) => (
  <FormSection title="A witness" data-field="witness">
    {errors.witness && (
      <p className={layout.notice} data-tone="danger">
        {errors.witness}
      </p>
    )}
    {witness === null ? (
      <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => onChange(nobody)}>
        Somebody else saw it
      </Button>
    ) : (
      <>
        <p className={shapes.muted}>Somebody without an account here. They sign on this device; a colleague of yours asks them later.</p>
        <div className={form.pair}>
          {witnessFields.map(([field, label, most]) => (
            <TextInput
              key={field}
              label={label}
              name={`witness.${field}`}
              maxLength={most}
              value={witness[field]}
              error={errors[`witness.${field}`]}
              onChange={(e) => onChange({ ...witness, [field]: e.currentTarget.value })}
            />
          ))}
        </div>
        <Textarea
          label="What they say"
          autosize
          minRows={2}
          name="witness.statement"
          maxLength={5000}
          value={witness.statement}
          error={errors['witness.statement']}
          onChange={(e) => onChange({ ...witness, statement: e.currentTarget.value })}
        />
        <Button variant="subtle" color="gray" style={{ justifySelf: 'start' }} onClick={() => onChange(null)}>
          No witness
        </Button>
      </>
    )}
  </FormSection>
);
