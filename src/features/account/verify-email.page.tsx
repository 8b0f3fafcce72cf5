import { useLoaderData } from 'react-router-dom';
import { reloadUser, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/ui/plain/plain.module.css';
import { FormLink } from '#src/features/account/form-frame.tsx';

/** Submits the token of the link, before the page is entered. Answers what came of it. */
export const before = async ({ token = '' }: Partial<Record<string, string>>): Promise<string> => {
  const result = await call('POST /auth/verify-email', { body: { token } });
  if (result.kind !== 'ok') return sentenceOf(result);
  // Waited for: whoever goes on from here is shown the address that counts now.
  await reloadUser();
  return result.data.message;
};

/** Says what came of the token. */
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
