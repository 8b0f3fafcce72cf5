import { TextInput } from '@mantine/core';
import type { ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { Criterion } from '#contract/entities/care-standards.ts';
import { methodFits } from '#contract/rules/certificate-progress.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import type { Note, Outcome } from '#src/features/care-certificates/record-draft.ts';
import { outcomeWords } from '#src/features/care-certificates/words.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import segmented from '#src/ui/segmented.module.css';

type ChoiceProps = {
  criterion: Criterion;
  note: Note;
  method: ObservationRecord['method'];
  /** Whether the assessor may decide that it is met. */
  competent: boolean;
  errors: { action: string | undefined; due: string | undefined };
  onChange: (note: Note) => void;
};
/** One criterion: seen and met, not yet, or not seen; for not yet, the next step. */
export const CriterionChoice = ({ criterion, note, method, competent, errors, onChange }: ChoiceProps) => {
  const fits = methodFits(criterion, method);
  const name = `${criterion.code} ${criterion.text}`;
  return (
    <li className={classes.choice}>
      <span>
        {name}
        {!fits && <small className={layout.soft}>This has to be seen in real work to be met.</small>}
        {!competent && (
          <small className={layout.soft}>
            You are not recorded as competent to assess this standard: record it, and a competent assessor decides.
          </small>
        )}
      </span>
      <Segmented
        fullWidth
        size="md"
        // Nothing is said about a criterion before the assessor says it.
        className={note.outcome === 'not_observed' ? segmented.unanswered : undefined}
        aria-label={name}
        value={note.outcome}
        onChange={(to) => onChange({ ...note, outcome: to as Outcome })}
        data={(['met', 'not_yet_met', 'not_observed'] as const).map((value) => ({
          value,
          label: outcomeWords[value],
          disabled: value === 'met' && !(fits && competent),
        }))}
      />
      {note.outcome === 'not_yet_met' && (
        <div className={form.pair}>
          <TextInput
            label={`What is to be done about ${criterion.code}`}
            name={`action.${criterion.code}`}
            maxLength={1000}
            value={note.action}
            error={errors.action}
            onChange={(e) => onChange({ ...note, action: e.currentTarget.value })}
          />
          <DateField
            label={`By when, for ${criterion.code}`}
            data-field={`due.${criterion.code}`}
            value={note.due}
            error={errors.due}
            onChange={(due) => onChange({ ...note, due })}
          />
        </div>
      )}
    </li>
  );
};
