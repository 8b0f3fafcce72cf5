import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { transferDays } from '#contract/entities/user.ts';
import { useActingAs } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { formatDay } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Section } from '#src/ui/section.tsx';

/** Lets a leaver transfer their training record to their next organisation. */
export const HandOver = ({ uuid, name, email }: { uuid: string; name: string; email: string }) => {
  const acting = useActingAs();
  const { state, retry } = useRead('GET /users/{id}/transfer', { params: { id: uuid } });
  const [code, setCode] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    const result = await call('POST /users/{id}/transfer', { params: { id: uuid } });
    setBusy(false);
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    setCode(result.data.code);
    retry();
  };
  return (
    <Section title="Training record for their next employer">
      <ReadPlaceholder state={state} retry={retry} loading="Loading" offline="This needs a connection." />
      {state.kind === 'loaded' && (
        <>
          <Text>
            {state.data.state === 'taken'
              ? `Taken over on ${formatDay(state.data.taken_at ?? '')}. Your own record of ${name} stays as it is.`
              : state.data.state === 'waiting'
                ? `A code can be used until ${formatDay(state.data.expires_at ?? '')}. Your own record of ${name} stays as it is.`
                : `With a code, an organisation that uses this service too adds ${name} with what they have completed of the courses that both have. Your own record stays as it is.`}
          </Text>
          {code && (
            <p className={layout.notice} data-tone="ok" role="status">
              <strong>{code}</strong> – it is not shown again. It has been sent to {email} too, and works once, for {transferDays} days.
            </p>
          )}
          {state.data.state !== 'taken' && !acting && (
            <Group>
              <Button variant="default" loading={busy} onClick={() => void make()}>
                {state.data.state === 'waiting' ? 'Make another code' : 'Make a code'}
              </Button>
            </Group>
          )}
        </>
      )}
    </Section>
  );
};
