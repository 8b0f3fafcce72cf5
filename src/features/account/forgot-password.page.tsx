import { useEffect, useState } from 'react';
import { currentUser, endSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { FormFrame, FormLink } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field } from '#src/ui/plain/field.tsx';

/** Requests a link to set a new password. Signs out anyone who is signed in. */
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
    const result = await call('POST /auth/forgot-password', { body: { email } });
    setBusy(false);
    if (result.kind === 'ok') setDone(result.data.message);
    else errors.show(result);
  };
  return (
    <FormFrame
      title="Forgotten password"
      lead={<span>We will send you a link to set a new one.</span>}
      error={errors.fields.email ? null : errors.message}
      done={done}
      onSubmit={submit}
    >
      <Field label="E-mail address" name="email" type="email" autoComplete="username" value={email} onValue={setEmail} error={errors.fields.email} />
      <PlainButton type="submit" busy={busy}>
        Send link
      </PlainButton>
      <FormLink to="/login">Back to sign-in</FormLink>
    </FormFrame>
  );
};
