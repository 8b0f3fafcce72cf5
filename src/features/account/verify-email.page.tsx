import { useLoaderData } from 'react-router-dom';
import { reloadUser, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/ui/plain/plain.module.css';
import { FormLink } from '#src/features/account/form-frame.tsx';

/** Submits the token of the link before the page is shown, and returns the result. */
export const before = async ({ token = '' }: Partial<Record<string, string>>): Promise<string> => {
  const result = await call('POST /auth/verify-email', { body: { token } });
  if (result.kind !== 'ok') return sentenceOf(result);
  // Awaited, so that the next page shows the current address.
  await reloadUser();
  return result.data.message;
};

/** Shows the result of the token. */
export const Component = () => {
  const user = useSession();
  const message = useLoaderData<string>();
  return (
    <div className={classes.form}>
      <h1>E-mail address</h1>
      <p role="status">{message}</p>
      <FormLink to={user ? '/' : '/login'}>{user ? 'Go to the start page' : 'Sign in'}</FormLink>
    </div>
  );
};
