import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useSyncExternalStore } from 'react';
import type { useForm } from '#src/screens/use-form.ts';
import { leavingForms, unsavedForms } from '#src/screens/unsaved.ts';
import { UnsavedGuard } from '#src/screens/unsaved-guard.tsx';
import { formatMoment } from '#src/lib/format.ts';
import { ErrorSummary } from '#src/ui/error-summary.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';

/** The result of `useForm`; a form that saves without the server provides its own errors, saving and draft. */
type State = Pick<ReturnType<typeof useForm>, 'errors' | 'busy'> & {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  unsavedId?: string;
  /** Drafts are stored in another way. */
  kept?: boolean;
  draft?: { kept: boolean; found: { at: string } | null; resume: () => void; drop: () => Promise<void> };
};
type Props = {
  form: State;
  /** The name of a form, if there are several on its page. */
  label?: string;
  /** The label of the save button; false if there is nothing to save. */
  save?: ReactNode;
  /** Why it cannot be saved at the moment: something is still loading. */
  waiting?: string | undefined;
  /** Beside that button: ways to leave. */
  beside?: ReactNode;
  /** Below the form: other actions on its subject. */
  more?: ReactNode;
  /** Shown after the errors of the whole form. */
  note?: string;
  children: ReactNode;
};

/** Why a field is read-only for somebody who may change others. */
export const notPermitted = 'You do not have the permission to change this.';

/** A form: its errors, its fields, and the save button, which is always visible. */
export const Form = ({
  form: { errors, submit, busy, unsavedId, draft, kept = draft?.kept ?? false },
  label,
  save = 'Save',
  waiting,
  beside,
  more,
  note,
  children,
}: Props) => {
  // One required permission explains all fields; if it concerns only some, one of those is named.
  const leaving = useSyncExternalStore(leavingForms.subscribe, leavingForms.get)?.forms[0];
  const guarding = useSyncExternalStore(unsavedForms.subscribe, () => (leaving ?? unsavedForms.get()[0]) === unsavedId);
  return (
    <form noValidate aria-label={label} className={form.whole} aria-busy={busy} onSubmit={submit}>
      {draft?.found && (
        <div className={`${layout.notice} ${form.draft}`} data-tone="warning" role="status">
          <span>You began this on {formatMoment(draft.found.at)} and did not save it.</span>
          <Button variant="default" onClick={draft.resume}>
            Continue with it
          </Button>
          <Button variant="subtle" onClick={() => void draft.drop()}>
            Discard it
          </Button>
        </div>
      )}
      <ErrorSummary errors={errors} {...(note ? { note } : {})} />
      <div className={form.groups}>{children}</div>
      {(save || beside) && (
        <div className={form.foot}>
          {save && (
            <Button type="submit" loading={busy || waiting !== undefined}>
              {save}
            </Button>
          )}
          {waiting !== undefined && <span role="status">{waiting}</span>}
          {beside}
        </div>
      )}
      {more && <div className={`${layout.tools} ${form.more}`}>{more}</div>}
      {guarding && <UnsavedGuard kept={kept} busy={busy} />}
    </form>
  );
};

type SectionProps = { title?: string; wide?: boolean; disabled?: boolean; 'data-field'?: string; children: ReactNode };
/** A fieldset with a heading. `wide` if it needs the whole width of a desktop. */
export const FormSection = ({ title, wide = false, children, ...fieldset }: SectionProps) => (
  <fieldset {...fieldset} className={`app-card ${form.group}`} data-wide={wide || undefined}>
    {title && <legend>{title}</legend>}
    {children}
  </fieldset>
);
