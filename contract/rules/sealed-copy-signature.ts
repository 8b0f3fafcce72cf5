import * as z from 'zod/mini';
import { Hash, Id, Instant } from '#contract/entities/fields.ts';
import { fromBase64, toBase64, toHex } from '#contract/rules/bytes.ts';
import { contentHash } from '#contract/rules/content-hash.ts';

/**
 * Who sealed a copy, on which device, and when. A person's device signs with a key that never leaves it (ECDSA, P-256, over
 * SHA-256), and tells the server the public half and a hash of the data key while that person is signed in. The signature
 * binds every line as it lies in the file; the hash of the data key binds what was sealed to the person, even where somebody
 * else can use the device. Both sides use these functions; decision 033 has the reasons.
 */
const algorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const utf8 = new TextEncoder();

/** A coordinate of a point on the curve: 32 bytes, base64url. */
const Coordinate = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));
export const PublicKey = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: Coordinate, y: Coordinate });
export type PublicKey = z.infer<typeof PublicKey>;

/** What is signed. `entries` holds the hash of each line, in order. */
export const SealedStatement = z.object({ person_id: Id, device_id: z.string(), made_at: Instant, entries: z.array(Hash) });
export type SealedStatement = z.infer<typeof SealedStatement>;

/** The statement as the very text that was signed, and the signature as base64. */
export const CopySignature = z.object({
  kid: Id,
  statement: z.string().check(z.maxLength(5_000_000)),
  signature: z.string().check(z.maxLength(200)),
});
export type CopySignature = z.infer<typeof CopySignature>;

/** SHA-256 (hex) of a line of the copy, every field of it. */
export const hashOfSealedEntry = (entry: object): Promise<string> => contentHash(entry);

/** What tells the server that two data keys are the same one, and nothing else: SHA-256 (hex), bound to the person. */
export const hashOfDataKey = async (personId: string, dataKey: Uint8Array): Promise<string> => {
  const label = utf8.encode(`lantern data key:${personId}:`);
  const bytes = new Uint8Array(label.length + dataKey.length);
  bytes.set(label);
  bytes.set(dataKey, label.length);
  return toHex(await crypto.subtle.digest('SHA-256', bytes));
};

/** A pair of keys of which the private half can be used and never read. */
export const newSigningKey = async (): Promise<{ key: CryptoKey; jwk: PublicKey }> => {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  return { key: privateKey, jwk: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string } };
};

export const signStatement = async (kid: string, key: CryptoKey, said: SealedStatement): Promise<CopySignature> => {
  const statement = JSON.stringify(said);
  return { kid, statement, signature: toBase64(new Uint8Array(await crypto.subtle.sign(algorithm, key, utf8.encode(statement)))) };
};

/** What was signed, or null where this key did not sign it. */
export const verifiedStatement = async (jwk: PublicKey, signed: CopySignature): Promise<SealedStatement | null> => {
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['verify']);
    if (!(await crypto.subtle.verify(algorithm, key, fromBase64(signed.signature), utf8.encode(signed.statement)))) return null;
    return SealedStatement.parse(JSON.parse(signed.statement));
  } catch {
    return null;
  }
};
