import type { ComponentProps } from 'react';
import type { AuthUser } from '#contract/entities/user.ts';
import classes from '#src/features/account/account-sign.module.css';

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((p) => p[0])
    .slice(0, 2)
    .join('');

/** The round button with the person's initials. */
export const AccountSign = ({ user, ...rest }: ComponentProps<'button'> & { user: AuthUser }) => (
  <button type="button" {...rest} className={classes.sign} aria-haspopup="menu" aria-label={`${initials(user.name)}, account of ${user.name}`}>
    {initials(user.name)}
  </button>
);
