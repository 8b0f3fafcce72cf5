import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const lengths = { nonce: 12, tag: 16 };

/** A key of the server for one purpose alone: AES-256. */
export const keyFor = (secretKey: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32));

/** Seals a text (AES-256-GCM): nonce, text and tag in one. */
export const seal = (key: Buffer, text: string): Buffer => {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};
/** Opens nonce, text and tag in one, as devices write them too. Throws where anything is another. */
export const openSealed = (key: Buffer, sealed: Buffer, place?: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, lengths.nonce));
  if (place !== undefined) decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(-lengths.tag));
  return decipher.update(sealed.subarray(lengths.nonce, -lengths.tag), undefined, 'utf8') + decipher.final('utf8');
};
