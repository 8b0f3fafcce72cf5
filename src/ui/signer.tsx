import { Button, PasswordInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import form from '#src/ui/form.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { SignaturePad } from '#src/ui/signature-pad.tsx';

/** How a signatory proved their identity: by a drawing, by their PIN on this device, or as the signed-in person. */
export type Proof = { method: 'drawn' | 'pin' | 'signed_in'; drawing: string | null };
/** The signatory's PIN. `prove` returns null, or an error message to show. */
export type Pin = { has(): Promise<boolean>; prove(pin: string): Promise<string | null> };
type Props = {
  name: string;
  label: string;
  /** Null for a person without an account. Must be referentially stable. */
  pin: Pin | null;
  /** The signed-in person, who can sign without drawing, because not everyone is able to draw. */
  signedIn?: boolean;
  /** The button's label. */
  action?: string;
  disabled?: boolean;
  /** Returns null, or an error message to show. */
  onSign: (proof: Proof) => Promise<string | null>;
};
/** A signature: drawn, or by the person's PIN on this device. */
export const Signer = ({ name, label, pin: their, signedIn = false, action = 'Sign', disabled = false, onSign }: Props) => {
  const [hasPin, setHasPin] = useState(false);
  const [by, setBy] = useState<Proof['method']>('drawn');
  const [drawing, setDrawing] = useState('');
  const [pin, setPin] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void their?.has().then(setHasPin);
  }, [their]);
  const prove = async (): Promise<Proof | string> => {
    if (by === 'drawn') return drawing === '' ? 'Please draw your signature first.' : { method: 'drawn', drawing };
    if (by === 'signed_in') return { method: 'signed_in', drawing: null };
    const wrong = (await their?.prove(pin)) ?? null;
    if (wrong === null) return { method: 'pin', drawing: null };
    setPin('');
    return wrong;
  };
  const sign = async () => {
    setBusy(true);
    const proof = await prove();
    setError(typeof proof === 'string' ? proof : await onSign(proof));
    setBusy(false);
  };
  return (
    <div className={form.group} style={{ padding: 0 }}>
      {(hasPin || signedIn) && (
        <Segmented
          aria-label={`How ${name} signs`}
          size="md"
          value={by}
          onChange={(to) => {
            setBy(to as typeof by);
            setError(null);
          }}
          data={[
            { value: 'drawn', label: 'By hand' },
            ...(hasPin ? [{ value: 'pin', label: 'With my PIN' }] : []),
            ...(signedIn ? [{ value: 'signed_in', label: 'Without drawing' }] : []),
          ]}
        />
      )}
      {by === 'drawn' ? (
        <SignaturePad
          label={label}
          value={drawing}
          error={error ?? undefined}
          onChange={(path) => {
            setDrawing(path);
            setError(null);
          }}
        />
      ) : by === 'signed_in' ? (
        <p style={{ margin: 0 }} role="status">
          {error ?? `You sign as ${name}, who is signed in on this device.`}
        </p>
      ) : (
        <PasswordInput
          label={`PIN of ${name} on this device`}
          inputMode="numeric"
          autoComplete="off"
          value={pin}
          error={error}
          onChange={(e) => {
            setPin(e.currentTarget.value);
            setError(null);
          }}
        />
      )}
      <Button size="lg" loading={busy} disabled={disabled} onClick={() => void sign()} style={{ justifySelf: 'start' }}>
        {action}
      </Button>
    </div>
  );
};
