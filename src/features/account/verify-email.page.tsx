import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { reloadUser, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/ui/plain/plain.module.css';
import { FormLink } from '#src/features/account/form-frame.tsx';

/** Submits the token of the link and says what came of it. */
export const Component = () => {
  const { token = '' } = useParams();
  const user = useSession();
  const [message, setMessage] = useState<string | null>(null);
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    void call('POST /auth/verify-email', { body: { token } }).then((result) => {
      setMessage(result.kind === 'ok' ? result.data.message : sentenceOf(result));
      if (result.kind === 'ok') void reloadUser();
    });
  }, [token]);
  return (
    <div className={classes.form}>
      <h1>E-mail address</h1>
      <p role="status">{message ?? 'Checking the link …'}</p>
      {message && <FormLink to={user ? '/' : '/login'}>{user ? 'Go to the start page' : 'Sign in'}</FormLink>}
    </div>
  );
};
