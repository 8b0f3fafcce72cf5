import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fieldIn, labelOf, showField } from '#src/ui/error-fields.ts';
import classes from '#src/ui/error-summary.module.css';

type Props = {
  /** Errors by field; `whole` is about the form. A field is found by its `name`, `data-field` or error message. */
  errors: Partial<Record<string, string>>;
  /** Shown after the error about the whole form. */
  note?: string;
};

/**
 * The errors that prevent saving, with a link to each field. It is scrolled to and focused after a failed save. Place it
 * inside the form, before its fields or next to its button.
 */
export const ErrorSummary = ({ errors, note }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const tried = useRef(false);
  const [labels, setLabels] = useState<Partial<Record<string, string | null>>>({});
  const { whole, ...others } = errors;
  const fields = Object.entries(others).flatMap(([field, message]) => (message ? [{ field, message }] : []));
  useEffect(() => {
    const form = box.current?.closest('form');
    if (!form) return;
    const submitted = () => {
      tried.current = true;
    };
    // Does not take the focus from a person who is still typing.
    const typed = () => {
      tried.current = false;
    };
    form.addEventListener('submit', submitted, true);
    form.addEventListener('input', typed);
    return () => {
      form.removeEventListener('submit', submitted, true);
      form.removeEventListener('input', typed);
    };
  }, []);
  useLayoutEffect(() => {
    const summary = box.current;
    const wrong = Object.entries(errors).filter(([, message]) => message);
    if (!summary || wrong.length === 0) return;
    const form = summary.closest('form');
    setLabels(Object.fromEntries(wrong.map(([field, message]) => [field, form && labelOf(fieldIn(form, field, message ?? '', summary))])));
    if (!tried.current) return;
    tried.current = false;
    summary.focus({ preventScroll: true });
    summary.scrollIntoView({ block: 'nearest' });
  }, [errors]);
  const show = (field: string, message: string) => {
    const form = box.current?.closest('form');
    const found = form && fieldIn(form, field, message, box.current);
    if (found) showField(found);
  };
  return (
    <div ref={box} role="alert" tabIndex={-1} className={classes.summary} hidden={!whole && fields.length === 0}>
      {whole && (
        <p>
          {whole}
          {note && ` ${note}`}
        </p>
      )}
      {fields.length > 0 && (
        <>
          <p>
            <strong>{fields.length === 1 ? 'There is a problem' : `There are ${fields.length} problems`}</strong>
          </p>
          <ul>
            {fields.map(({ field, message }) => {
              const label = labels[field];
              return (
                <li key={field}>
                  {label === null || label === undefined ? (
                    message
                  ) : (
                    <button type="button" onClick={() => show(field, message)}>
                      {label && !message.startsWith(label) ? `${label}: ${message}` : message}
                    </button>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
};
