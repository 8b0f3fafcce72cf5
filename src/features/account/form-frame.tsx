import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import classes from '#src/ui/plain/plain.module.css';

type Props = { title: string; lead?: ReactNode; error?: string | null; done?: string | null; onSubmit: () => void; children: ReactNode };

/** A form in the sign-in area: heading, errors and fields. */
export const FormFrame = ({ title, lead, error, done, onSubmit, children }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  const tried = useRef(false);
  // Scrolls to the error and focuses the field.
  useEffect(() => {
    const note = form.current?.querySelector<HTMLElement>('[role="alert"]');
    const wrong = note ?? form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!tried.current || !wrong) return;
    tried.current = false;
    if (!note) wrong.focus({ preventScroll: true });
    wrong.scrollIntoView({ block: 'nearest' });
  });
  return (
    <form
      ref={form}
      noValidate
      className={classes.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        tried.current = true;
        onSubmit();
      }}
    >
      <h1>{title}</h1>
      {lead}
      {error && (
        <div className={classes.note} data-tone="danger" role="alert">
          {error}
        </div>
      )}
      {done && (
        <div className={classes.note} data-tone="ok" role="status">
          {done}
        </div>
      )}
      {children}
    </form>
  );
};

export const FormLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link className={classes.link} to={to}>
    {children}
  </Link>
);
