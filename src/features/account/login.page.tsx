import { useEffect, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import type { AuthUser } from '#contract/entities/user.ts';
import { errors as errorTable, isErrorCode } from '#contract/errors.ts';
import { appPath } from '#contract/rules/links.ts';
import {
  endSession,
  expectNobody,
  finishSession,
  keepSignedIn,
  noteSessionEnded,
  reloadUser,
  sessionHasEnded,
  signIn,
  useExpected,
  useSession,
} from '#src/access/session.ts';
import { mayBeLocked, setLocked } from '#src/device/lock-hint.ts';
import { storeAnswersMs } from '#src/device/store-silent.ts';
import { afterAwake } from '#src/lib/after-awake.ts';
import { FormFrame, FormLink } from '#src/features/account/form-frame.tsx';
import { sentenceOf } from '#src/api/call.ts';
import { csrfHeaders } from '#src/api/transport.ts';
import { takeSignInProblem } from '#src/device/sign-in-problem.ts';
import { countOf } from '#src/lib/format.ts';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { noteSignedIn } from '#src/features/account/login-popup.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { whenIdle } from '#src/lib/when-idle.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field, PasswordField } from '#src/ui/plain/field.tsx';

/** Loaded after the form. */
const idle = () => new Promise<void>((resolve) => whenIdle(resolve));
const OtherWays = loadedLater(() => idle().then(() => import('#src/features/account/other-ways.tsx').then((m) => m.OtherWays)));
const OwnWaiting = loadedLater(() => idle().then(() => import('#src/features/account/own-waiting.tsx').then((m) => m.OwnWaiting)));
const OthersWaiting = loadedLater(() => idle().then(() => import('#src/features/account/others-waiting.tsx').then((m) => m.OthersWaiting)));

/** Without a connection: the people whom this device knows. Loaded only then. */
const signInHere = async (email: string, password: string) => (await import('#src/device/sign-in-here.ts')).signInHere(email, password);
const wordsWithoutConnection = ({ kind, waitMs }: { kind: 'wrong' | 'wait'; waitMs: number }) => {
  const wait = waitMs > 0 ? ` Try again in ${countOf(Math.ceil(waitMs / 1000), 'second')}.` : '';
  return kind === 'wait'
    ? `Too many attempts.${wait}`
    : `There is no connection. Without one, this device opens only for people who have signed in here before with their password, and it does not know this e-mail address with this password.${wait}`;
};
/** So that the password can be verified here later without a connection. Not awaited: nobody has to wait for it. */
const rememberLater = (person: AuthUser, password: string, alone: boolean) =>
  void import('#src/device/password-here.ts').then((m) => m.rememberPassword(person, password, alone)).catch(() => undefined);
/** Encrypts the work of a person whose account no longer exists for the server. */
const sealAgain = async (personId: string) => {
  const { sealForSignOut } = await import('#src/offline/keys/keyring.ts');
  if (await sealForSignOut(personId).catch(() => false)) await (await import('#src/device/lock.ts')).noteLock(personId);
};

/** Where to go after signing in: a path of this app, and not this page. */
const safeRedirect = (to: string | null) => (to?.startsWith('/login') ? '/' : (appPath(to) ?? '/'));

/**
 * Sign-in. A temp_token in the URL signs out the current person and reloads the page. Because any site can link here, the
 * signed-in person is asked first.
 */
export const Component = () => {
  const user = useSession();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  /** Whose session ended without their doing. */
  const expected = useExpected();
  const [email, setEmail] = useState(expected?.email ?? '');
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
  // Fetched while they type: on a thin connection it is a round trip less between *Sign in* and the answer.
  useEffect(() => {
    if (user === null) whenIdle(() => void csrfHeaders());
  }, [user]);
  const [notSignedInHere, setNotSignedInHere] = useState(takeSignInProblem);
  const [deactivated, setDeactivated] = useState(false);
  const enter = async (person: AuthUser, typed: string | null, here = false) => {
    noteSignedIn();
    noteSessionEnded(false);
    if (here) {
      // It was unlocked, or not, as they signed in.
    } else if (mayBeLocked(person.uuid)) {
      const open = typed === null ? Promise.reject(new Error('no password')) : import('#src/device/lock.ts').then((m) => m.unlockAtSignIn(typed));
      // A store that does not answer must not keep them out: the app says so, and asks to unlock once it answers.
      const late = new Promise((_, reject) => afterAwake(storeAnswersMs, () => reject(new Error('the store does not answer'))));
      await Promise.race([open, late]).catch(() => setLocked(true));
    } else setLocked(false);
    // Once their work is open, which is then also wrapped with the password.
    if (typed !== null && !here) rememberLater(person, typed, code === null && accessPassword === null);
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
    setNotSignedInHere(null);
    setDeactivated(false);
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
    if (result.kind === 'unreachable') {
      const here = await signInHere(email, password).catch(() => null);
      if (here?.kind === 'open') {
        await enter(here.user, password, true);
        return;
      }
      setBusy(false);
      errors.say(here ? wordsWithoutConnection(here) : sentenceOf(result));
      return;
    }
    setBusy(false);
    errors.show(result);
    setDeactivated(result.kind === 'refused' && result.error.code === 'account_deactivated');
    if (result.kind === 'refused' && result.error.code === 'account_deactivated' && expected) void sealAgain(expected.uuid);
    if (result.kind === 'refused' && result.error.errors?.restricted_access_password) setAccessPassword((typed) => typed ?? '');
    if (result.kind === 'refused' && result.error.code === 'second_step_needed') setCode((typed) => typed ?? '');
  };
  const { email: emailError, password: passwordError } = errors.fields;
  return (
    <FormFrame
      title="Sign in"
      lead={
        <>
          {sessionHasEnded() && !busy && <span role="status">You have been signed out. Sign in again to go on where you were.</span>}
          {notSignedInHere !== null && (
            <span role="alert">
              The server did not accept the sign-in that was made here without a connection: {notSignedInHere} What was not sent stays on this device,
              encrypted.
            </span>
          )}
          {expected && !busy && (
            <OwnWaiting
              person={expected}
              deactivated={deactivated}
              onOther={() => {
                expectNobody();
                setEmail('');
              }}
            />
          )}
        </>
      }
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
      <OthersWaiting except={expected?.uuid ?? null} />
    </FormFrame>
  );
};
