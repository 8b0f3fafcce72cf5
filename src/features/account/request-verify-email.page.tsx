import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { IconSend } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { EmptyState } from '#src/ui/states.tsx';

/** Requests the confirmation link again. */
export const Component = () => {
  const user = useSession();
  const [busy, setBusy] = useState(false);
  if (!user) return null;
  const send = async () => {
    setBusy(true);
    const result = await call('GET /auth/{uuid}/verification-send', { params: { uuid: user.uuid } });
    setBusy(false);
    if (result.kind === 'ok') notify('success', result.data.message);
    else notify('error', sentenceOf(result));
  };
  return (
    <EmptyState
      order={1}
      icon={<IconSend size={36} />}
      title="Confirm your e-mail address"
      action={
        <Button onClick={send} loading={busy}>
          Send link again
        </Button>
      }
    >
      {user.mail_waits
        ? 'This server cannot send e-mail yet. As soon as it can, you get a link to confirm your e-mail address. Ask whoever runs it.'
        : `We sent a link to ${user.email}. Open it to confirm your e-mail address.`}
    </EmptyState>
  );
};
