import { Button, Group, Text, TextInput } from '@mantine/core';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  browserSupportsWebAuthn,
  startRegistration,
} from '@simplewebauthn/browser';
import { useState } from 'react';
import type { SignInWays } from '#contract/entities/sign-in.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { AskPassword } from '#src/features/account/ask-password.tsx';
import { formatDay, formatMoment } from '#src/lib/format.ts';
import { type Failed, useAction } from '#src/screens/use-action.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

/** A person's passkeys: adding and removing them. */
export const Passkeys = ({ passkeys, changed }: { passkeys: SignInWays['passkeys']; changed: () => void }) => {
  const [adding, setAdding] = useState(false);
  const [name, setName] = useState('');
  const add = async (password: string): Promise<Result<unknown> | Failed> => {
    const options = await call('POST /auth/passkeys/options', { body: { password } }, { quiet: true });
    if (options.kind !== 'ok') return options;
    const credential: RegistrationResponseJSON | null = await startRegistration({
      optionsJSON: options.data as unknown as PublicKeyCredentialCreationOptionsJSON,
    }).catch(() => null);
    if (!credential) return { kind: 'failed', errors: { whole: 'No passkey was added. Nothing has changed.' } };
    return call('POST /auth/passkeys', { body: { name: name.trim() || 'My passkey', credential: { ...credential } } }, { quiet: true });
  };
  const added = () => {
    setAdding(false);
    setName('');
    notify('success', 'You can now sign in with the passkey.');
    changed();
  };
  const remove = useAction((id: string) => call('DELETE /auth/passkeys/{id}', { params: { id } }), {
    success: 'The passkey has been removed.',
    onDone: changed,
  });
  return (
    <Section title="Passkeys">
      <Text>
        Sign in with your fingerprint, your face or your device’s lock instead of a password. A passkey cannot be guessed or entered on a fake page.
      </Text>
      {passkeys.length > 0 && (
        <ul className={layout.lines}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong>
                <small>
                  Since {formatDay(passkey.created_at)} · {passkey.last_used_at ? `last used ${formatMoment(passkey.last_used_at)}` : 'not used yet'}
                </small>
              </div>
              <DeleteButton
                label={`Remove ${passkey.name}`}
                sure="Remove"
                question="You will no longer be able to sign in with it."
                onDelete={() => void remove.run(passkey.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {adding ? (
        <AskPassword action="Add passkey" run={add} onDone={added} onCancel={() => setAdding(false)}>
          <TextInput
            label="Passkey name"
            data-field="name"
            description="For example, the device it is on."
            placeholder="My phone"
            maxLength={100}
            maw={420}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
        </AskPassword>
      ) : browserSupportsWebAuthn() ? (
        <Group>
          <Button variant={passkeys.length === 0 ? 'filled' : 'default'} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        </Group>
      ) : (
        <p className={layout.count}>This browser does not support passkeys.</p>
      )}
    </Section>
  );
};
