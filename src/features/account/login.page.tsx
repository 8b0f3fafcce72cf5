import { useEffect, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import type { AuthUser } from '#contract/entities/user.ts';
import { errors as errorTable, isErrorCode } from '#contract/errors.ts';
import { endSession, finishSession, keepSignedIn, noteSessionEnded, reloadUser, sessionHasEnded, signIn, useSession } from '#src/access/session.ts';
import { mayBeLocked, setLocked } from '#src/device/lock-hint.ts';
import { storeAnswersMs } from '#src/device/store-silent.ts';
import { FormFrame, FormLink } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { noteSignedIn } from '#src/features/account/login-popup.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { whenIdle } from '#src/lib/when-idle.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field, PasswordField } from '#src/ui/plain/field.tsx';

/** Loaded after the form. */
const idle = () => new Promise<void>((resolve) => whenIdle(resolve));
const OtherWays = loadedLater(() => idle().then(() => import('#src/features/account/other-ways.tsx').then((m) => m.OtherWays)));
const OthersWaiting = loadedLater(() => idle().then(() => import('#src/features/account/others-waiting.tsx').then((m) => m.OthersWaiting)));

/** Only paths of this app, never another host. */
const safeRedirect = (to: string | null) =>
  to?.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\') && !to.startsWith('/login') ? to : '/';

/**
 * Sign-in. A temp_token in the URL signs out the current person and reloads the page. Because any site can link here, the
 * signed-in person is asked first.
 */
export const Component = () => {
  const user = useSession();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** Shown if the organisation has restricted access. */
  const [accessPassword, setAccessPassword] = useState<string | null>(null);
  /** Shown if the person has two-step verification. */
  const [code, setCode] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const errors = useFormErrors();
  const token = query.get('temp_token');
  const problem = query.get('problem');
  const [comesBack, setComesBack] = useState(query.get('signed_in') !== null);
  const destination = safeRedirect(query.get('redirect'));
  const [leaves, setLeaves] = useState(user === null);
  useEffect(() => {
    if (token === null || !leaves) return;
    void endSession().then(() => {
      const url = new URL(location.href);
      url.searchParams.delete('temp_token');
      location.replace(url);
    });
  }, [token, leaves]);
  const enter = async (person: AuthUser, typed: string | null) => {
    noteSignedIn();
    noteSessionEnded(false);
    if (mayBeLocked(person.uuid)) {
      const open = typed === null ? Promise.reject(new Error('no password')) : import('#src/device/lock.ts').then((m) => m.unlockAtSignIn(typed));
      // A store that does not answer must not keep them out: the app says so, and asks to unlock once it answers.
      const late = new Promise((_, reject) => setTimeout(() => reject(new Error('the store does not answer')), storeAnswersMs));
      await Promise.race([open, late]).catch(() => setLocked(true));
    } else setLocked(false);
    void navigate(person.password_expired ? '/update-password' : destination, { replace: true });
  };
  // Back from Microsoft or Google: the session cookie is set, but the signed-in person is not known yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the redirect
  useEffect(() => {
    if (!comesBack) return;
    void finishSession()
      .then(reloadUser)
      .then((result) => {
        if (result.kind === 'ok') {
          keepSignedIn(result.data);
          return enter(result.data, null);
        }
        setComesBack(false);
        errors.show(result);
      });
  }, [comesBack]);
  if (token !== null && user && !leaves)
    return (
      <FormFrame title="Sign in as someone else" onSubmit={() => setLeaves(true)}>
        <p>{user.name} is signed in here. The link you opened is for signing in as someone else.</p>
        <PlainButton type="submit">Sign {user.name} out</PlainButton>
        <FormLink to="/">Stay signed in</FormLink>
      </FormFrame>
    );
  if (token !== null) return <p role="status">Signing out …</p>;
  if (comesBack) return <p role="status">Signing in …</p>;
  if (user && !busy) return <Navigate to={destination} replace />;

  const submit = async () => {
    if (email.trim() === '' || password === '') {
      errors.show({
        kind: 'refused',
        status: 422,
        retryAfterMs: null,
        error: {
          message: 'Enter your e-mail address and password.',
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
    const result = await signIn({
      email,
      password,
      ...(accessPassword === null ? {} : { restricted_access_password: accessPassword }),
      ...(code === null ? {} : { second_step_code: code }),
    });
    if (result.kind === 'ok') {
      await enter(result.data, password);
      return;
    }
    setBusy(false);
    errors.show(result);
    if (result.kind === 'refused' && result.error.errors?.restricted_access_password) setAccessPassword((typed) => typed ?? '');
    if (result.kind === 'refused' && result.error.code === 'second_step_needed') setCode((typed) => typed ?? '');
  };
  const { email: emailError, password: passwordError } = errors.fields;
  return (
    <FormFrame
      title="Sign in"
      lead={sessionHasEnded() && !busy && <span role="status">You have been signed out. Sign in again to go on where you were.</span>}
      error={errors.message ?? (isErrorCode(problem) ? errorTable[problem].message : null)}
      onSubmit={submit}
    >
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
      {code !== null && (
        <Field
          label="Code"
          description="From your authenticator app, or one of your recovery codes."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          value={code}
          onValue={setCode}
          error={errors.fields.second_step_code}
          autoFocus
        />
      )}
      <PlainButton type="submit" busy={busy}>
        Sign in
      </PlainButton>
      <FormLink to="/forgot-password">I have forgotten my password</FormLink>
      <OtherWays
        to={destination}
        accessPassword={accessPassword}
        onSignedIn={(person) => {
          setBusy(true);
          keepSignedIn(person);
          void enter(person, null);
        }}
        onProblem={(result) => {
          errors.show(result);
          if (result.kind === 'refused' && result.error.errors?.restricted_access_password) setAccessPassword((typed) => typed ?? '');
        }}
      />
      <OthersWaiting except={null} />
    </FormFrame>
  );
};
