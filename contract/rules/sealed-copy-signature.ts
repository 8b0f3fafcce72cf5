import * as z from 'zod/mini';
import { Hash, Id, Instant } from '#contract/entities/fields.ts';
import { fromBase64, toBase64, toHex } from '#contract/rules/bytes.ts';
import { contentHash } from '#contract/rules/content-hash.ts';

/**
 * Proves who sealed a copy, on which device and when. A person's device signs with a private key that never leaves it (ECDSA,
 * P-256, SHA-256). While that person is signed in, it sends the server the public key and a hash of the data key. The signature
 * covers every line of the file; the hash of the data key ties the content to the person, even if others use the device. Used by
 * client and server; see decision 033.
 */
const algorithm = { name: 'ECDSA', hash: 'SHA-256' } as const;
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const utf8 = new TextEncoder();

/** A coordinate of a curve point: 32 bytes, base64url. */
const Coordinate = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));
export const PublicKey = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: Coordinate, y: Coordinate });
export type PublicKey = z.infer<typeof PublicKey>;

/** The signed statement. `entries` are the hashes of the lines, in order. */
export const SealedStatement = z.object({ person_id: Id, device_id: z.string(), made_at: Instant, entries: z.array(Hash) });
export type SealedStatement = z.infer<typeof SealedStatement>;

/** The exact text that was signed, and the signature in base64. */
export const CopySignature = z.object({
  kid: Id,
  statement: z.string().check(z.maxLength(5_000_000)),
  signature: z.string().check(z.maxLength(200)),
});
export type CopySignature = z.infer<typeof CopySignature>;

/** SHA-256 (hex) of a line of the copy with all its fields. */
export const hashOfSealedEntry = (entry: object): Promise<string> => contentHash(entry);

/** SHA-256 (hex) bound to the person: lets the server recognise a data key without learning it. */
export const hashOfDataKey = async (personId: string, dataKey: Uint8Array): Promise<string> => {
  const label = utf8.encode(`lantern data key:${personId}:`);
  const bytes = new Uint8Array(label.length + dataKey.length);
  bytes.set(label);
  bytes.set(dataKey, label.length);
  return toHex(await crypto.subtle.digest('SHA-256', bytes));
};

/** A key pair whose private key cannot be exported. */
export const newSigningKey = async (): Promise<{ key: CryptoKey; jwk: PublicKey }> => {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  return { key: privateKey, jwk: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string } };
};

export const signStatement = async (kid: string, key: CryptoKey, content: SealedStatement): Promise<CopySignature> => {
  const statement = JSON.stringify(content);
  return { kid, statement, signature: toBase64(new Uint8Array(await crypto.subtle.sign(algorithm, key, utf8.encode(statement)))) };
};

/** The statement, or null if this key did not sign it. */
export const verifiedStatement = async (jwk: PublicKey, signed: CopySignature): Promise<SealedStatement | null> => {
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['verify']);
    if (!(await crypto.subtle.verify(algorithm, key, fromBase64(signed.signature), utf8.encode(signed.statement)))) return null;
    return SealedStatement.parse(JSON.parse(signed.statement));
  } catch {
    return null;
  }
};
