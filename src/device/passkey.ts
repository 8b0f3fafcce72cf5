import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';
import { addPasskey, passkeysOf, unlockWithPasskey } from '#src/offline/keys/keyring.ts';

/**
 * A passkey that opens the lock: its PRF extension derives a secret from our salt, on the device and offline. No server
 * verifies it; it is a key, not a way to sign in.
 */
type Prf = { prf?: { enabled?: boolean; results?: { first?: BufferSource } } };
const random = () => crypto.getRandomValues(new Uint8Array(32));
const base64url = (bytes: ArrayBuffer) => toBase64(new Uint8Array(bytes));

/** Whether this device has a passkey of its own (fingerprint, face, screen lock). */
export const canUsePasskey = async (): Promise<boolean> =>
  typeof PublicKeyCredential !== 'undefined' && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false));

const secretFor = async (ids: { id: string; salt: string }[]): Promise<{ id: string; secret: BufferSource } | null> => {
  const byCredential = Object.fromEntries(
    ids.map((p) => [p.id.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''), { first: fromBase64(p.salt) }]),
  );
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: random(),
      allowCredentials: ids.map((p) => ({ type: 'public-key' as const, id: fromBase64(p.id) })),
      userVerification: 'required',
      extensions: { prf: { evalByCredential: byCredential } } as AuthenticationExtensionsClientInputs,
    },
  })) as PublicKeyCredential | null;
  const secret = (credential?.getClientExtensionResults() as Prf | undefined)?.prf?.results?.first;
  return credential && secret ? { id: base64url(credential.rawId), secret } : null;
};

/** Creates a passkey for the person on this device. Returns null or an error message. */
export const makePasskey = async (person: { uuid: string; name: string; email: string }, appName: string): Promise<string | null> => {
  const salt = random();
  try {
    const made = (await navigator.credentials.create({
      publicKey: {
        rp: { name: appName },
        user: { id: new TextEncoder().encode(person.uuid), name: person.email, displayName: person.name },
        challenge: random(),
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { authenticatorAttachment: 'platform', userVerification: 'required', residentKey: 'preferred' },
        extensions: { prf: { eval: { first: salt } } } as AuthenticationExtensionsClientInputs,
      },
    })) as PublicKeyCredential | null;
    const prf = (made?.getClientExtensionResults() as Prf | undefined)?.prf;
    if (!made || !prf?.enabled) return 'Passkeys on this device cannot lock your work. Use a PIN.';
    const id = base64url(made.rawId);
    const secret = prf.results?.first ?? (await secretFor([{ id, salt: toBase64(salt) }]))?.secret;
    if (!secret) return 'Passkeys on this device cannot lock your work. Use a PIN.';
    await addPasskey(person.uuid, id, salt, secret);
    return null;
  } catch {
    return 'No passkey was added. Nothing has changed.';
  }
};

/** Asks for a passkey and opens the lock with it. */
export const openWithPasskey = async (personId: string): Promise<boolean> => {
  const answered = await secretFor(await passkeysOf(personId)).catch(() => null);
  return answered !== null && unlockWithPasskey(personId, answered.id, answered.secret);
};
