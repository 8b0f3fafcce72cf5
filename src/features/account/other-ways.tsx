import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  browserSupportsWebAuthn,
  startAuthentication,
} from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { providerNames, type SignInProvider } from '#contract/entities/sign-in.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { finishSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/account/other-ways.module.css';
import plain from '#src/ui/plain/plain.module.css';
import { PlainButton } from '#src/ui/plain/button.tsx';

type Props = {
  /** Where to go afterwards. */
  to: string;
  accessPassword: string | null;
  onSignedIn: (person: AuthUser) => void;
  onProblem: (result: Exclude<Result, { kind: 'ok' }>) => void;
};

/** The device's answer; null if the person dismissed the prompt. */
const askPasskey = async (options: Record<string, unknown>): Promise<AuthenticationResponseJSON | null> =>
  startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON }).catch(() => null);

/** Sign-in without a password: with a passkey, or with a Microsoft or Google account if the organisation allows it. */
export const OtherWays = ({ to, accessPassword, onSignedIn, onProblem }: Props) => {
  const [providers, setProviders] = useState<readonly SignInProvider[]>([]);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    const slug = new URLSearchParams(location.search).get('slug') ?? undefined;
    void call('GET /auth/sign-in-options', { query: { slug } }, { quiet: true }).then(
      (r) => !isUnmounted && r.kind === 'ok' && setProviders(r.data.providers),
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  const withPasskey = async () => {
    setBusy(true);
    await finishSession();
    const options = await call('POST /login/passkey/options', {}, { quiet: true });
    const credential = options.kind === 'ok' ? await askPasskey(options.data) : null;
    const accessHeader = accessPassword === null ? {} : { restricted_access_password: accessPassword };
    const result = credential
      ? await call('POST /login/passkey', { body: { credential: { ...credential }, ...accessHeader } }, { quiet: true })
      : options;
    setBusy(false);
    if (result.kind !== 'ok') onProblem(result);
    else if (credential) onSignedIn(result.data as AuthUser);
  };
  const passkeys = browserSupportsWebAuthn();
  if (!passkeys && providers.length === 0) return null;
  return (
    <fieldset className={classes.others} aria-label="Other ways to sign in">
      <span aria-hidden="true">or</span>
      {passkeys && (
        <PlainButton kind="default" busy={busy} onClick={() => void withPasskey()}>
          Use a passkey
        </PlainButton>
      )}
      {providers.map((provider) => (
        <a
          key={provider}
          className={plain.button}
          data-kind="default"
          href={`/api/auth/openid/${provider}?to=${encodeURIComponent(to)}`}
          onClick={(e) => {
            // The previous session is ended first.
            e.preventDefault();
            const { href } = e.currentTarget;
            void finishSession().then(() => location.assign(href));
          }}
        >
          Sign in with {providerNames[provider]}
        </a>
      ))}
    </fieldset>
  );
};
