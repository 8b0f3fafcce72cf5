import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fieldIn, labelOf, showField } from '#src/ui/error-fields.ts';
import classes from '#src/ui/error-summary.module.css';

type Props = {
  /** What is wrong, by field; `whole` is about the form. A field is found by its `name`, its `data-field` or what it says is wrong with it. */
  errors: Partial<Record<string, string>>;
  /** Said after what is wrong with the whole. */
  note?: string;
};

/**
 * What keeps a form from being saved, with a link to each field: wherever the person is on the page, they are taken to it when they
 * have tried to save. Stands inside the form, before its fields or beside its button.
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
    // Whoever types on while it is being saved is not taken away from their field.
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
            <strong>{fields.length === 1 ? 'One thing has to be put right' : `${fields.length} things have to be put right`}</strong>
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
