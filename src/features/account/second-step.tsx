import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { SignInWays } from '#contract/entities/sign-in.ts';
import { call } from '#src/api/call.ts';
import { AskPassword } from '#src/features/account/ask-password.tsx';
import { ConfirmKey } from '#src/features/account/confirm-key.tsx';
import { RecoveryCodes } from '#src/features/account/recovery-codes.tsx';
import { formatDay } from '#src/lib/format.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

type Doing = { kind: 'nothing' | 'begin' | 'renew' | 'end' } | { kind: 'key'; key: string; uri: string } | { kind: 'codes'; codes: string[] };

/** Two-step verification: turning it on and off, and new recovery codes. */
export const SecondStep = ({ state, changed }: { state: SignInWays['second_step']; changed: () => void }) => {
  const [doing, setDoing] = useState<Doing>({ kind: 'nothing' });
  const stop = () => setDoing({ kind: 'nothing' });
  return (
    <Section title="Two-step verification">
      <Text>
        {state.on
          ? `On since ${formatDay(state.since ?? '')}. You sign in with your password and a code from your authenticator app.`
          : 'Off. Add a code from an app on your phone, so that someone who learns your password still cannot sign in.'}
      </Text>
      {doing.kind === 'nothing' &&
        (state.on ? (
          <>
            <p className={layout.count}>
              {state.recovery_codes} of your recovery codes {state.recovery_codes === 1 ? 'is' : 'are'} left.
            </p>
            <Group>
              <Button variant="default" onClick={() => setDoing({ kind: 'renew' })}>
                Create new recovery codes
              </Button>
              <Button variant="default" onClick={() => setDoing({ kind: 'end' })}>
                Turn off
              </Button>
            </Group>
          </>
        ) : (
          <Group>
            <Button onClick={() => setDoing({ kind: 'begin' })}>Turn on</Button>
          </Group>
        ))}
      {doing.kind === 'begin' && (
        <AskPassword
          action="Continue"
          run={(password) => call('POST /auth/second-step', { body: { password } }, { quiet: true })}
          onDone={(made) => setDoing({ kind: 'key', ...made })}
          onCancel={stop}
        />
      )}
      {doing.kind === 'renew' && (
        <AskPassword
          action="Create new codes"
          run={(password) => call('POST /auth/second-step/recovery-codes', { body: { password } }, { quiet: true })}
          onDone={({ recovery_codes }) => setDoing({ kind: 'codes', codes: recovery_codes })}
          onCancel={stop}
        />
      )}
      {doing.kind === 'end' && (
        <AskPassword
          action="Turn off"
          run={(password) => call('POST /auth/second-step/end', { body: { password } }, { quiet: true })}
          onDone={() => {
            stop();
            notify('success', 'Two-step verification is off.');
            changed();
          }}
          onCancel={stop}
        />
      )}
      {doing.kind === 'key' && (
        <ConfirmKey secret={doing.key} uri={doing.uri} onDone={(codes) => setDoing({ kind: 'codes', codes })} onCancel={stop} />
      )}
      {doing.kind === 'codes' && (
        <RecoveryCodes
          codes={doing.codes}
          onDone={() => {
            stop();
            changed();
          }}
        />
      )}
    </Section>
  );
};
