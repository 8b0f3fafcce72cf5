import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { currentUser, reloadUser, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { FormFrame } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { PasswordFields } from '#src/features/account/password-fields.tsx';
import { notify } from '#src/ui/notify.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { PasswordField } from '#src/ui/plain/field.tsx';

/** Changes one's own password; also shown when the password has expired. */
export const Component = () => {
  const user = useSession();
  const navigate = useNavigate();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [busy, setBusy] = useState(false);
  const errors = useFormErrors();
  const submit = async () => {
    errors.clear();
    setBusy(true);
    const result = await call('POST /auth/reset-password', { body: { current_password: current, password, password_confirmation: confirmation } });
    setBusy(false);
    if (result.kind === 'ok') {
      await reloadUser();
      const me = currentUser();
      if (me) void import('#src/device/password-here.ts').then((m) => m.passwordChanged(me, password)).catch(() => undefined);
      notify('success', result.data.message);
      void navigate('/');
    } else errors.show(result);
  };
  return (
    <div className="app-card" style={{ maxWidth: 480, margin: '0 auto', padding: 28 }}>
      <FormFrame
        title="Change your password"
        lead={user?.password_expired ? <span>Your password has expired. Choose a new one to continue.</span> : undefined}
        error={Object.keys(errors.fields).length > 0 ? null : errors.message}
        onSubmit={submit}
      >
        <PasswordField
          label="Current password"
          name="current_password"
          autoComplete="current-password"
          value={current}
          onValue={setCurrent}
          error={errors.fields.current_password}
          showLabel="Show current password"
        />
        <PasswordFields
          password={password}
          confirmation={confirmation}
          onPassword={setPassword}
          onConfirmation={setConfirmation}
          errors={errors.fields}
        />
        <PlainButton type="submit" busy={busy}>
          Save new password
        </PlainButton>
      </FormFrame>
    </div>
  );
};
