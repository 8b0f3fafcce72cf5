import type { CopyKey } from '#contract/entities/device.ts';
import { hashOfDataKey, newSigningKey, type PublicKey } from '#contract/rules/sealed-copy-signature.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { dataKeyOf } from '#src/offline/keys/unlocked.ts';
import { deviceDb, signingKeyName } from '#src/offline/store/device-db.ts';

/** What this device signs one person's sealed copies with: the private half can be used here, and read nowhere. */
type SigningKey = { kid: string; key: CryptoKey; jwk: PublicKey; told: boolean };
const kept = async (personId: string): Promise<SigningKey | null> =>
  ((await deviceDb().meta.get(signingKeyName(personId)))?.value as SigningKey | undefined) ?? null;

/** What a person's sealed copies are signed with here, locked or not; null where the server was never told it: it would prove nothing. */
export const signingKeyOf = async (personId: string): Promise<SigningKey | null> => {
  const own = await kept(personId).catch(() => null);
  return own?.told ? own : null;
};

/**
 * What the server is told, with every greeting, so that it knows this person's sealed copies from here: minted at their first.
 * Undefined where they are locked, or where this browser cannot keep such a key: their copies are then only shown.
 */
export const copyKeyOf = async (personId: string): Promise<CopyKey | undefined> => {
  const dataKey = dataKeyOf(personId);
  if (!dataKey) return undefined;
  try {
    const { meta } = deviceDb();
    let own = await kept(personId);
    if (!own) {
      const minted: SigningKey = { kid: newId(), ...(await newSigningKey()), told: false };
      // Two tabs at once end with one key.
      own = await deviceDb().transaction('rw', meta, async () => {
        const other = await kept(personId);
        if (!other) await meta.put({ key: signingKeyName(personId), value: minted });
        return other ?? minted;
      });
    }
    return { kid: own.kid, jwk: own.jwk, data_key_hash: await hashOfDataKey(personId, dataKey) };
  } catch {
    return undefined;
  }
};

/** The server has been told this key. */
export const noteCopyKeyTold = async (personId: string, { kid }: CopyKey): Promise<void> => {
  const { meta } = deviceDb();
  await deviceDb().transaction('rw', meta, async () => {
    const own = await kept(personId);
    if (own?.kid === kid && !own.told) await meta.put({ key: signingKeyName(personId), value: { ...own, told: true } });
  });
};
