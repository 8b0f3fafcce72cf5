import type { CopyKey } from '#contract/entities/device.ts';
import { hashOfDataKey, newSigningKey } from '#contract/rules/sealed-copy-signature.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { dataKeyOf } from '#src/offline/keys/unlocked.ts';
import { deviceDb, type SigningRow } from '#src/offline/store/device-db.ts';

/** What a person's sealed copies are signed with here, locked or not; null where they have not signed in since this device has such keys. */
export const signingKeyOf = async (personId: string): Promise<SigningRow | null> => (await deviceDb().signing.get(personId)) ?? null;

/**
 * What the server is told, with every greeting, so that it knows this person's sealed copies from here: minted at their first.
 * Undefined where they are locked, or where this browser cannot keep such a key: their copies are then only shown.
 */
export const copyKeyOf = async (personId: string): Promise<CopyKey | undefined> => {
  const dataKey = dataKeyOf(personId);
  if (!dataKey) return undefined;
  try {
    const { signing } = deviceDb();
    let row = await signing.get(personId);
    if (!row) {
      const minted: SigningRow = { person_id: personId, kid: newId(), ...(await newSigningKey()) };
      // Two tabs at once end with one key.
      row = await deviceDb().transaction('rw', signing, async () => {
        const other = await signing.get(personId);
        if (!other) await signing.put(minted);
        return other ?? minted;
      });
    }
    return { kid: row.kid, jwk: row.jwk, data_key_hash: await hashOfDataKey(personId, dataKey) };
  } catch {
    return undefined;
  }
};
