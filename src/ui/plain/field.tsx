import { type ComponentProps, useId, useState } from 'react';
import classes from '#src/ui/plain/plain.module.css';

type Props = Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string;
  value: string;
  onValue: (value: string) => void;
  error?: string | boolean | undefined;
  description?: string;
};

/** A labelled field. Its error is shown next to it and announced to screen readers. */
export const Field = ({ label, error, description, onValue, children, ...rest }: Props) => {
  const id = useId();
  const notes = [...(description ? [`${id}-d`] : []), ...(typeof error === 'string' ? [`${id}-e`] : [])].join(' ');
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      {description && (
        <p id={`${id}-d`} className={classes.description}>
          {description}
        </p>
      )}
      <div className={classes.box}>
        <input
          {...rest}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={notes || undefined}
          onChange={(e) => onValue(e.currentTarget.value)}
        />
        {children}
      </div>
      {typeof error === 'string' && (
        <p id={`${id}-e`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
};

/** A password field whose value can be shown. */
export const PasswordField = ({ showLabel, ...rest }: Props & { showLabel: string }) => {
  const [shown, setShown] = useState(false);
  return (
    <Field {...rest} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false}>
      <button type="button" className={classes.eye} aria-label={showLabel} aria-pressed={shown} onClick={() => setShown(!shown)}>
        <svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.9" aria-hidden="true">
          <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
          <circle cx="12" cy="12" r="3" />
          {shown && <path d="M4 20 20 4" />}
        </svg>
      </button>
    </Field>
  );
};
