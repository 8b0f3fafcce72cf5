import type { ComponentProps } from 'react';
import classes from '#src/ui/plain/plain.module.css';

/** A button for the sign-in screens: the same look without the component library. */
export const PlainButton = ({
  busy = false,
  kind = 'filled',
  ...rest
}: ComponentProps<'button'> & { busy?: boolean; kind?: 'filled' | 'default' }) => (
  <button
    type="button"
    {...rest}
    className={classes.button}
    data-kind={kind}
    data-busy={busy || undefined}
    aria-busy={busy || undefined}
    disabled={busy || rest.disabled}
  />
);
