import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type AuthEvent, type AuthWay, providerNames } from '#contract/entities/sign-in.ts';
import { can } from '#contract/can.ts';
import { currentUser, useActingAs, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Section } from '#src/ui/section.tsx';
import { mailSaid } from '#src/screens/mail-waits.tsx';

const wayWords: Record<AuthWay, string> = {
  ...providerNames,
  password: 'the password',
  passkey: 'a passkey',
  app: 'the mobile app',
  link: 'the link of an e-mail',
};
const kindWords: Record<AuthEvent['kind'], string> = {
  signed_in: 'Signed in',
  refused: 'Refused',
  password_changed: 'New password',
  email_changed: 'New e-mail address',
};
/** The number of events shown at first. */
const first = 5;

/** The activity of an account, with an administrator's actions for its person. */
export const AccountActivity = ({ uuid, name }: { uuid: string; name: string }) => {
  const me = useSession();
  const acting = useActingAs();
  const [all, setAll] = useState(false);
  const { state, retry } = useRead('GET /users/{id}/account-activity', { params: { id: uuid } });
  const mayHelp = uuid !== me?.uuid && can(me, 'user.update');
  const signOut = async () => {
    const result = await call('POST /auth/logout/{userId}', { params: { userId: uuid } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', `${name} is signed out everywhere. Unsent work stays on their devices.`);
    retry();
  };
  const endSecondStep = async () => {
    const result = await call('DELETE /users/{id}/second-step', { params: { id: uuid } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', `Two-step verification is off for ${name}. ${mailSaid(currentUser(), 'They will be told by e-mail.')}`);
    retry();
  };
  return (
    <Section title="Account activity" id="account-activity">
      <ReadPlaceholder state={state} retry={retry} loading="Loading the account activity" offline="Account activity needs a connection." />
      {state.kind === 'loaded' && (
        <>
          <Text>
            {state.data.last_signed_in_at ? `Last signed in ${formatMoment(state.data.last_signed_in_at)}.` : 'No sign-in recorded.'}{' '}
            {state.data.sessions > 0 && `Signed in on ${countOf(state.data.sessions, 'device', 'devices')} now. `}
            Two-step verification: {state.data.second_step ? 'on' : 'off'}.
            {state.data.passkeys > 0 && ` ${countOf(state.data.passkeys, 'passkey', 'passkeys')}.`}
          </Text>
          {mayHelp && (state.data.sessions > 0 || (state.data.second_step && !acting)) && (
            <Group>
              {state.data.sessions > 0 && (
                <DeleteButton
                  label="Sign out everywhere …"
                  question="They have to sign in again on every device."
                  sure="Sign out"
                  onDelete={() => void signOut()}
                />
              )}
              {state.data.second_step && !acting && (
                <DeleteButton
                  label="Turn off two-step verification …"
                  question="Make sure that the request comes from them: afterwards they sign in with their password alone."
                  sure="Turn off"
                  onDelete={() => void endSecondStep()}
                />
              )}
            </Group>
          )}
          {state.data.events.length > 0 && (
            <ul className={layout.list} aria-label="What happened">
              {state.data.events.slice(0, all ? undefined : first).map((event) => (
                <li key={`${event.at} ${event.kind} ${event.device}`}>
                  {event.kind === 'refused' ? <Badge tone="warning">{kindWords.refused}</Badge> : <strong>{kindWords[event.kind]}</strong>}{' '}
                  {formatMoment(event.at)}, with {wayWords[event.way]}
                  <span className={layout.soft}>{[event.device, event.address].filter(Boolean).join(' · ')}</span>
                </li>
              ))}
            </ul>
          )}
          {!all && state.data.events.length > first && (
            <Group>
              <Button variant="subtle" onClick={() => setAll(true)}>
                Show {state.data.events.length - first} more
              </Button>
            </Group>
          )}
        </>
      )}
    </Section>
  );
};
