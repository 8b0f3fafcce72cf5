import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useSyncExternalStore } from 'react';
import type { useForm } from '#src/screens/use-form.ts';
import { leavingForms, unsavedForms } from '#src/screens/unsaved.ts';
import { UnsavedGuard } from '#src/screens/unsaved-guard.tsx';
import { formatMoment } from '#src/lib/format.ts';
import { ErrorSummary } from '#src/ui/error-summary.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';

/** What `useForm` answers; a form that saves without the server has errors, saving and a draft of its own. */
type State = Pick<ReturnType<typeof useForm>, 'errors' | 'busy'> & {
  submit: (event: FormEvent<HTMLFormElement>) => void;
  unsavedId?: string;
  /** What is typed is kept in another way. */
  kept?: boolean;
  draft?: { kept: boolean; found: { at: string } | null; resume: () => void; drop: () => Promise<void> };
};
type Props = {
  form: State;
  /** The name of a form that is one of several on its page. */
  label?: string;
  /** On the button that saves; false where there is nothing to save. */
  save?: ReactNode;
  /** Why it cannot be saved for a moment: what is still being asked for. */
  waiting?: string | undefined;
  /** Beside that button: ways out. */
  beside?: ReactNode;
  /** Below the form: what else can be done with what it is about. */
  more?: ReactNode;
  /** Said after what is wrong with the whole form. */
  note?: string;
  children: ReactNode;
};

/** Why a field cannot be changed by somebody who may change others. */
export const notPermitted = 'You do not have the permission to change this.';

/** A form: what is wrong with it, its fields, and the button that saves, always in sight. */
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
  // One of them asks for all: where it is about some of them, one of those.
  const asked = useSyncExternalStore(leavingForms.subscribe, leavingForms.get)?.forms[0];
  const guarding = useSyncExternalStore(unsavedForms.subscribe, () => (asked ?? unsavedForms.get()[0]) === unsavedId);
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
      {more && <div className={`${form.actions} ${form.more}`}>{more}</div>}
      {guarding && <UnsavedGuard kept={kept} busy={busy} />}
    </form>
  );
};

type SectionProps = { title?: string; wide?: boolean; disabled?: boolean; 'data-field'?: string; children: ReactNode };
/** Fields that belong together, under a heading. `wide` where they need the whole width of a desktop. */
export const FormSection = ({ title, wide = false, children, ...fieldset }: SectionProps) => (
  <fieldset {...fieldset} className={`app-card ${form.group}`} data-wide={wide || undefined}>
    {title && <legend>{title}</legend>}
    {children}
  </fieldset>
);
