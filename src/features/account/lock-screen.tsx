import shapes from '#src/ui/shapes.module.css';
import { useEffect, useState } from 'react';
import { useSession } from '#src/access/session.ts';
import { useBrand } from '#src/access/brand.ts';
import { afterUnlock, lockSessionIfPending, switchPerson, unlockWithPassword, untilLocked } from '#src/device/lock.ts';
import { openWithPasskey } from '#src/device/passkey.ts';
import { FormFrame } from '#src/features/account/form-frame.tsx';
import classes from '#src/features/account/lock-screen.module.css';
import { OthersWaiting } from '#src/features/account/others-waiting.tsx';
import { afterAwake } from '#src/lib/after-awake.ts';
import { countOf } from '#src/lib/format.ts';
import { storeAnswersMs } from '#src/device/store-silent.ts';
import { knowsPassword, lockOf, openKey, unlockWithPin } from '#src/offline/keys/keyring.ts';
import { unsentOf } from '#src/offline/store/person-db.ts';
import { LanternMark } from '#src/ui/lantern-mark.tsx';
import { notify } from '#src/ui/notify.ts';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field, PasswordField } from '#src/ui/plain/field.tsx';

const storeSilent =
  'The storage of this device does not answer. Nothing has been deleted: close other tabs of this app or restart the device, and open it again.';
const seconds = (ms: number) => countOf(Math.ceil(ms / 1000), 'second');

/** The device is locked for the signed-in person: unlock by PIN, passkey or password, or sign in as another person. */
export const LockScreen = () => {
  const user = useSession();
  const brand = useBrand();
  const [how, setHow] = useState<'pin' | 'password'>('pin');
  const [lock, setLock] = useState<Awaited<ReturnType<typeof lockOf>>>(null);
  const [unsent, setUnsent] = useState(0);
  const [known, setKnown] = useState(false);
  const [pin, setPin] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [waitUntil, setWaitUntil] = useState(0);
  const [now, setNow] = useState(Date.now());
  const id = user?.uuid;
  useEffect(() => {
    if (!id) return;
    const cancelLate = afterAwake(storeAnswersMs, () => setError(storeSilent));
    void lockOf(id).then(async (found) => {
      cancelLate();
      setError((before) => (before === storeSilent ? null : before));
      setLock(found);
      if (found && found.waitMs > 0) setWaitUntil(Date.now() + found.waitMs);
      // Another tab may have unlocked it or removed the lock.
      await untilLocked();
      if (await openKey(id)) await afterUnlock();
    });
    void knowsPassword(id).then(setKnown);
    void unsentOf(id)
      .then(setUnsent)
      .catch(() => undefined);
    return cancelLate;
  }, [id]);
  useEffect(() => {
    void lockSessionIfPending();
    window.addEventListener('online', lockSessionIfPending);
    return () => window.removeEventListener('online', lockSessionIfPending);
  }, []);
  useEffect(() => {
    if (waitUntil <= Date.now()) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [waitUntil]);
  if (!user) return null;
  const waitMs = waitUntil - Math.max(now, 0);

  const tryPin = async () => {
    setBusy(true);
    setError(null);
    await untilLocked();
    const answer = await unlockWithPin(user.uuid, pin);
    setPin('');
    if (answer.kind === 'open') {
      await afterUnlock();
      return;
    }
    setBusy(false);
    setNow(Date.now());
    if (answer.waitMs > 0) setWaitUntil(Date.now() + answer.waitMs);
    setError(
      answer.kind === 'wait' || answer.waitMs > 0 ? 'That PIN is incorrect. Wait a moment; nothing has been deleted.' : 'That PIN is incorrect.',
    );
  };
  const tryPassword = async () => {
    setBusy(true);
    await untilLocked();
    const problem = await unlockWithPassword(password, true);
    setBusy(false);
    setError(problem);
    if (problem !== null) return;
    await afterUnlock();
    notify('info', 'Choose a new PIN in your account menu, under “Lock my work”.');
  };
  const tryPasskey = async () => {
    setBusy(true);
    await untilLocked();
    const open = await openWithPasskey(user.uuid);
    setBusy(false);
    if (open) await afterUnlock();
    else setError('The passkey did not work. Try again, or use another way to unlock.');
  };
  const usePassword = how === 'password' || (lock !== null && !lock.pin && lock.passkeys === 0);
  return (
    <div className={classes.page}>
      <header className={classes.sign}>
        {brand.logo ? <img src={brand.logo} alt="" height={48} /> : <LanternMark size={48} />}
        <span>{brand.companyName}</span>
      </header>
      <main className={`app-card ${classes.card}`}>
        <FormFrame
          title={`Locked for ${user.name}`}
          error={error}
          lead={
            <p className={shapes.muted}>
              {unsent > 0
                ? `${countOf(unsent, 'unsent item', 'unsent items')} ${unsent === 1 ? 'is' : 'are'} on this device, encrypted.`
                : 'Your work on this device is encrypted.'}
            </p>
          }
          onSubmit={() => void (usePassword ? tryPassword() : tryPin())}
        >
          {usePassword ? (
            <>
              <p className={shapes.muted}>Unlock with your password{known ? '' : ' while you have a connection'}. You can then choose a new PIN.</p>
              <PasswordField
                label="Password"
                autoComplete="current-password"
                value={password}
                onValue={setPassword}
                showLabel="Show password"
                autoFocus
              />
              <PlainButton type="submit" busy={busy} disabled={password === ''}>
                Unlock
              </PlainButton>
            </>
          ) : (
            lock?.pin && (
              <>
                <Field
                  label="PIN"
                  type="password"
                  inputMode="numeric"
                  autoComplete="off"
                  pattern="[0-9]*"
                  value={pin}
                  onValue={(v) => setPin(v.replace(/\D/g, '').slice(0, 12))}
                  disabled={waitMs > 0}
                  autoFocus
                />
                <PlainButton type="submit" busy={busy} disabled={pin.length < 4 || waitMs > 0}>
                  {waitMs > 0 ? `Try again in ${seconds(waitMs)}` : 'Unlock'}
                </PlainButton>
              </>
            )
          )}
          {lock !== null && lock.passkeys > 0 && (
            <PlainButton type="button" kind="default" busy={busy} onClick={() => void tryPasskey()}>
              Use a passkey
            </PlainButton>
          )}
          <div className={classes.ways}>
            {lock?.pin &&
              (usePassword ? (
                <button type="button" onClick={() => setHow('pin')}>
                  Use the PIN
                </button>
              ) : (
                <button type="button" onClick={() => setHow('password')}>
                  I have forgotten my PIN
                </button>
              ))}
            <button type="button" onClick={() => void switchPerson()}>
              Sign in as someone else
            </button>
          </div>
        </FormFrame>
      </main>
      <OthersWaiting except={user.uuid} />
    </div>
  );
};
