import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const lengths = { nonce: 12, tag: 16 };

/** An AES-256 key derived for one purpose. */
export const keyFor = (secretKey: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));

/** Encrypts a text (AES-256-GCM); returns nonce, ciphertext and tag together. */
export const seal = (key: Buffer, text: string): Buffer => {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};
/** Decrypts nonce, ciphertext and tag; devices use the same format. Throws if anything was altered. */
export const openSealed = (key: Buffer, sealed: Buffer, place?: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, lengths.nonce));
  if (place !== undefined) decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(-lengths.tag));
  return decipher.update(sealed.subarray(lengths.nonce, -lengths.tag), undefined, 'utf8') + decipher.final('utf8');
};
