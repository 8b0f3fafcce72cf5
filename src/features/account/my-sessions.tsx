import layout from '#src/ui/page.module.css';
import { Button, Stack, Text } from '@mantine/core';

import { call, sentenceOf } from '#src/api/call.ts';
import { formatMoment } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { notify } from '#src/ui/notify.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Badge } from '#src/ui/badge.tsx';

export const mySessionsName = 'my-sessions';

const List = () => {
  const { state, retry } = useRead('GET /auth/sessions', {});
  const end = async (id: string, device: string) => {
    const result = await call('DELETE /auth/sessions/{id}', { params: { id } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', `Signed out: ${device}.`);
    retry();
  };
  return (
    <Stack>
      <Text>Sign out any device you do not recognise, then change your password. Unsent work stays on that device, encrypted.</Text>
      <ReadPlaceholder state={state} retry={retry} loading="Loading your sessions" offline="This list needs a connection." />
      {state.kind === 'loaded' && (
        <ul className={layout.lines}>
          {state.data.map((session) => (
            <li key={session.id}>
              <div>
                <strong>{session.device}</strong>
                <small>
                  Since {formatMoment(session.created_at)} · last used {formatMoment(session.last_seen_at)}
                </small>
              </div>
              {session.current ? (
                <Badge tone="ok">This device</Badge>
              ) : (
                <Button variant="default" onClick={() => void end(session.id, session.device)} aria-label={`Sign out ${session.device}`}>
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
};

/** The person's sessions, each of which they can end. */
export const MySessions = () => (
  <RegisteredModal name={mySessionsName} title="Where I am signed in" scrollable>
    {() => <List />}
  </RegisteredModal>
);
