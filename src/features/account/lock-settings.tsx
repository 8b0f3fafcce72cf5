import { Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { lockMinutes, lockNow, noteLock, setLockMinutes } from '#src/device/lock.ts';
import { canUsePasskey, makePasskey } from '#src/device/passkey.ts';
import { sharedDevice } from '#src/device/handed-over.ts';
import { lockOf, removeLock } from '#src/offline/keys/keyring.ts';
import { ChoosePin } from '#src/screens/choose-pin.tsx';
import plain from '#src/ui/plain/plain.module.css';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';

export const lockSettingsName = 'lock-settings';
const Settings = () => {
  const user = useSession();
  const brand = useBrand();
  const [lock, setLock] = useState<Awaited<ReturnType<typeof lockOf>> | undefined>(undefined);
  const [passkeys, setPasskeys] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [minutes, setMinutes] = useState(String(lockMinutes()));
  const shared = useSyncExternalStore(sharedDevice.subscribe, sharedDevice.get) === true;
  const id = user?.uuid ?? '';
  useEffect(() => {
    void lockOf(id).then(setLock);
    void canUsePasskey().then(setPasskeys);
  }, [id]);
  if (!user || lock === undefined) return null;
  const done = async (message: string) => {
    await noteLock(id);
    setLock(await lockOf(id));
    notify('success', message);
  };
  return (
    <Stack>
      <Text>
        On a shared device, lock your work. It is encrypted and opens only with your PIN. If you forget the PIN, you can unlock with your password,
        and nothing is lost.
      </Text>
      {!lock && (
        <p className={plain.note} data-tone="warning">
          Not locked yet: anyone using this device can open your work while you are signed in.
        </p>
      )}
      <ChoosePin
        personId={id}
        replaces={lock?.pin ?? false}
        action={lock?.pin ? 'Change the PIN' : 'Lock with this PIN'}
        problem={error}
        onSet={() => done('Your work on this device is now locked with your PIN.')}
      >
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
      </ChoosePin>
      <Checkbox
        label="Other people use this device too"
        description="Each of them is offered a PIN when they first sign in here."
        checked={shared}
        onChange={(e) => sharedDevice.set(e.currentTarget.checked)}
      />
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
