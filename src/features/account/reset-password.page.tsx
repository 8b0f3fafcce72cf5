import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { currentUser, endSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { FormFrame, FormLink } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { PasswordFields } from '#src/features/account/password-fields.tsx';
import { PlainButton } from '#src/ui/plain/button.tsx';

/** Sets a new password through an e-mail link. Signs out anyone who is signed in. */
export const Component = () => {
  const { token = '' } = useParams();
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const errors = useFormErrors();
  useEffect(() => {
    if (currentUser()) void endSession();
  }, []);
  const submit = async () => {
    errors.clear();
    setBusy(true);
    const result = await call('POST /auth/reset-password', { body: { token, password, password_confirmation: confirmation } });
    setBusy(false);
    if (result.kind === 'ok') setDone(result.data.message);
    else errors.show(result);
  };
  return (
    <FormFrame title="Set a new password" error={Object.keys(errors.fields).length > 0 ? null : errors.message} done={done} onSubmit={submit}>
      {!done && (
        <PasswordFields
          token={token}
          password={password}
          confirmation={confirmation}
          onPassword={setPassword}
          onConfirmation={setConfirmation}
          errors={errors.fields}
        />
      )}
      {!done && (
        <PlainButton type="submit" busy={busy}>
          Save new password
        </PlainButton>
      )}
      <FormLink to="/login">{done ? 'Sign in' : 'Back to sign-in'}</FormLink>
    </FormFrame>
  );
};
