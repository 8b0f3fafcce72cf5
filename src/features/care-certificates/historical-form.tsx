import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import form from '#src/ui/form.module.css';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

export type HistoricalDraft = { achieved_on: string; issuer: string; note: string };
type Props = {
  begun: HistoricalDraft;
  /** Fields above these. */
  children?: ReactNode;
  /** Answers what is wrong, by field; `whole` for all of it. */
  onSave: (fields: HistoricalDraft) => Promise<Partial<Record<string, string>>>;
  beside: ReactNode;
};

/** What is noted of a care certificate from elsewhere. */
export const HistoricalForm = ({ begun, children, onSave, beside }: Props) => {
  const [fields, setFields] = useState(begun);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const change = (to: Partial<HistoricalDraft>) => {
    setFields({ ...fields, ...to });
    setErrors({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const wrong: typeof errors = {
      ...(fields.achieved_on === '' ? { achieved_on: 'Enter a date.' } : {}),
      ...(fields.issuer.trim() === '' ? { issuer: 'Enter who signed it off.' } : {}),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    setErrors(await onSave({ ...fields, issuer: fields.issuer.trim(), note: fields.note.trim() }));
    setBusy(false);
  };
  return (
    <form noValidate className={`app-card ${form.group}`} onSubmit={(e) => void submit(e)}>
      {children}
      <div className={form.pair}>
        <TextInput
          label="Achieved on"
          type="date"
          value={fields.achieved_on}
          error={errors.achieved_on}
          onChange={(e) => change({ achieved_on: e.currentTarget.value })}
        />
        <TextInput
          label="Signed off by"
          description="The employer, and who there."
          maxLength={200}
          value={fields.issuer}
          error={errors.issuer}
          onChange={(e) => change({ issuer: e.currentTarget.value })}
        />
      </div>
      <Textarea
        label="What you have seen of it"
        description="Such as: the original, on 3 May; a call to the employer."
        autosize
        minRows={2}
        maxLength={2000}
        value={fields.note}
        error={errors.note}
        onChange={(e) => change({ note: e.currentTarget.value })}
      />
      <ErrorSummary errors={errors} />
      <div className={form.actions}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
        {beside}
      </div>
    </form>
  );
};
