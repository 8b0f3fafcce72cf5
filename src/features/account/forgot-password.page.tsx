import { Anchor, Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { forgotPassword } from '#contract/api/auth.ts';
import { currentUser, endSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { FormFrame } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';

/** Asks for a link to choose a new password. Signs out whoever is signed in. */
export const Component = () => {
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const errors = useFormErrors();
  useEffect(() => {
    if (currentUser()) void endSession();
  }, []);
  const submit = async () => {
    errors.clear();
    setBusy(true);
    const result = await call(forgotPassword, { body: { email } });
    setBusy(false);
    if (result.kind === 'ok') setDone(result.data.message);
    else errors.show(result);
  };
  return (
    <FormFrame
      title="Forgotten password"
      lead={<span>We send you a link to choose a new one.</span>}
      error={errors.fields.email ? null : errors.message}
      done={done}
      onSubmit={submit}
    >
      <TextInput
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(e) => setEmail(e.currentTarget.value)}
        error={errors.fields.email}
      />
      <Button type="submit" loading={busy} fullWidth>
        Send the link
      </Button>
      <Anchor component={Link} to="/login">
        Back to signing in
      </Anchor>
    </FormFrame>
  );
};
