import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { keyFor } from '#server/security/sealing.ts';

/** The prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key with which this installation signs for one purpose: Ed25519, derived from its secret key, so that it is stored nowhere. */
export const signerOf = (secretKey: string, purpose: string): { publicKey: string; sign: (text: string) => string } => {
  const key: KeyObject = createPrivateKey({ key: Buffer.concat([pkcs8, keyFor(secretKey, purpose)]), format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: raw.toString('base64'), sign: (text) => sign(null, Buffer.from(text), key).toString('base64') };
};
