import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { ErrorSummary } from '#src/ui/error-summary.tsx';
import layout from '#src/ui/page.module.css';

/** The signed-in person's e-mail address. A new one replaces it once confirmed through the link sent to it. */
export const EmailAddress = ({ address, verified }: { address: string; verified: boolean }) => {
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [sent, setSent] = useState<string | null>(null);
  const close = () => {
    setOpen(false);
    setEmail('');
    setPassword('');
    setErrors({});
  };
  const submit = async () => {
    const missing = {
      ...(email.trim() ? {} : { email: 'Enter the new e-mail address.' }),
      ...(password ? {} : { password: 'Enter your password.' }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    const result = await call('POST /auth/update-email', { body: { email, password } });
    setBusy(false);
    if (result.kind !== 'ok') return setErrors(fieldErrorsOf(result));
    setSent(result.data.message);
    close();
  };
  return (
    <>
      <Text>
        {address}
        {verified ? '' : ' (not confirmed yet)'}
      </Text>
      {sent && (
        <p className={layout.notice} data-tone="ok" role="status">
          {sent} Until then, sign in with {address}.
        </p>
      )}
      {open ? (
        <form
          noValidate
          className={layout.list}
          aria-label="Change e-mail address"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <ErrorSummary errors={errors} />
          <TextInput
            label="New e-mail address"
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            maw={420}
            value={email}
            error={errors.email}
            onChange={(e) => setEmail(e.currentTarget.value)}
            data-autofocus
          />
          <PasswordInput
            label="Your password"
            description="To confirm that it is you."
            name="password"
            autoComplete="current-password"
            maw={420}
            value={password}
            error={errors.password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          />
          <Group>
            <Button type="submit" loading={busy}>
              Send link
            </Button>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
          </Group>
        </form>
      ) : (
        <Group>
          <Button
            variant="default"
            onClick={() => {
              setSent(null);
              setOpen(true);
            }}
          >
            Change e-mail address
          </Button>
        </Group>
      )}
    </>
  );
};
