import type { CopyKey } from '#contract/entities/device.ts';
import { hashOfDataKey, newSigningKey, type PublicKey } from '#contract/rules/sealed-copy-signature.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { dataKeyOf } from '#src/offline/keys/unlocked.ts';
import { deviceDb, signingKeyName } from '#src/offline/store/device-db.ts';

/** The key that signs one person's sealed copies on this device. Its private half cannot be exported. */
type SigningKey = { kid: string; key: CryptoKey; jwk: PublicKey; told: boolean };
const storedKey = async (personId: string): Promise<SigningKey | null> =>
  ((await deviceDb().meta.get(signingKeyName(personId)))?.value as SigningKey | undefined) ?? null;

/** The signing key of a person, locked or not; null if the server was never told it, because it would prove nothing. */
export const signingKeyOf = async (personId: string): Promise<SigningKey | null> => {
  const stored = await storedKey(personId).catch(() => null);
  return stored?.told ? stored : null;
};

/**
 * The key to report with every check-in, so that the server recognises this person's sealed copies; created at the first.
 * Undefined if they are locked or the browser cannot store such a key; their copies are then only displayed.
 */
export const copyKeyOf = async (personId: string): Promise<CopyKey | undefined> => {
  const dataKey = dataKeyOf(personId);
  if (!dataKey) return undefined;
  try {
    const { meta } = deviceDb();
    let stored = await storedKey(personId);
    if (!stored) {
      const minted: SigningKey = { kid: newId(), ...(await newSigningKey()), told: false };
      // Two tabs at once end with one key.
      stored = await deviceDb().transaction('rw', meta, async () => {
        const other = await storedKey(personId);
        if (!other) await meta.put({ key: signingKeyName(personId), value: minted });
        return other ?? minted;
      });
    }
    return { kid: stored.kid, jwk: stored.jwk, data_key_hash: await hashOfDataKey(personId, dataKey) };
  } catch {
    return undefined;
  }
};

/** Records that the server has received this key. */
export const noteCopyKeyTold = async (personId: string, { kid }: CopyKey): Promise<void> => {
  const { meta } = deviceDb();
  await deviceDb().transaction('rw', meta, async () => {
    const stored = await storedKey(personId);
    if (stored?.kid === kid && !stored.told) await meta.put({ key: signingKeyName(personId), value: { ...stored, told: true } });
  });
};
