import type { FormEvent, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from '#src/ui/plain/plain.module.css';

type Props = { title: string; lead?: ReactNode; error?: string | null; done?: string | null; onSubmit: () => void; children: ReactNode };

/** A form of the sign-in area: a heading, what went wrong, the fields. */
export const FormFrame = ({ title, lead, error, done, onSubmit, children }: Props) => (
  <form
    noValidate
    className={classes.form}
    onSubmit={(event: FormEvent) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    <h1>{title}</h1>
    {lead}
    {error && (
      <div className={classes.note} role="alert">
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

export const FormLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link className={classes.link} to={to}>
    {children}
  </Link>
);
