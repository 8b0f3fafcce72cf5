import { useEffect, useState } from 'react';
import { currentUser, handedOver, useSession } from '#src/access/session.ts';
import { forgetsHandOver } from '#src/device/handed-over.ts';
import { afterUnlock } from '#src/device/lock.ts';
import { isLocked } from '#src/device/lock-hint.ts';
import { openWithPasskey } from '#src/device/passkey.ts';
import { guessWords, proveOwnPassword } from '#src/device/password-here.ts';
import { lockOf, unlockWithPin } from '#src/offline/keys/keyring.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field, PasswordField } from '#src/ui/plain/field.tsx';
import plain from '#src/ui/plain/plain.module.css';

type Way = 'pin' | 'password';
/** The owner takes the device back: with their PIN, passkey or password, each also without a connection. */
export const TakeBack = ({ onDone = () => undefined }: { onDone?: () => void }) => {
  const user = useSession();
  const [lock, setLock] = useState<Awaited<ReturnType<typeof lockOf>> | undefined>(undefined);
  const [way, setWay] = useState<Way>('password');
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = user?.uuid;
  useEffect(() => {
    if (!id) return;
    void lockOf(id).then((found) => {
      setLock(found);
      if (found?.pin) setWay('pin');
    });
  }, [id]);
  if (!user || lock === undefined) return null;
  const finish = async () => {
    if (isLocked()) await afterUnlock();
    forgetsHandOver();
    onDone();
  };
  const prove = async () => {
    setBusy(true);
    const problem = way === 'pin' ? guessWords(await unlockWithPin(user.uuid, typed), 'PIN') : await proveOwnPassword(typed);
    setBusy(false);
    setTyped('');
    setError(problem);
    if (problem === null && currentUser()?.uuid === user.uuid) await finish();
  };
  const withPasskey = async () => {
    setBusy(true);
    const open = await openWithPasskey(user.uuid);
    setBusy(false);
    if (open) await finish();
    else setError('The passkey did not work. Try again, or use another way.');
  };
  const shared = { value: typed, error: error ?? undefined, autoFocus: true };
  return (
    <form
      className={plain.form}
      aria-label={`${user.name} takes the device back`}
      onSubmit={(e) => {
        e.preventDefault();
        void prove();
      }}
    >
      {way === 'pin' ? (
        <Field
          {...shared}
          label={`PIN of ${user.name}`}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          pattern="[0-9]*"
          onValue={(text) => setTyped(text.replace(/\D/g, '').slice(0, 12))}
        />
      ) : (
        <PasswordField {...shared} label={`Password of ${user.name}`} autoComplete="off" onValue={setTyped} showLabel="Show password" />
      )}
      <PlainButton type="submit" busy={busy} disabled={typed === ''}>
        Take the device back
      </PlainButton>
      {lock && lock.passkeys > 0 && (
        <PlainButton kind="default" busy={busy} onClick={() => void withPasskey()}>
          Use a passkey
        </PlainButton>
      )}
      {lock?.pin && (
        <PlainButton
          kind="default"
          onClick={() => {
            setWay(way === 'pin' ? 'password' : 'pin');
            setTyped('');
            setError(null);
          }}
        >
          {way === 'pin' ? 'Use the password' : 'Use the PIN'}
        </PlainButton>
      )}
    </form>
  );
};

/** Shown instead of every page while somebody else holds the device and their page was left: nothing of its owner is accessible. */
export const TakeBackScreen = () => {
  const user = useSession();
  if (!user || handedOver.get() !== user.uuid) return null;
  return (
    <main style={{ maxWidth: 480, margin: '0 auto', padding: '48px 16px', display: 'grid', gap: 18 }}>
      <h1>This device was handed over</h1>
      <p>
        {user.name} takes it back before anything else can be opened. What was signed is saved; what was not signed yet can be signed after the device
        has been handed over again.
      </p>
      <TakeBack />
    </main>
  );
};
