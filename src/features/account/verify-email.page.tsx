import { Anchor, Stack, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { verifyEmail } from '#contract/api/auth.ts';
import { reloadUser, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';

/** Submits the token of the link and says what came of it. */
export const Component = () => {
  const { token = '' } = useParams();
  const user = useSession();
  const [message, setMessage] = useState<string | null>(null);
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    void call(verifyEmail, { body: { token } }).then((result) => {
      setMessage(result.kind === 'ok' ? result.data.message : sentenceOf(result));
      if (result.kind === 'ok') void reloadUser();
    });
  }, [token]);
  return (
    <Stack>
      <Title order={1} size="h2">
        E-mail address
      </Title>
      <p role="status">{message ?? 'Checking the link …'}</p>
      {message && (
        <Anchor component={Link} to={user ? '/' : '/login'}>
          {user ? 'Go to the start page' : 'Sign in'}
        </Anchor>
      )}
    </Stack>
  );
};
