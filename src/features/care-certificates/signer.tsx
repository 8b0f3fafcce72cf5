import { Button, PasswordInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ObservationRecord, SignatureArgs } from '#contract/entities/care-certificate.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { countOf } from '#src/lib/format.ts';
import { signRecord } from '#src/offline/commands/certificate.ts';
import { lockOf, provePin } from '#src/offline/keys/keyring.ts';
import form from '#src/ui/form.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { SignaturePad } from '#src/ui/signature-pad.tsx';

/** Saves a signature under what a record says now. Answers null, or why it could not be saved. */
export const useSign = (view: CertificateView, about: string, record: ObservationRecord) => {
  const db = usePersonDb();
  const me = useSession();
  return async (args: Omit<SignatureArgs, 'about' | 'content'>): Promise<string | null> => {
    if (!me) return 'You have been signed out. Sign in again; what was recorded is kept.';
    try {
      await signRecord(db, me, view.certificate, { about, content: await contentHash(record), ...args });
      return null;
    } catch {
      return 'This could not be saved on the tablet. Please try again.';
    }
  };
};

type Proof = Pick<SignatureArgs, 'method' | 'drawing'>;
type Props = {
  who: { id: string | null; name: string };
  label: string;
  /** Answers null, or what is wrong, which is shown. */
  onSign: (proof: Proof) => Promise<string | null>;
};
/** Somebody signs here: by drawing, or with the PIN that they have on this tablet. */
export const Signer = ({ who, label, onSign }: Props) => {
  const [hasPin, setHasPin] = useState(false);
  const [by, setBy] = useState<'drawn' | 'pin'>('drawn');
  const [drawing, setDrawing] = useState('');
  const [pin, setPin] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (who.id === null) return;
    void lockOf(who.id).then((lock) => setHasPin(lock?.pin === true));
  }, [who.id]);
  const prove = async (): Promise<Proof | string> => {
    if (by === 'drawn') return drawing === '' ? 'Draw the signature first.' : { method: 'drawn', drawing };
    const proved = await provePin(who.id ?? '', pin);
    if (proved.kind === 'open') return { method: 'pin', drawing: null };
    setPin('');
    const wait = proved.waitMs > 0 ? ` Try again in ${countOf(Math.ceil(proved.waitMs / 1000), 'second')}.` : '';
    return proved.kind === 'wait' ? `Too many tries.${wait}` : `The PIN is not right.${wait}`;
  };
  const sign = async () => {
    setBusy(true);
    const proof = await prove();
    setError(typeof proof === 'string' ? proof : await onSign(proof));
    setBusy(false);
  };
  return (
    <div className={form.group} style={{ padding: 0 }}>
      {hasPin && (
        <Segmented
          aria-label={`How ${who.name} signs`}
          size="md"
          value={by}
          onChange={(to) => {
            setBy(to as typeof by);
            setError(null);
          }}
          data={[
            { value: 'drawn', label: 'By hand' },
            { value: 'pin', label: 'With my PIN' },
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
      ) : (
        <PasswordInput
          label={`PIN of ${who.name} on this tablet`}
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
      <Button size="lg" loading={busy} onClick={() => void sign()} style={{ justifySelf: 'start' }}>
        Sign
      </Button>
    </div>
  );
};
