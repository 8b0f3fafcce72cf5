import { Button, Group, PasswordInput, Select, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { lockMinutes, lockNow, noteLock, setLockMinutes } from '#src/device/lock.ts';
import { canUsePasskey, makePasskey } from '#src/device/passkey.ts';
import { lockOf, removeLock, setPin } from '#src/offline/keys/keyring.ts';
import plain from '#src/ui/plain/plain.module.css';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';

export const lockSettingsName = 'lock-settings';
const shortest = 6;

const problemOf = (pin: string, again: string): string | null =>
  pin.length < shortest
    ? `Use at least ${shortest} digits.`
    : /^(\d)\1+$/.test(pin) || '01234567890123456789'.includes(pin) || '98765432109876543210'.includes(pin)
      ? 'This PIN is too easy to guess.'
      : pin !== again
        ? 'The two PINs do not match.'
        : null;

const Settings = () => {
  const user = useSession();
  const brand = useBrand();
  const [lock, setLock] = useState<Awaited<ReturnType<typeof lockOf>> | undefined>(undefined);
  const [passkeys, setPasskeys] = useState(false);
  const [pin, setPinText] = useState('');
  const [again, setAgain] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [minutes, setMinutes] = useState(String(lockMinutes()));
  const id = user?.uuid ?? '';
  useEffect(() => {
    void lockOf(id).then(setLock);
    void canUsePasskey().then(setPasskeys);
  }, [id]);
  if (!user || lock === undefined) return null;
  const done = async (message: string) => {
    await noteLock(id);
    setLock(await lockOf(id));
    setPinText('');
    setAgain('');
    notify('success', message);
  };
  const savePin = async () => {
    const problem = problemOf(pin, again);
    setError(problem);
    if (problem) return;
    setBusy(true);
    await setPin(id, pin);
    setBusy(false);
    await done('Your work on this device is now locked with your PIN.');
  };
  const digits = (text: string) => text.replace(/\D/g, '').slice(0, 12);
  return (
    <Stack>
      <Text>
        On a shared device, lock your work. It is encrypted and opens only with your PIN. If you forget the PIN, you can unlock with your password
        while you have a connection, and nothing is lost.
      </Text>
      {!lock && (
        <p className={plain.note} data-tone="warning">
          Not locked yet: anyone using this device can open your work while you are signed in.
        </p>
      )}
      <PasswordInput
        label={lock?.pin ? 'New PIN' : 'PIN'}
        description={`${shortest} digits or more`}
        inputMode="numeric"
        autoComplete="off"
        value={pin}
        onChange={(e) => setPinText(digits(e.currentTarget.value))}
        error={error}
        visibilityToggleButtonProps={{ 'aria-label': 'Show PIN' }}
      />
      <PasswordInput
        label="Repeat PIN"
        inputMode="numeric"
        autoComplete="off"
        value={again}
        onChange={(e) => setAgain(digits(e.currentTarget.value))}
        visibilityToggleButtonProps={{ 'aria-label': 'Show repeated PIN' }}
      />
      <Group>
        <Button loading={busy} onClick={() => void savePin()}>
          {lock?.pin ? 'Change the PIN' : 'Lock with this PIN'}
        </Button>
        {passkeys && (
          <Button
            variant="default"
            onClick={() =>
              void makePasskey(user, brand.companyName).then((problem) =>
                problem ? setError(problem) : done('You can now unlock your work on this device with the passkey.'),
              )
            }
          >
            {lock && lock.passkeys > 0 ? 'Add another passkey' : 'Use a passkey'}
          </Button>
        )}
      </Group>
      {lock && (
        <>
          <Select
            label="Lock automatically"
            data={[
              { value: '1', label: 'after 1 minute of inactivity' },
              { value: '5', label: 'after 5 minutes of inactivity' },
              { value: '15', label: 'after 15 minutes of inactivity' },
            ]}
            value={minutes}
            allowDeselect={false}
            onChange={(v) => {
              if (v === null) return;
              setMinutes(v);
              setLockMinutes(Number(v));
            }}
          />
          <Group justify="space-between">
            <Button
              variant="subtle"
              color="gray"
              onClick={() => void removeLock(id).then(() => done('Your work on this device is no longer locked.'))}
            >
              Remove the lock
            </Button>
            <Button
              variant="default"
              onClick={() => {
                closeModal(lockSettingsName);
                void lockNow();
              }}
            >
              Lock now
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
};

/** Settings for locking one's own work on this device. */
export const LockSettings = () => (
  <RegisteredModal name={lockSettingsName} title="Lock my work on this device">
    {() => <Settings />}
  </RegisteredModal>
);
