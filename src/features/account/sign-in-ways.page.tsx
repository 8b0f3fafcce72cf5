import { Button, Group, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { type RegistrationResponseJSON, browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { encode } from 'uqr';
import { providerNames, type SignInProvider, type SignInWays } from '#contract/entities/sign-in.ts';
import { errors as errorTable, isErrorCode } from '#contract/errors.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import sessions from '#src/features/account/my-sessions.module.css';
import { EmailAddress } from '#src/features/account/email-address.tsx';
import classes from '#src/features/account/sign-in-ways.module.css';
import { formatDay, formatMoment } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className={`app-card ${layout.block}`}>
    <Title order={2} size="h3">
      {title}
    </Title>
    {children}
  </section>
);

/** Asks for the password again before a sign-in method is changed. */
const AskPassword = ({
  action,
  children,
  run,
  onCancel,
}: {
  action: string;
  children?: ReactNode;
  run: (password: string) => Promise<string | null>;
  onCancel: () => void;
}) => {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    if (password === '') return setError('Enter your password.');
    setBusy(true);
    setError(await run(password));
    setBusy(false);
  };
  return (
    <form
      noValidate
      className={layout.list}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      <PasswordInput
        label="Your password"
        description="To confirm that it is you."
        autoComplete="current-password"
        maw={420}
        value={password}
        error={error}
        onChange={(e) => setPassword(e.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
        data-autofocus
      />
      <Group>
        <Button type="submit" loading={busy}>
          {action}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
};

/** Returns an error message, or null on success. */
const problemOf = (result: Result): string | null =>
  result.kind === 'ok'
    ? null
    : result.kind === 'refused'
      ? (Object.values(result.error.errors ?? {})[0]?.[0] ?? result.error.message)
      : sentenceOf(result);

const QrCode = ({ text }: { text: string }) => {
  const { data, size } = encode(text, { border: 1 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for your authenticator app"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
};

const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <div className={layout.list}>
    <p className={layout.notice} data-tone="warning">
      Keep these codes somewhere other than your phone. Each lets you sign in once if you cannot use your authenticator app. They will not be shown
      again.
    </p>
    <ul className={classes.codes} aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <Group>
      <Button
        variant="default"
        onClick={() => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), null, 'lantern-recovery-codes.txt')}
      >
        Save as a file
      </Button>
      <Button onClick={onDone}>I have saved them</Button>
    </Group>
  </div>
);

type Doing = { kind: 'nothing' | 'begin' | 'renew' | 'end' } | { kind: 'key'; key: string; uri: string } | { kind: 'codes'; codes: string[] };

const SecondStep = ({ state, changed }: { state: SignInWays['second_step']; changed: () => void }) => {
  const [doing, setDoing] = useState<Doing>({ kind: 'nothing' });
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const stop = () => setDoing({ kind: 'nothing' });
  const begin = async (password: string) => {
    const result = await call('POST /auth/second-step', { body: { password } }, { quiet: true });
    if (result.kind === 'ok') setDoing({ kind: 'key', ...result.data });
    return problemOf(result);
  };
  const confirm = async () => {
    const result = await call('POST /auth/second-step/confirm', { body: { code } }, { quiet: true });
    setError(code === '' ? 'Enter the code shown in the app.' : problemOf(result));
    if (result.kind === 'ok') setDoing({ kind: 'codes', codes: result.data.recovery_codes });
  };
  const renew = async (password: string) => {
    const result = await call('POST /auth/second-step/recovery-codes', { body: { password } }, { quiet: true });
    if (result.kind === 'ok') setDoing({ kind: 'codes', codes: result.data.recovery_codes });
    return problemOf(result);
  };
  const end = async (password: string) => {
    const result = await call('POST /auth/second-step/end', { body: { password } }, { quiet: true });
    if (result.kind === 'ok') {
      stop();
      notify('success', 'Two-step verification is off.');
      changed();
    }
    return problemOf(result);
  };
  return (
    <Part title="Two-step verification">
      <Text>
        {state.on
          ? `On since ${formatDay(state.since ?? '')}. You sign in with your password and a code from your authenticator app.`
          : 'Off. Add a code from an app on your phone, so that someone who learns your password still cannot sign in.'}
      </Text>
      {doing.kind === 'nothing' &&
        (state.on ? (
          <>
            <p className={layout.count}>
              {state.recovery_codes} of your recovery codes {state.recovery_codes === 1 ? 'is' : 'are'} left.
            </p>
            <Group>
              <Button variant="default" onClick={() => setDoing({ kind: 'renew' })}>
                Create new recovery codes
              </Button>
              <Button variant="default" onClick={() => setDoing({ kind: 'end' })}>
                Turn off
              </Button>
            </Group>
          </>
        ) : (
          <Group>
            <Button onClick={() => setDoing({ kind: 'begin' })}>Turn on</Button>
          </Group>
        ))}
      {doing.kind === 'begin' && <AskPassword action="Continue" run={begin} onCancel={stop} />}
      {doing.kind === 'renew' && <AskPassword action="Create new codes" run={renew} onCancel={stop} />}
      {doing.kind === 'end' && <AskPassword action="Turn off" run={end} onCancel={stop} />}
      {doing.kind === 'key' && (
        <div className={classes.key}>
          <QrCode text={doing.uri} />
          <form
            noValidate
            className={layout.list}
            onSubmit={(event) => {
              event.preventDefault();
              void confirm();
            }}
          >
            <Text>Scan the QR code with your authenticator app, or enter this key:</Text>
            <strong className={classes.secret}>{doing.key.match(/.{4}/g)?.join(' ')}</strong>
            <TextInput
              label="Code from the app"
              inputMode="numeric"
              autoComplete="one-time-code"
              maw={240}
              value={code}
              error={error}
              onChange={(e) => setCode(e.currentTarget.value)}
            />
            <Group>
              <Button type="submit">Turn on</Button>
              <Button variant="default" onClick={stop}>
                Cancel
              </Button>
            </Group>
          </form>
        </div>
      )}
      {doing.kind === 'codes' && (
        <RecoveryCodes
          codes={doing.codes}
          onDone={() => {
            stop();
            setCode('');
            changed();
          }}
        />
      )}
    </Part>
  );
};

const Passkeys = ({ passkeys, changed }: { passkeys: SignInWays['passkeys']; changed: () => void }) => {
  const [adding, setAdding] = useState(false);
  const [name, setName] = useState('');
  const add = async (password: string) => {
    const options = await call('POST /auth/passkeys/options', { body: { password } }, { quiet: true });
    if (options.kind !== 'ok') return problemOf(options);
    const credential: RegistrationResponseJSON | null = await startRegistration({ optionsJSON: options.data as never }).catch(() => null);
    if (!credential) return 'No passkey was added. Nothing has changed.';
    const result = await call('POST /auth/passkeys', { body: { name: name.trim() || 'My passkey', credential: { ...credential } } }, { quiet: true });
    if (result.kind === 'ok') {
      setAdding(false);
      setName('');
      notify('success', 'You can now sign in with the passkey.');
      changed();
    }
    return problemOf(result);
  };
  const remove = async (id: string) => {
    const result = await call('DELETE /auth/passkeys/{id}', { params: { id } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', 'The passkey has been removed.');
    changed();
  };
  return (
    <Part title="Passkeys">
      <Text>
        Sign in with your fingerprint, your face or your device’s lock instead of a password. A passkey cannot be guessed or entered on a fake page.
      </Text>
      {passkeys.length > 0 && (
        <ul className={sessions.list}>
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
                onDelete={() => void remove(passkey.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {adding ? (
        <AskPassword action="Add passkey" run={add} onCancel={() => setAdding(false)}>
          <TextInput
            label="Passkey name"
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
    </Part>
  );
};

const Accounts = ({ providers, changed }: { providers: SignInWays['providers']; changed: () => void }) => {
  const disconnect = async (provider: SignInProvider) => {
    const result = await call('DELETE /auth/openid/{provider}', { params: { provider } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', `Your ${providerNames[provider]} account is disconnected.`);
    changed();
  };
  return (
    <Part title="Other accounts">
      <ul className={sessions.list}>
        {providers.map(({ provider, allowed, connected }) => (
          <li key={provider}>
            <div>
              <strong>{providerNames[provider]}</strong>
              <small>
                {connected
                  ? `${connected.email ?? 'Connected'} · since ${formatDay(connected.at)}${allowed ? '' : ' · turned off by your organisation'}`
                  : 'Not connected'}
              </small>
            </div>
            {connected ? (
              <Button variant="default" onClick={() => void disconnect(provider)} aria-label={`Disconnect ${providerNames[provider]}`}>
                Disconnect
              </Button>
            ) : (
              <Button
                variant="default"
                component="a"
                href={`/api/auth/openid/${provider}?connect=1`}
                aria-label={`Connect ${providerNames[provider]}`}
              >
                Connect
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
};

/** The person's sign-in methods: password, two-step verification, passkeys, Microsoft and Google accounts. */
export const Component = () => {
  const me = useSession();
  const acting = useActingAs();
  const [query] = useSearchParams();
  const { state, retry } = useRead('GET /auth/sign-in-ways', {});
  const [problem, connected] = [query.get('problem'), query.get('connected')];
  return (
    <div className={layout.page}>
      <header className={layout.head}>
        <Title order={1} className={layout.title}>
          How I sign in
        </Title>
      </header>
      {isErrorCode(problem) && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {errorTable[problem].message}
        </p>
      )}
      {connected && Object.hasOwn(providerNames, connected) && (
        <p className={layout.notice} data-tone="ok" role="status">
          {providerNames[connected as SignInProvider]} is now connected. You can sign in with it.
        </p>
      )}
      {acting && (
        <p className={layout.notice} data-tone="warning">
          {errorTable.not_while_acting.message}
        </p>
      )}
      <ReadPlaceholder state={state} retry={retry} loading="Loading your sign-in methods" offline="Changing how you sign in needs a connection." />
      {state.kind === 'here' && !acting && (
        <>
          {me && (
            <Part title="E-mail address">
              <EmailAddress address={me.email} verified={me.emailVerified} />
            </Part>
          )}
          <Part title="Password">
            <Text>You sign in with {me?.email} and your password.</Text>
            {can(me, 'user.update_password') && (
              <Group>
                <Button variant="default" component={Link} to={pathTo('update-password')}>
                  Change password
                </Button>
              </Group>
            )}
          </Part>
          <SecondStep state={state.thing.second_step} changed={retry} />
          <Passkeys passkeys={state.thing.passkeys} changed={retry} />
          {state.thing.providers.length > 0 && <Accounts providers={state.thing.providers} changed={retry} />}
        </>
      )}
    </div>
  );
};
