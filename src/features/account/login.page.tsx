import { useEffect, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { endSession, signIn, useSession } from '#src/access/session.ts';
import { mayBeLocked, setLocked } from '#src/device/lock-hint.ts';
import { FormFrame, FormLink } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { noteSignedIn } from '#src/features/account/login-popup.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { whenIdle } from '#src/lib/when-idle.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field, PasswordField } from '#src/ui/plain/field.tsx';

const OthersWaiting = loadedLater(() =>
  new Promise<void>((resolve) => whenIdle(resolve)).then(() => import('#src/features/account/others-waiting.tsx')).then((m) => m.OthersWaiting),
);

/** Only places of this app: never another host. */
const safeRedirect = (to: string | null) =>
  to?.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') && !to.startsWith('/login') ? to : '/';

/** Signing in. A temp_token in the address signs out whoever is there, then loads the page again. */
export const Component = () => {
  const user = useSession();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** Asked for where the organisation has restricted access. */
  const [accessPassword, setAccessPassword] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const errors = useFormErrors();
  const token = query.get('temp_token');
  const to = safeRedirect(query.get('redirect'));
  useEffect(() => {
    if (token === null) return;
    void endSession().then(() => {
      const url = new URL(location.href);
      url.searchParams.delete('temp_token');
      location.replace(url);
    });
  }, [token]);
  if (token !== null) return <p role="status">Signing out …</p>;
  if (user && !busy) return <Navigate to={to} replace />;

  const submit = async () => {
    if (email.trim() === '' || password === '') {
      errors.show({
        kind: 'refused',
        status: 422,
        retryAfterMs: null,
        error: {
          message: 'Enter your e-mail address and your password.',
          code: 'invalid_input',
          errors: {
            ...(email.trim() === '' ? { email: ['Enter your e-mail address.'] } : {}),
            ...(password === '' ? { password: ['Enter your password.'] } : {}),
          },
        },
      });
      return;
    }
    errors.clear();
    setBusy(true);
    const result = await signIn({ email, password, ...(accessPassword === null ? {} : { restricted_access_password: accessPassword }) });
    if (result.kind === 'ok') {
      noteSignedIn();
      if (mayBeLocked(result.data.uuid)) await import('#src/device/lock.ts').then((m) => m.unlockAtSignIn(password)).catch(() => setLocked(true));
      else setLocked(false);
      void navigate(result.data.password_expired ? '/update-password' : to, { replace: true });
      return;
    }
    setBusy(false);
    errors.show(result);
    if (result.kind === 'refused' && result.error.errors?.restricted_access_password) setAccessPassword((typed) => typed ?? '');
  };
  const { email: emailError, password: passwordError } = errors.fields;
  return (
    <FormFrame title="Sign in" error={errors.message} onSubmit={submit}>
      <Field
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        value={email}
        onValue={setEmail}
        error={emailError && emailError !== errors.message ? emailError : Boolean(emailError)}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={passwordError}
        showLabel="Show password"
      />
      {accessPassword !== null && (
        <PasswordField
          label="Access password"
          name="access-password"
          autoComplete="off"
          value={accessPassword}
          onValue={setAccessPassword}
          error={errors.fields.restricted_access_password}
          showLabel="Show access password"
        />
      )}
      <PlainButton type="submit" busy={busy}>
        Sign in
      </PlainButton>
      <FormLink to="/forgot-password">I have forgotten my password</FormLink>
      <OthersWaiting except={null} />
    </FormFrame>
  );
};
