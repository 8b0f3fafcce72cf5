import { Button, Group, PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { noteLock } from '#src/device/lock.ts';
import { setPin } from '#src/offline/keys/keyring.ts';

const shortest = 6;

const problemOf = (pin: string, again: string): string | null =>
  pin.length < shortest
    ? `Use at least ${shortest} digits.`
    : /^(\d)\1+$/.test(pin) || '01234567890123456789'.includes(pin) || '98765432109876543210'.includes(pin)
      ? 'This PIN is too easy to guess.'
      : pin !== again
        ? 'The two PINs do not match.'
        : null;
const digits = (text: string) => text.replace(/\D/g, '').slice(0, 12);

type Props = {
  personId: string;
  /** The person has a PIN already. */
  replaces?: boolean;
  action: string;
  /** A problem from beside the fields. */
  problem?: string | null;
  /** Further buttons. */
  children?: ReactNode;
  onSet: () => void | Promise<void>;
};
/** Choosing a PIN that locks one's own work on this device. */
export const ChoosePin = ({ personId, replaces = false, action, problem = null, children, onSet }: Props) => {
  const [pin, setPinText] = useState('');
  const [again, setAgain] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    const wrong = problemOf(pin, again);
    setError(wrong);
    if (wrong) return;
    setBusy(true);
    try {
      await setPin(personId, pin);
      await noteLock(personId);
      setPinText('');
      setAgain('');
      await onSet();
    } catch {
      setError('The PIN could not be saved on this device. Please try again.');
    }
    setBusy(false);
  };
  return (
    <>
      <PasswordInput
        label={replaces ? 'New PIN' : 'PIN'}
        description={`${shortest} digits or more`}
        inputMode="numeric"
        autoComplete="off"
        value={pin}
        onChange={(e) => setPinText(digits(e.currentTarget.value))}
        error={error ?? problem}
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
        <Button loading={busy} onClick={() => void save()}>
          {action}
        </Button>
        {children}
      </Group>
    </>
  );
};
