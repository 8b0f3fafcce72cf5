import type { ObservationRecord, SignatureArgs } from '#contract/entities/care-certificate.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { usePin } from '#src/device/use-pin.ts';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { signRecord } from '#src/offline/kinds/certificate/commands.ts';
import { type Proof, Signer as SignerOf } from '#src/ui/signer.tsx';

/** Saves a signature of the current version of a record. Returns null, or an error message. */
export const useSign = (view: CertificateView, about: string, record: ObservationRecord) => {
  const db = usePersonDb();
  const me = useSession();
  return async (args: Omit<SignatureArgs, 'about' | 'content'>): Promise<string | null> => {
    if (!me) return 'You have been signed out. Sign in again; what was recorded is kept.';
    try {
      await signRecord(db, me, view.certificate, { about, content: await contentHash(record), ...args });
      return null;
    } catch {
      return 'This could not be saved on the device. Please try again.';
    }
  };
};

type Props = {
  who: { id: string | null; name: string };
  label: string;
  signedIn?: boolean;
  action?: string;
  onSign: (proof: Proof) => Promise<string | null>;
};
export const Signer = ({ who, label, signedIn = false, action = 'Sign', onSign }: Props) => (
  <SignerOf name={who.name} label={label} pin={usePin(who.id)} signedIn={signedIn} action={action} onSign={onSign} />
);
